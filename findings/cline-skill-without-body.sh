#!/usr/bin/env bash
# Finding: Cline does not list a skill that has a name and a description but no text below the frontmatter, and does not name it in its
# output. The same skill with one period as its text is listed.
# Guess before running: the skill is listed, because the list needs only the frontmatter.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
# Cline leaves a process running, its hub.
trap 'kill "${model:-}" $(pgrep -f -- "--cwd $folder/work") 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund cline@3.0.65
echo "node $(node --version), cline $(node -p "JSON.parse(fs.readFileSync('node_modules/cline/package.json')).version")"
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
mkdir home work
cline() { (cd work && HOME="$folder/home" CLINE_NO_AUTO_UPDATE=1 "$folder/node_modules/.bin/cline" "$@" </dev/null); }
cline auth -p openai -k none -m any -b "http://127.0.0.1:$(cat port)/v1" >/dev/null 2>&1
(cd work && git init -q)
skill() {
  mkdir -p "work/.cline/skills/$1"
  printf -- '---\nname: %s\ndescription: Sorts %s.\n---\n%s' "$1" "$1" "$2" > "work/.cline/skills/$1/SKILL.md"
}
list() {
  : > requests
  cline --json 'Say hello.' > output 2>&1
  node -e "
    const names = /Available skills: ([\w, ]+)/.exec(fs.readFileSync('requests', 'utf8'))?.[1] ?? 'none';
    console.log('$1: ' + names.split(', ').sort().join(' '));"
  echo "lines of the output about shells: $(grep -c shells output || true)"
}
{
  skill coins $'\nSort them.\n'
  skill shells ''
  list 'without text'
  skill shells $'\n.\n'
  list 'with a period'
} | tee seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
without text: coins
lines of the output about shells: 0
with a period: coins shells
lines of the output about shells: 0
SEEN
