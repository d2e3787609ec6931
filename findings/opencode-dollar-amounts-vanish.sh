#!/usr/bin/env bash
# Finding: called by its name, a skill loses every dollar sign with a number in OpenCode, also if it has no placeholder and the call has
# no arguments: `$5` becomes nothing, and `$0.50` becomes `undefined.50`. Called by the model, the same body is unchanged.
# Guess before running: `$5` stays, as there is no fifth argument, and `$0` is not a placeholder.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${model:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts opencode-ai@1.18.33
echo "node $(node --version), opencode-ai $(node -p "JSON.parse(fs.readFileSync('node_modules/opencode-ai/package.json')).version")"
mkdir -p work/.opencode/skills/sorter
cat > work/.opencode/skills/sorter/SKILL.md <<'SKILL'
---
name: sorter
description: Sorts stamps.
---

A stamp for $5 costs more than one for $0.50, and less than one for US$20!
SKILL
(cd work && git init -q)
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
mkdir -p home/.config/opencode
cat > home/.config/opencode/opencode.json <<JSON
{
  "autoupdate": false, "share": "disabled", "model": "local/any", "small_model": "local/any", "enabled_providers": ["local"],
  "provider": {"local": {"npm": "@ai-sdk/openai-compatible", "name": "local",
    "options": {"baseURL": "http://127.0.0.1:$(cat port)/v1", "apiKey": "none"},
    "models": {"any": {"name": "any", "limit": {"context": 200000, "output": 8000}}}}}
}
JSON
run() {
  (cd work && HOME="$folder/home" XDG_CONFIG_HOME="$folder/home/.config" XDG_DATA_HOME="$folder/home" XDG_STATE_HOME="$folder/home" \
    XDG_CACHE_HOME="$folder/home" HTTPS_PROXY=http://127.0.0.1:9 NO_PROXY=127.0.0.1 \
    OPENCODE_DISABLE_AUTOUPDATE=1 OPENCODE_DISABLE_MODELS_FETCH=1 OPENCODE_DISABLE_LSP_DOWNLOAD=1 \
    OPENCODE_DISABLE_DEFAULT_PLUGINS=1 "$folder/node_modules/opencode-$(node -p 'process.platform + "-" + process.arch')/bin/opencode" \
    run "$@" </dev/null >/dev/null 2>&1)
}
for arguments in '' 'red blue'; do
  # shellcheck disable=SC2086
  run --command sorter $arguments
  node -e "console.log('[$arguments] ' + (/A stamp for .*?!/.exec(fs.readFileSync('requests', 'utf8'))?.[0] ?? 'no request has the body'))"
  : > requests
done | tee seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
[] A stamp for  costs more than one for undefined.50, and less than one for US!
[red blue] A stamp for  costs more than one for undefined.50, and less than one for US!
SEEN
