#!/usr/bin/env bash
# Finding: if the skills folder itself has a `SKILL.md`, Mastra lists none of the skills in its folders, even if that file has no
# frontmatter. A `README.md` with the same text hides nothing.
# Guess before running: the folders beside the file are read, and the file is one more skill if it is valid.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund @mastra/core@1.71.0
echo "node $(node --version), @mastra/core $(node -p "JSON.parse(fs.readFileSync('node_modules/@mastra/core/package.json')).version")"
for name in coins shells; do
  mkdir -p "skills/$name"
  printf -- '---\nname: %s\ndescription: Sorts %s.\n---\n\nSort them.\n' "$name" "$name" > "skills/$name/SKILL.md"
done
cat > run.mjs <<'JS'
import { LocalFilesystem, Workspace } from '@mastra/core/workspace';
const filesystem = new LocalFilesystem({ basePath: process.cwd() });
const { skills } = new Workspace({ filesystem, skills: ['skills'] });
const names = (await skills.list()).map(({ name }) => name).sort();
console.log(`${process.argv[2]}: ${names.join(' ') || 'none'}`);
process.exit(0);
JS
{
  echo '# The skills of our team' > skills/README.md
  node run.mjs 'with README.md' 2>messages
  mv skills/README.md skills/SKILL.md
  node run.mjs 'with SKILL.md' 2>>messages
  printf -- '---\nname: skills\ndescription: Names the skills of our team.\n---\n\nSee below.\n' > skills/SKILL.md
  node run.mjs 'with SKILL.md that is a skill' 2>>messages
} | tee seen
cat messages
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
with README.md: coins shells
with SKILL.md: none
with SKILL.md that is a skill: skills
SEEN
