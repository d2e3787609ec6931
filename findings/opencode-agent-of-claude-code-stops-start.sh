#!/usr/bin/env bash
# Finding: one agent file with `tools: Read, Grep`, the form of Claude Code's agents, stops OpenCode for every command, also for those that
# need no agent. A quoted number as `temperature` does the same, but an unknown key, a wrong `skills` or YAML that is not valid does not.
# Guess before running: OpenCode skips the agent with a warning, as it skips a skill that it cannot read.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts opencode-ai@1.18.33
echo "node $(node --version), opencode-ai $(node -p "JSON.parse(fs.readFileSync('node_modules/opencode-ai/package.json')).version")"
mkdir -p work/.opencode/agents home
(cd work && git init -q)
program=$(ls -d "$folder"/node_modules/opencode-*/bin/opencode | head -1)
run() {
  (cd work && env -i PATH="$PATH" HOME="$folder/home" OPENCODE_DISABLE_AUTOUPDATE=1 OPENCODE_DISABLE_MODELS_FETCH=1 \
    timeout 60 "$program" agent list > ../output 2>&1) && echo starts || echo "ends: $(grep -m1 -o 'Configuration is invalid' output || head -1 output)"
}
changed=0
try() { # NAME, KEYS, EXPECTED
  printf -- '---\ndescription: Sorts stamps.\n%s\n---\n\nSort them.\n' "$2" > work/.opencode/agents/sorter.md
  seen=$(run)
  echo "$1: $seen"
  [ "$seen" = "$3" ] || changed=1
}
try 'no further key' 'mode: subagent' 'starts'
try 'tools as a text' 'tools: Read, Grep' 'ends: Configuration is invalid'
try 'tools as a list' 'tools: [read]' 'ends: Configuration is invalid'
try 'tools as a map' 'tools: {read: true}' 'starts'
try 'temperature as a text' 'temperature: "0.5"' 'ends: Configuration is invalid'
try 'skills as a number' 'skills: 7' 'starts'
try 'YAML that is not valid' 'mode: "subagent' 'starts'
exit "$changed"
