#!/usr/bin/env bash
# Finding: in a plugin of Claude Code, `skills` in `plugin.json` adds folders to the folder `skills`, but `agents` replaces the folder `agents`:
# its other agents are not loaded, without a message. `claude plugin validate` accepts the plugin.
# Guess before running: both keys add to the folder of their name.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${model:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @anthropic-ai/claude-code@2.1.332
echo "node $(node --version), @anthropic-ai/claude-code $(node -p "JSON.parse(fs.readFileSync('node_modules/@anthropic-ai/claude-code/package.json')).version")"
mkdir -p work home plugin/{.claude-plugin,agents,team,skills/own,more/other}
(cd work && git init -q)
echo '{"name": "stamps", "description": "Sorts stamps.", "version": "1.0.0", "author": {"name": "Ada"}, "agents": ["./team/listed.md"], "skills": ["./more"]}' \
  > plugin/.claude-plugin/plugin.json
part() { printf -- '---\nname: %s\ndescription: Sorts stamps.\n---\n\nSort the stamps.\n' "$2" > "plugin/$1"; }
part agents/unlisted.md unlisted
part team/listed.md listed
part skills/own/SKILL.md own
part more/other/SKILL.md other
cat > model.mjs <<'JS'
import { appendFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
createServer(async (request, reply) => {
  let text = '';
  for await (const part of request) text += part;
  for (const [, name] of text.matchAll(/- (stamps:[\w-]+): /g)) appendFileSync('names', `${name}\n`);
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'any', content: [], stop_reason: null, stop_sequence: null, usage };
  reply.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (type, more) => reply.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
  send('message_start', { message });
  send('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
  send('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Done.' } });
  send('content_block_stop', { index: 0 });
  send('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage });
  send('message_stop', {});
  reply.end();
}).listen(0, '127.0.0.1', function () {
  writeFileSync('port', String(this.address().port));
});
JS
program=$(ls "$folder"/node_modules/@anthropic-ai/claude-code-*/claude | head -1)
node model.mjs & model=$!
until [ -s port ]; do sleep 0.1; done
claude() {
  (cd work && env -i PATH="$PATH" HOME="$folder/home" ANTHROPIC_BASE_URL="http://127.0.0.1:$(cat ../port)" ANTHROPIC_API_KEY=none \
    DISABLE_TELEMETRY=1 DISABLE_AUTOUPDATER=1 DISABLE_ERROR_REPORTING=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 \
    timeout 120 "$program" "$@" < /dev/null)
}
claude plugin validate ../plugin > valid 2>&1 && echo 'claude plugin validate: accepted' || { cat valid; exit 1; }
claude -p hello --plugin-dir ../plugin > output 2>&1 || true
seen=$(sort -u names | paste -sd ' ')
echo "listed: $seen"
[ "$seen" = 'stamps:listed stamps:other stamps:own' ] && ! grep -q unlisted output
