#!/usr/bin/env bash
# Finding: OpenCode offers no tool of a server if one tool has an input whose schema is `true`, which means any value in JSON Schema.
# Guess before running: the input is offered as one of any type.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${model:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts opencode-ai@1.18.33
echo "node $(node --version), opencode-ai $(node -p "JSON.parse(fs.readFileSync('node_modules/opencode-ai/package.json')).version")"
# A model on this machine, which records the tools of each request and refuses it.
cat > model.mjs <<'JS'
import { appendFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
createServer(async (request, reply) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  if (body.includes('"tools"')) appendFileSync('requests', `${body}\n`);
  reply.writeHead(400, { 'content-type': 'application/json' });
  reply.end(JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: 'Recorded.', code: 400 } }));
}).listen(0, '127.0.0.1', function () {
  writeFileSync('port', String(this.address().port));
});
JS
# A server of the Model Context Protocol whose tools are in a file.
cat > server.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const tools = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'initialize') {
    const serverInfo = { name: 'shop', version: '1.0.0' };
    send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
  } else if (method === 'tools/list') send({ id, result: { tools } });
  else if (method === 'ping') send({ id, result: {} });
  else send({ id, error: { code: -32601, message: 'Method not found' } });
});
JS
# Prints the tools of the server that the client offered to the model: the ones whose description begins with "Shop".
cat > offered.mjs <<'JS'
import { existsSync, readFileSync } from 'node:fs';
const [, , title, key = 'name'] = process.argv;
const found = new Map();
const visit = (json) => {
  if (typeof json !== 'object' || json === null) return;
  const schema = json.input_schema ?? json.parameters ?? json.parametersJsonSchema;
  if (typeof json.name === 'string' && String(json.description).includes('Shop') && schema) found.set(json.name, schema);
  for (const value of Object.values(json)) visit(value);
};
const lines = existsSync('requests') ? readFileSync('requests', 'utf8').trim().split('\n') : [];
for (const line of lines.filter((one) => one !== '')) visit(JSON.parse(line));
const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
const parts = { name: () => '', inputs: ({ properties }) => ` (${Object.keys(properties)})`, schema: (schema) => ` ${JSON.stringify(schema)}` };
const shown = sorted.map(([name, schema]) => `${name}${parts[key](schema)}`);
console.log(`${title}: ${lines.length === 0 ? 'no request' : shown.join(', ') || 'no tool'}`);
JS
node model.mjs & model=$!
until [ -s port ]; do sleep 0.1; done
url="http://127.0.0.1:$(cat port)"
mkdir -p home work
program="$folder/node_modules/opencode-$(node -p 'process.platform + "-" + process.arch')/bin/opencode"
run() {
  mkdir -p home/.config/opencode
  cat > home/.config/opencode/opencode.json <<JSON
{"autoupdate": false, "share": "disabled", "model": "own/any", "small_model": "own/any", "enabled_providers": ["own"], "permission": "allow",
 "provider": {"own": {"npm": "@ai-sdk/openai-compatible", "name": "own", "options": {"baseURL": "$url/v1", "apiKey": "none"},
  "models": {"any": {"name": "any", "limit": {"context": 200000, "output": 8000}}}}},
 "mcp": {"shop": {"type": "local", "command": ["node", "$folder/server.mjs", "$folder/tools.json"], "enabled": true}}}
JSON
  (cd work && env -i PATH="$PATH" HOME="$folder/home" OPENCODE_DISABLE_AUTOUPDATE=1 OPENCODE_DISABLE_MODELS_FETCH=1 \
    OPENCODE_DISABLE_LSP_DOWNLOAD=1 OPENCODE_DISABLE_DEFAULT_PLUGINS=1 timeout 90 "$program" run 'Hello' </dev/null >/dev/null 2>&1) || true
}
: > seen
cat > tools.json <<'JSON'
[
  {"name": "plain", "description": "Shop: plain.", "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}}},
  {"name": "save", "description": "Shop: saves.", "inputSchema": {"type": "object", "properties": {"value": {}}}}
]
JSON
rm -f requests
run
node offered.mjs 'an empty schema' name | tee -a seen
cat > tools.json <<'JSON'
[
  {"name": "plain", "description": "Shop: plain.", "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}}},
  {"name": "save", "description": "Shop: saves.", "inputSchema": {"type": "object", "properties": {"value": true}}}
]
JSON
rm -f requests
run
node offered.mjs 'true' name | tee -a seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
an empty schema: shop_plain, shop_save
true: no tool
SEEN
