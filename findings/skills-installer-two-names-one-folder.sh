#!/usr/bin/env bash
# Finding: `npx skills add` installs two skills into one folder if their names differ only in capitals, spaces or other marks. The later
# one replaces the earlier one, the output counts both as installed, and `skills-lock.json` lists both.
# Guess before running: the second folder gets another name, or the installer reports the conflict.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund skills@1.7.4 node@22.20.0
PATH="$folder/node_modules/.bin:$PATH"
echo "node $(node --version), skills $(node -p "JSON.parse(fs.readFileSync('node_modules/skills/package.json')).version")"
mkdir -p home project source/skills/coins source/skills/stamps
printf -- '---\nname: Sort All\ndescription: Sorts coins.\n---\n\nCoins.\n' > source/skills/coins/SKILL.md
printf -- '---\nname: sort-all\ndescription: Sorts stamps.\n---\n\nStamps.\n' > source/skills/stamps/SKILL.md
cd project
git init -q
HOME="$folder/home" DISABLE_TELEMETRY=1 skills add ../source --skill '*' --agent claude-code --copy --yes > ../output 2>&1
cd ..
{
  grep -o 'Installed [0-9]* skills' output
  (cd project && find .claude -type f | LC_ALL=C sort)
  node -p "'in the lock: ' + Object.keys(JSON.parse(fs.readFileSync('project/skills-lock.json')).skills).join(', ')"
} | tee seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
Installed 2 skills
.claude/skills/sort-all/SKILL.md
in the lock: Sort All, sort-all
SEEN
