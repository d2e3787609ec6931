#!/usr/bin/env bash
# Finding: Gemini CLI offers no tool of a server of the Model Context Protocol if one tool has an `outputSchema` that is a list, which
# revision 2026-07-28 of the protocol allows. The other tools of the server are lost, too.
# Guess before running: the client ignores the output schema, or leaves out this tool.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${model:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @google/gemini-cli@0.61.0
echo "node $(node --version), @google/gemini-cli $(node -p "JSON.parse(fs.readFileSync('node_modules/@google/gemini-cli/package.json')).version")"
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
run() {
  mkdir -p home/.gemini
  cat > home/.gemini/settings.json <<JSON
{"security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": false}}, "general": {"enableAutoUpdate": false},
 "telemetry": {"enabled": false}, "privacy": {"usageStatisticsEnabled": false},
 "mcpServers": {"shop": {"command": "node", "args": ["$folder/server.mjs", "$folder/tools.json"]}}}
JSON
  (cd work && HOME="$folder/home" GEMINI_API_KEY=none GOOGLE_GEMINI_BASE_URL="$url" timeout 90 "$folder/node_modules/.bin/gemini" \
    -m gemini-2.5-pro -y -p 'Hello' </dev/null >/dev/null 2>&1) || true
}
: > seen
cat > tools.json <<'JSON'
[
  {"name": "plain", "description": "Shop: plain.", "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}}},
  {"name": "list", "description": "Shop: lists.", "inputSchema": {"type": "object", "properties": {}}, "outputSchema": {"type": "object", "properties": {}}}
]
JSON
rm -f requests
run
node offered.mjs 'a map as output' name | tee -a seen
cat > tools.json <<'JSON'
[
  {"name": "plain", "description": "Shop: plain.", "inputSchema": {"type": "object", "properties": {"a": {"type": "string"}}}},
  {"name": "list", "description": "Shop: lists.", "inputSchema": {"type": "object", "properties": {}}, "outputSchema": {"type": "array", "items": {"type": "string"}}}
]
JSON
rm -f requests
run
node offered.mjs 'a list as output' name | tee -a seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
a map as output: mcp_shop_list, mcp_shop_plain
a list as output: no tool
SEEN
