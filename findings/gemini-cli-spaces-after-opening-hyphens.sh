#!/usr/bin/env bash
# Finding: Gemini CLI drops a skill if spaces follow the hyphens of the line that opens the frontmatter, without a message. Spaces after
# the hyphens of the closing line change nothing.
# Guess before running: spaces at the end of a line, which editors do not show, change nothing in both lines.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @google/gemini-cli@0.61.0
echo "node $(node --version), @google/gemini-cli $(node -p "JSON.parse(fs.readFileSync('node_modules/@google/gemini-cli/package.json')).version")"
mkdir -p home/.gemini work
cat > home/.gemini/settings.json <<'JSON'
{"security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": false}}, "telemetry": {"enabled": false},
  "general": {"enableAutoUpdate": false, "disableAutoUpdate": true}, "privacy": {"usageStatisticsEnabled": false}}
JSON
skill() {
  mkdir -p "work/.gemini/skills/$1"
  printf -- '%s\nname: %s\ndescription: Sorts coins.\n%s\n\nSort them.\n' "$2" "$1" "$3" > "work/.gemini/skills/$1/SKILL.md"
}
skill no-spaces '---' '---'
skill spaces-in-closing-line '---' '---  '
skill spaces-in-opening-line '---  ' '---'
cd work
git init -q
# The command lists the skills of the folder, and the built-in ones with `[Built-in]` after their names.
HOME="$folder/home" GEMINI_API_KEY=none "$folder/node_modules/.bin/gemini" skills list </dev/null > ../output 2>&1
{
  grep -E '^[a-z-]+ \[' ../output | grep -v Built-in | sort
  echo "lines about spaces-in-opening-line: $(grep -c spaces-in-opening-line ../output || true)"
} | tee ../seen
diff - ../seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
no-spaces [Enabled]
spaces-in-closing-line [Enabled]
lines about spaces-in-opening-line: 0
SEEN
