#!/usr/bin/env bash
# Finding: if the model calls a skill with more than 28,000 characters, Qwen Code sends the first 2,000 of them and the path of a file; a
# skill with more than 1,000 lines loses lines in its middle. The list and the loaded skill give no sign of it.
# Guess before running: the body of a skill that is called arrives whole, as in Claude Code and Gemini CLI, and only outputs of commands are cut.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${model:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @qwen-code/qwen-code@0.24.4
echo "node $(node --version), qwen-code $(node -p "JSON.parse(fs.readFileSync('node_modules/@qwen-code/qwen-code/package.json')).version")"
write() { # NAME, the number of lines, and the length of each
  mkdir -p "work/.qwen/skills/$1"
  node -e "
const [name, count, length] = process.argv.slice(1);
const lines = Array.from({ length: Number(count) }, (_, at) => ('Step ' + (at + 1) + ' ').padEnd(Number(length), '.'));
fs.writeFileSync('work/.qwen/skills/' + name + '/SKILL.md', '---\nname: ' + name + '\ndescription: Sorts stamps.\n---\n\n' + lines.join('\n') + '\n');
" "$@"
}
write short 400 40
write large 900 40
write lines 1500 10
# A model on this machine, which calls the tool for skills once and then answers with one word.
cat > model.mjs <<'JS'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
createServer(async (request, reply) => {
  let body = '';
  for await (const part of request) body += part;
  const { messages = [], stream } = JSON.parse(body);
  const result = messages.find(({ role }) => role === 'tool');
  if (result) appendFileSync('results', `${JSON.stringify(result.content)}\n`);
  const call = { id: 'call_1', type: 'function', function: { name: 'skill', arguments: JSON.stringify({ skill: readFileSync('skill', 'utf8') }) } };
  const message = result ? { role: 'assistant', content: 'Done.' } : { role: 'assistant', content: null, tool_calls: [{ index: 0, ...call }] };
  const finish_reason = result ? 'stop' : 'tool_calls';
  const whole = { id: 'c', created: 1, model: 'any' };
  if (!stream) {
    reply.writeHead(200, { 'content-type': 'application/json' });
    reply.end(JSON.stringify({ ...whole, object: 'chat.completion', choices: [{ index: 0, message, finish_reason }] }));
    return;
  }
  reply.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const choice of [{ delta: message, finish_reason: null }, { delta: {}, finish_reason }]) {
    reply.write(`data: ${JSON.stringify({ ...whole, object: 'chat.completion.chunk', choices: [{ index: 0, ...choice }] })}\n\n`);
  }
  reply.end('data: [DONE]\n\n');
}).listen(0, '127.0.0.1', function () {
  writeFileSync('port', String(this.address().port));
});
JS
node model.mjs & model=$!
until [ -s port ]; do sleep 0.1; done
mkdir -p home/.qwen
echo '{"security": {"auth": {"selectedType": "openai"}}, "general": {"disableAutoUpdate": true, "enableAutoUpdate": false},
  "telemetry": {"enabled": false}, "privacy": {"usageStatisticsEnabled": false}}' > home/.qwen/settings.json
run() {
  printf %s "$1" > skill
  : > results
  (cd work && HOME="$folder/home" OPENAI_API_KEY=none OPENAI_BASE_URL="http://127.0.0.1:$(cat ../port)/v1" OPENAI_MODEL=any \
    HTTPS_PROXY=http://127.0.0.1:9 HTTP_PROXY=http://127.0.0.1:9 NO_PROXY=127.0.0.1 NODE_USE_ENV_PROXY=1 \
    "$folder/node_modules/.bin/qwen" -y -p 'sort my stamps' </dev/null >/dev/null 2>&1) || true
  node -e "
const text = JSON.stringify(fs.readFileSync('results', 'utf8').split('\n')[0]);
const steps = new Set([...text.matchAll(/Step (\d+) /g)].map(([, number]) => Number(number)));
const missing = Array.from({ length: Math.max(...steps) }, (_, at) => at + 1).filter((one) => !steps.has(one));
const form = text.includes('<persisted-output>') ? 'a preview' : text.includes('CONTENT TRUNCATED') ? 'the start and the end' : 'whole';
console.log(process.argv[1] + ': ' + form + ', ' + (steps.size < 60 ? 'fewer than 60 steps' : missing.length > 300 ? 'steps are missing in the middle' : steps.size + ' steps'));
" "$1"
}
{ run short; run large; run lines; } | tee seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
short: whole, 400 steps
large: a preview, fewer than 60 steps
lines: the start and the end, steps are missing in the middle
SEEN
