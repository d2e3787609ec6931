#!/usr/bin/env bash
# Finding: Codex hides a skill with `policy.allow_implicit_invocation: false` in `agents/openai.yaml` only if it can read the whole file. One list
# as `interface.short_description`, `products: [Codex]` instead of `[codex]`, or a key of `policy` twice offers the skill to the model again, without
# a message. A number as `short_description`, and an unknown key twice, do no harm.
# Guess before running: the key with the wrong value is ignored, and the policy is kept.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${model:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund @openai/codex@0.171.0
echo "node $(node --version), @openai/codex $(node -p "JSON.parse(fs.readFileSync('node_modules/@openai/codex/package.json')).version")"
mkdir -p work home/.codex
(cd work && git init -q)
skill() { # NAME, MORE LINES OF THE FILE
  mkdir -p "work/.agents/skills/$1/agents"
  printf -- '---\nname: %s\ndescription: Sorts stamps.\n---\n\nSort them.\n' "$1" > "work/.agents/skills/$1/SKILL.md"
  printf "policy:\n  allow_implicit_invocation: false\n$2" > "work/.agents/skills/$1/agents/openai.yaml"
}
skill plain ''
skill number 'interface:\n  short_description: 7\n'
skill unknown-twice 'x: 1\nx: 2\n'
skill list 'interface:\n  short_description: [x]\n'
skill letter-case '  products: [Codex]\n'
skill twice '  allow_implicit_invocation: false\n'
# A model on this machine, which records the requests and answers with one word.
cat > model.mjs <<'JS'
import { appendFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
createServer(async (request, reply) => {
  let body = '';
  for await (const part of request) body += part;
  appendFileSync('requests', `${body}\n`);
  reply.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (type, more) => reply.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
  const item = { type: 'message', id: 'm', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Done.', annotations: [] }] };
  const response = { id: 'r', object: 'response', created_at: 1, model: 'any', status: 'completed', output: [item], usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } };
  send('response.created', { response: { ...response, status: 'in_progress', output: [] } });
  send('response.output_item.done', { output_index: 0, item });
  send('response.completed', { response });
  reply.end();
}).listen(0, '127.0.0.1', function () {
  writeFileSync('port', String(this.address().port));
});
JS
node model.mjs & model=$!
until [ -s port ]; do sleep 0.1; done
cat > home/.codex/config.toml <<TOML
model = "any"
model_provider = "own"
check_for_update_on_startup = false
[model_providers.own]
name = "own"
base_url = "http://127.0.0.1:$(cat port)/v1"
env_key = "OWN_KEY"
wire_api = "responses"
[analytics]
enabled = false
TOML
(cd work && env -i PATH="$PATH" HOME="$folder/home" CODEX_HOME="$folder/home/.codex" OWN_KEY=none timeout 120 \
  node ../node_modules/@openai/codex/bin/codex.js exec --skip-git-repo-check hello < /dev/null > ../output 2>&1) || true
listed=''
for one in plain number unknown-twice list letter-case twice; do
  if grep -q -- "- $one: Sorts stamps" requests; then listed="$listed $one"; fi
done
echo "in the list of the model:$listed"
[ "$listed" = ' list letter-case twice' ]
