#!/usr/bin/env bash
# Finding: a `SKILL.md` directly in the skills folder hides every skill below it in Pi, even if it has no frontmatter and is not a skill
# itself. A `README.md` with the same text hides nothing. `pi -p` prints no message.
# Guess before running: a file without frontmatter is passed over, and the folders beside it are read.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${model:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund @earendil-works/pi-coding-agent@1.6.0 node@22.20.0
PATH="$folder/node_modules/.bin:$PATH"
echo "node $(node --version), @earendil-works/pi-coding-agent $(node -p "JSON.parse(fs.readFileSync('node_modules/@earendil-works/pi-coding-agent/package.json')).version")"
mkdir -p home/.pi/agent work
# A model on this machine, which records the requests and answers with one word.
cat > model.mjs <<'JS'
import { appendFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'any' };
const choices = [
  [{ index: 0, delta: { role: 'assistant', content: 'Done.' }, finish_reason: null }],
  [{ index: 0, delta: {}, finish_reason: 'stop' }],
];
createServer(async (request, reply) => {
  let body = '';
  for await (const part of request) body += part;
  appendFileSync('requests', `${body}\n`);
  reply.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const one of choices) reply.write(`data: ${JSON.stringify({ ...chunk, choices: one })}\n\n`);
  reply.end('data: [DONE]\n\n');
}).listen(0, '127.0.0.1', function () {
  writeFileSync('port', String(this.address().port));
});
JS
node model.mjs & model=$!
until [ -s port ]; do sleep 0.1; done
cat > home/.pi/agent/models.json <<JSON
{"providers": {"local": {"baseUrl": "http://127.0.0.1:$(cat port)/v1", "api": "openai-completions", "apiKey": "none",
  "models": [{"id": "any", "contextWindow": 200000}]}}}
JSON
skills=work/.pi/skills
for name in coins shells stamps; do
  mkdir -p "$skills/$name"
  printf -- '---\nname: %s\ndescription: Sorts %s.\n---\n\nSort them.\n' "$name" "$name" > "$skills/$name/SKILL.md"
done
(cd work && git init -q)
list() {
  (cd work && HOME="$folder/home" PI_OFFLINE=1 PI_TELEMETRY=0 pi --offline --approve --no-session --model local/any -p hello </dev/null >/dev/null 2>&1)
  node -e "console.log('$1: ' + ([...fs.readFileSync('requests', 'utf8').matchAll(/<name>(.*?)<.name>/g)].map((one) => one[1]).join(' ') || 'none'))"
  : > requests
}
{
  echo '# The skills of our team' > "$skills/README.md"
  list 'with README.md'
  mv "$skills/README.md" "$skills/SKILL.md"
  list 'with SKILL.md'
} | tee seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
with README.md: coins shells stamps
with SKILL.md: none
SEEN
