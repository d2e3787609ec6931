#!/usr/bin/env bash
# Finding: `plugin marketplace add shop/marketplace.json` of Claude Code succeeds, and then the paths of its plugins begin in the folder above
# `shop`, because the file is taken for one in `.claude-plugin`. So `./plugins/stamps`, which is beside the file, "does not exist".
# Guess before running: a path in a file begins in the folder of the file, or the file is refused, as `plugin validate` refuses its folder.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @anthropic-ai/claude-code@2.1.332
echo "node $(node --version), @anthropic-ai/claude-code $(node -p "JSON.parse(fs.readFileSync('node_modules/@anthropic-ai/claude-code/package.json')).version")"
program=$(ls "$folder"/node_modules/@anthropic-ai/claude-code-*/claude | head -1)
mkdir -p work
claude() { # HOME, ARGUMENTS
  (cd work && env -i PATH="$PATH" HOME="$folder/$1" DISABLE_TELEMETRY=1 DISABLE_AUTOUPDATER=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 \
    timeout 120 "$program" "${@:2}" < /dev/null 2>&1) || true
}
make() { # FOLDER OF THE MARKETPLACE'S FILE
  mkdir -p "$1" shop/plugins/stamps/.claude-plugin shop/plugins/stamps/skills/sort-stamps
  printf '{"name": "shop", "owner": {"name": "Ann"}, "plugins": [{"name": "stamps", "source": "./plugins/stamps"}]}' > "$1/marketplace.json"
  printf '{"name": "stamps", "version": "1.0.0"}' > shop/plugins/stamps/.claude-plugin/plugin.json
  printf -- '---\nname: sort-stamps\ndescription: Sorts stamps.\n---\n\nSort the stamps.\n' > shop/plugins/stamps/skills/sort-stamps/SKILL.md
}
try() { # NAME, FOLDER OF THE MARKETPLACE'S FILE
  rm -rf shop
  make "$2"
  mkdir -p "home-$1"
  added=$(claude "home-$1" plugin marketplace add "../$2/marketplace.json" | grep -o 'Successfully added' || echo 'refused')
  installed=$(claude "home-$1" plugin install stamps@shop | grep -oE 'Successfully installed|Source path does not exist: .*' | sed "s#$(pwd -P)#FOLDER#" || echo 'other')
  echo "$2/marketplace.json: $added, $installed"
}
found=$(try plain shop; try usual shop/.claude-plugin)
echo "$found"
expected='shop/marketplace.json: Successfully added, Source path does not exist: FOLDER/plugins/stamps
shop/.claude-plugin/marketplace.json: Successfully added, Successfully installed'
[ "$found" = "$expected" ] || { echo 'The behaviour has changed.'; exit 1; }
