#!/usr/bin/env bash
# Finding: GitHub Copilot CLI reads the commands in `.claude/commands`, but not one with `argument-hint: [file]`, the usual form of Claude Code:
# YAML reads it as a list, and the command disappears without a message. `"[file]"` in quotes is loaded, and so is a command without a description.
# Guess before running: the hint is ignored, as Claude Code does, because the model does not need it.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${model:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund @github/copilot@1.0.102
echo "node $(node --version), @github/copilot $(node -p "JSON.parse(fs.readFileSync('node_modules/@github/copilot/package.json')).version")"
mkdir -p work/.claude/commands home
(cd work && git init -q)
command() { printf -- '---\n%s\n---\n\nSort the stamps.\n' "$2" > "work/.claude/commands/$1.md"; }
command plain 'description: Sorts stamps.'
command hint-in-quotes $'description: Sorts stamps.\nargument-hint: "[file]"'
command hint-in-brackets $'description: Sorts stamps.\nargument-hint: [file]'
command without-description 'allowed-tools: Read'
# A model on this machine, which writes the names in the list of skills, and answers each request with one word.
cat > model.mjs <<'JS'
import { appendFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'any' };
const choices = [
  [{ index: 0, delta: { role: 'assistant', content: 'Done.' }, finish_reason: null }],
  [{ index: 0, delta: {}, finish_reason: 'stop' }],
];
createServer(async (request, reply) => {
  let text = '';
  for await (const part of request) text += part;
  for (const [, name] of text.matchAll(/<name>([\w-]+)<\/name>/g)) appendFileSync('names', `${name}\n`);
  reply.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const one of choices) reply.write(`data: ${JSON.stringify({ ...chunk, choices: one })}\n\n`);
  reply.end('data: [DONE]\n\n');
}).listen(0, '127.0.0.1', function () {
  writeFileSync('port', String(this.address().port));
});
JS
node model.mjs & model=$!
until [ -s port ]; do sleep 0.1; done
(cd work && env -i PATH="$PATH" HOME="$folder/home" COPILOT_OFFLINE=true COPILOT_AUTO_UPDATE=false COPILOT_MODEL=any \
  COPILOT_PROVIDER_BASE_URL="http://127.0.0.1:$(cat ../port)/v1" COPILOT_PROVIDER_TYPE=openai COPILOT_PROVIDER_API_KEY=none \
  timeout 120 ../node_modules/.bin/copilot -p hello --no-color --log-dir ../logs < /dev/null > ../output 2>&1) || true
seen=$(sort -u names | grep -E '^(plain|hint|without)' | paste -sd ' ')
echo "commands in the list: $seen"
echo "lines about the other one in the output: $(grep -c hint-in-brackets output || true)"
[ "$seen" = 'hint-in-quotes plain without-description' ] && ! grep -q hint-in-brackets output
