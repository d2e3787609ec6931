#!/usr/bin/env bash
# Finding: Codex renames the skills in .agents/skills of a repository that is a plugin for Claude Code: the name in .claude-plugin/plugin.json
# in the root becomes a prefix of each, although the plugin does not ship them and is not installed.
# Guess before running: only a manifest below .agents/skills is a prefix.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${model:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund @openai/codex@0.171.0
echo "node $(node --version), @openai/codex $(node -p "require('./node_modules/@openai/codex/package.json').version")"
mkdir -p home/.codex work/.agents/skills/sorter work/.claude-plugin
cat > work/.agents/skills/sorter/SKILL.md <<'SKILL'
---
name: sorter
description: Sorts stamps. Use it when someone mentions stamps.
---

Sort them by size.
SKILL
echo '{"name": "fruit", "version": "1.0.0", "description": "Skills about fruit."}' > work/.claude-plugin/plugin.json
# A model on this machine, which records the requests and answers with one word.
cat > model.mjs <<'JS'
import { appendFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
const item = { type: 'message', id: 'm', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Done.', annotations: [] }] };
const response = { id: 'r', object: 'response', created_at: 1, status: 'completed', model: 'any', output: [item], usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } };
const events = [{ type: 'response.created', response }, { type: 'response.output_item.done', output_index: 0, item }, { type: 'response.completed', response }];
createServer(async (request, reply) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  appendFileSync('requests', `${body}\n`);
  reply.writeHead(200, { 'content-type': 'text/event-stream' });
  reply.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
}).listen(0, '127.0.0.1', function () {
  writeFileSync('port', String(this.address().port));
});
JS
node model.mjs & model=$!
until [ -s port ]; do sleep 0.1; done
cat > home/.codex/config.toml <<TOML
model = "any"
model_provider = "local"
check_for_update_on_startup = false
[model_providers.local]
name = "local"
base_url = "http://127.0.0.1:$(cat port)/v1"
env_key = "LOCAL_KEY"
wire_api = "responses"
[analytics]
enabled = false
TOML
(cd work && git init -q && HOME="$folder/home" CODEX_HOME="$folder/home/.codex" LOCAL_KEY=none \
  node ../node_modules/@openai/codex/bin/codex.js exec --skip-git-repo-check hello </dev/null >/dev/null 2>&1)
node -e "
const text = require('node:fs').readFileSync('requests', 'utf8');
console.log(/- (?:fruit:)?sorter: [^\\\\]*/.exec(text)?.[0].replace(/r\\d\\//, 'ROOT/') ?? 'not in the list');
" | tee seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
- fruit:sorter: Sorts stamps. Use it when someone mentions stamps. (file: ROOT/sorter/SKILL.md)
SEEN
