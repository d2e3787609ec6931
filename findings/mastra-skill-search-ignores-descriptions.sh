#!/usr/bin/env bash
# Finding: Mastra's search over skills reads only the bodies. A skill whose description and name contain the searched word is not found,
# neither with the BM25 index nor without it, although a description is the text that says what a skill is for.
# Guess before running: a search for a word of the description, or for the name, finds the skill.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund @mastra/core@1.71.0
echo "node $(node --version), @mastra/core $(node -p "JSON.parse(fs.readFileSync('node_modules/@mastra/core/package.json')).version")"
mkdir -p skills/sorter
cat > skills/sorter/SKILL.md <<'SKILL'
---
name: sorter
description: Sorts postage stamps.
---

Put them in order of size.
SKILL
cat > run.mjs <<'JS'
import { LocalFilesystem, Workspace } from '@mastra/core/workspace';
const filesystem = new LocalFilesystem({ basePath: process.cwd() });
for (const options of [{}, { bm25: true }]) {
  const { skills } = new Workspace({ filesystem, skills: ['skills'], ...options });
  for (const word of ['stamps', 'sorter', 'size']) {
    const found = await skills.search(word);
    console.log(`${JSON.stringify(options)} ${word}: ${found.map(({ skillName }) => skillName).join(' ') || 'nothing'}`);
  }
}
process.exit(0);
JS
node run.mjs | tee seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
{} stamps: nothing
{} sorter: nothing
{} size: sorter
{"bm25":true} stamps: nothing
{"bm25":true} sorter: nothing
{"bm25":true} size: sorter
SEEN
