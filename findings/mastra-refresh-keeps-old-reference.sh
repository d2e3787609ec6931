#!/usr/bin/env bash
# Finding: after `refresh()`, Mastra's search still finds the old text of a file in `references` that was edited, and not the new one, as
# long as the body of the skill and the names of its references stay the same. `getReference` returns the new text.
# Guess before running: `refresh()` reads everything again, so that a search finds the new text and not the old one.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund @mastra/core@1.71.0
echo "node $(node --version), @mastra/core $(node -p "JSON.parse(fs.readFileSync('node_modules/@mastra/core/package.json')).version")"
mkdir -p skills/sorter/references
cat > run.mjs <<'JS'
import { writeFileSync } from 'node:fs';
import { LocalFilesystem, Workspace } from '@mastra/core/workspace';
writeFileSync('skills/sorter/SKILL.md', '---\nname: sorter\ndescription: Sorts.\n---\n\nRead the reference.\n');
const write = (what) => writeFileSync('skills/sorter/references/sizes.md', `Sizes of ${what}.\n`);
const { skills } = new Workspace({ filesystem: new LocalFilesystem({ basePath: process.cwd() }), skills: ['skills'], bm25: true });
const show = async (word) => {
  const found = await skills.search(word);
  console.log(`${word}: ${found.map(({ source, content }) => `${source} "${content.trim()}"`).join(', ') || 'nothing'}`);
};
write('stamps');
await show('stamps');
write('coins');
await skills.refresh();
console.log('after refresh');
await show('stamps');
await show('coins');
console.log(`getReference: ${(await skills.getReference('sorter', 'references/sizes.md')).trim()}`);
process.exit(0);
JS
node run.mjs | tee seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
stamps: references/sizes.md "Sizes of stamps."
after refresh
stamps: references/sizes.md "Sizes of stamps."
coins: nothing
getReference: Sizes of coins.
SEEN
