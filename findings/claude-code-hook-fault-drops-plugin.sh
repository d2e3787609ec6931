#!/usr/bin/env bash
# Finding: Claude Code does not load a plugin, with all its skills, if one hook of `PreToolUse` lacks its `type`. The same fault in a
# hook of `Stop` loses only the hook. A `hooks.json` that is not JSON loses only the hooks, although `claude plugin validate` says "At
# runtime this breaks the entire plugin load".
# Guess before running: a hook without `type` is ignored, and the file that is not JSON loses the plugin.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @anthropic-ai/claude-code@2.1.332
echo "node $(node --version), @anthropic-ai/claude-code $(node -p "JSON.parse(fs.readFileSync('node_modules/@anthropic-ai/claude-code/package.json')).version")"
program="$folder/node_modules/@anthropic-ai/claude-code-$(node -p 'process.platform + "-" + process.arch')/claude"
mkdir -p home work boats/.claude-plugin boats/hooks boats/skills/moor
echo '{"name": "boats", "version": "1.0.0", "description": "Boats.", "author": {"name": "Ada"}}' > boats/.claude-plugin/plugin.json
printf -- '---\nname: moor\ndescription: Moors a boat.\n---\n\nMoor it.\n' > boats/skills/moor/SKILL.md
# Runs Claude Code without a network: nothing answers at the address of the model.
claude() {
  HOME="$folder/home" ANTHROPIC_API_KEY=none ANTHROPIC_BASE_URL=http://127.0.0.1:9 CLAUDE_CODE_MAX_RETRIES=0 \
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1 "$program" "$@" </dev/null 2>/dev/null || true
}
look() {
  printf '%s' "$2" > boats/hooks/hooks.json
  claude plugin validate "$folder/boats" --json > report
  (cd work && claude -p Hello --output-format stream-json --verbose --plugin-dir "$folder/boats") > events
  node -e "
  const parts = JSON.parse(fs.readFileSync('report', 'utf8')).contents;
  const said = parts.some((part) => part.errors?.length) ? 'error' : parts.some((part) => part.warnings?.length) ? 'warning' : 'nothing';
  const init = JSON.parse(fs.readFileSync('events', 'utf8').split('\n').find((line) => line.includes('\"subtype\":\"init\"')));
  console.log('$1: the validator says ' + said + '; the skill is ' + (init.skills.includes('boats:moor') ? 'there' : 'lost'));"
}
{
  look 'PreToolUse without type' '{"hooks": {"PreToolUse": [{"hooks": [{"command": "true"}]}]}}'
  look 'Stop without type' '{"hooks": {"Stop": [{"hooks": [{"command": "true"}]}]}}'
  look 'not JSON' '{"hooks": '
} | tee seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
PreToolUse without type: the validator says error; the skill is lost
Stop without type: the validator says warning; the skill is there
not JSON: the validator says error; the skill is there
SEEN
