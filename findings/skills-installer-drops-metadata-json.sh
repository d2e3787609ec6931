#!/usr/bin/env bash
# Finding: `npx skills add` installs a skill without its files named `metadata.json`, in every folder of it, and without a message,
# although the body of the skill refers to one of them. All other files are copied.
# Guess before running: every file of the folder is copied; at most hidden files are left out.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund skills@1.7.4 node@22.20.0
PATH="$folder/node_modules/.bin:$PATH"
echo "node $(node --version), skills $(node -p "JSON.parse(fs.readFileSync('node_modules/skills/package.json')).version")"
mkdir -p home project source/skills/sorter/assets
printf -- '---\nname: sorter\ndescription: Sorts stamps.\n---\n\nRead [the sizes](assets/metadata.json).\n' > source/skills/sorter/SKILL.md
for name in .hidden metadata.json sizes.json; do echo '{}' > "source/skills/sorter/assets/$name"; done
cd project
git init -q
HOME="$folder/home" DISABLE_TELEMETRY=1 skills add ../source --skill sorter --agent claude-code --copy --yes > ../output 2>&1
cd ..
{
  (cd project && find .claude -type f | LC_ALL=C sort)
  echo "lines of output with the name: $(grep -c metadata.json output || true)"
} | tee seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
.claude/skills/sorter/SKILL.md
.claude/skills/sorter/assets/.hidden
.claude/skills/sorter/assets/sizes.json
lines of output with the name: 0
SEEN
