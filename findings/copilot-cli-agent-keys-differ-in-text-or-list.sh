#!/usr/bin/env bash
# Finding: in an agent of GitHub Copilot CLI, `tools: read, edit` is a list in one text, but `skills: one` refuses the whole agent, with a line
# in the log only. Claude Code accepts a text under both keys.
# Guess before running: both keys accept a text, or both refuse it.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${model:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund @github/copilot@1.0.102
echo "node $(node --version), @github/copilot $(node -p "JSON.parse(fs.readFileSync('node_modules/@github/copilot/package.json')).version")"
mkdir -p work/.github/agents home
(cd work && git init -q)
agent() { printf -- '---\ndescription: Sorts stamps.\n%s\n---\n\nSort them.\n' "$2" > "work/.github/agents/$1.agent.md"; }
agent tools-text 'tools: read, edit'
agent tools-list 'tools: [read, edit]'
agent skills-text 'skills: one'
agent skills-list 'skills: [one]'
# A model on this machine, which answers each request with one word.
cat > model.mjs <<'JS'
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'any' };
const choices = [
  [{ index: 0, delta: { role: 'assistant', content: 'Done.' }, finish_reason: null }],
  [{ index: 0, delta: {}, finish_reason: 'stop' }],
];
createServer(async (request, reply) => {
  for await (const _ of request);
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
seen=$(grep -ho 'agents/[a-z-]*\.agent\.md: .*' logs/* | grep -i malformed | sort)
echo "refused: $seen"
[ "$(wc -l <<< "$seen")" = 1 ] && grep -q '^agents/skills-text.agent.md: .*skills: Expected array, received string' <<< "$seen"
