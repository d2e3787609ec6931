#!/usr/bin/env bash
# Finding: an agent of Claude Code with `tools:` and no value starts without any tool, although the list of agents that the model reads says
# "All tools". The same holds for `tools: []` and `tools: ""`. An empty `disallowedTools` takes nothing away.
# Guess before running: a key without a value is like a key that is absent, so that the agent has all tools, as the list says.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${model:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @anthropic-ai/claude-code@2.1.332
echo "node $(node --version), @anthropic-ai/claude-code $(node -p "JSON.parse(fs.readFileSync('node_modules/@anthropic-ai/claude-code/package.json')).version")"
mkdir -p work/.claude/agents home
(cd work && git init -q)
# A model on this machine, which starts the agent of the prompt, and writes what it was told about it: the list, and the tools of the agent.
cat > model.mjs <<'JS'
import { appendFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
let isStarted = false;
createServer(async (request, reply) => {
  let text = '';
  for await (const part of request) text += part;
  const body = text.startsWith('{') ? JSON.parse(text) : {};
  if (/- sorter: [^\\]*All tools/.test(text)) appendFileSync('seen', 'listed with all tools\n');
  if (JSON.stringify(body.system ?? '').includes('Sort the stamps.')) appendFileSync('seen', `tools of the agent: ${(body.tools ?? []).length}\n`);
  const isCall = !isStarted && (body.tools ?? []).some(({ name }) => name === 'Agent');
  isStarted ||= isCall;
  const input = { description: 'Sort', prompt: 'Sort.', subagent_type: 'sorter', run_in_background: false };
  const block = isCall ? { type: 'tool_use', id: 'toolu_1', name: 'Agent', input: {} } : { type: 'text', text: '' };
  const delta = isCall ? { type: 'input_json_delta', partial_json: JSON.stringify(input) } : { type: 'text_delta', text: 'Done.' };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: 'm', type: 'message', role: 'assistant', model: body.model, content: [], stop_reason: null, stop_sequence: null, usage };
  reply.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (type, more) => reply.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
  send('message_start', { message });
  send('content_block_start', { index: 0, content_block: block });
  send('content_block_delta', { index: 0, delta });
  send('content_block_stop', { index: 0 });
  send('message_delta', { delta: { stop_reason: isCall ? 'tool_use' : 'end_turn', stop_sequence: null }, usage });
  send('message_stop', {});
  reply.end();
}).listen(0, '127.0.0.1', function () {
  writeFileSync('port', String(this.address().port));
});
JS
program=$(ls "$folder"/node_modules/@anthropic-ai/claude-code-*/claude | head -1)
changed=0
try() { # KEY, EXPECTED PATTERN OF THE NUMBER OF TOOLS
  printf -- '---\nname: sorter\ndescription: Sorts stamps.\n%s\n---\n\nSort the stamps.\n' "$1" > work/.claude/agents/sorter.md
  rm -f seen port
  node model.mjs & model=$!
  until [ -s port ]; do sleep 0.1; done
  (cd work && env -i PATH="$PATH" HOME="$folder/home" ANTHROPIC_BASE_URL="http://127.0.0.1:$(cat ../port)" ANTHROPIC_API_KEY=none \
    DISABLE_TELEMETRY=1 DISABLE_AUTOUPDATER=1 DISABLE_ERROR_REPORTING=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 \
    timeout 120 "$program" -p hello --allowedTools Agent < /dev/null > ../output 2>&1) || true
  kill "$model"; wait "$model" 2>/dev/null || true
  result=$(sort -u seen | paste -sd ';')
  echo "${1:-no key}: $result"
  [[ "$result" =~ ^listed\ with\ all\ tools\;tools\ of\ the\ agent:\ $2$ ]] || changed=1
}
try '' '[1-9][0-9]*'
try 'tools:' '0'
try 'tools: []' '0'
try 'tools: ""' '0'
try 'disallowedTools:' '[1-9][0-9]*'
exit "$changed"
