#!/usr/bin/env bash
# Finding: Claude Code takes a tool with `oneOf` at the root of its input schema, but replaces the alternatives with one map of all their
# properties, none of which is required, and allows any other property. The model does not see which inputs belong together. Reports say that
# the tool is dropped.
# Guess before running: the tool is dropped, as in the reports, or the schema is sent unchanged.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${model:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @anthropic-ai/claude-code@2.1.332
echo "node $(node --version), @anthropic-ai/claude-code $(node -p "JSON.parse(fs.readFileSync('node_modules/@anthropic-ai/claude-code/package.json')).version")"
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
program="$folder/node_modules/@anthropic-ai/claude-code-$(node -p 'process.platform + "-" + process.arch')/claude"
run() {
  echo "{\"mcpServers\": {\"shop\": {\"command\": \"node\", \"args\": [\"$folder/server.mjs\", \"$folder/tools.json\"]}}}" > servers.json
  (cd work && HOME="$folder/home" ANTHROPIC_API_KEY=none ANTHROPIC_BASE_URL="$url" ENABLE_TOOL_SEARCH=false DISABLE_AUTOUPDATER=1 \
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 timeout 60 "$program" -p 'Hello' --mcp-config "$folder/servers.json" --strict-mcp-config \
    </dev/null >/dev/null 2>&1) || true
}
: > seen
cat > tools.json <<'JSON'
[{"name": "save", "description": "Shop: saves.", "inputSchema": {"type": "object", "oneOf": [{"properties": {"title": {"type": "string"}}, "required": ["title"]}, {"properties": {"id": {"type": "integer"}}, "required": ["id"]}]}}]
JSON
rm -f requests
run
node offered.mjs 'oneOf' schema | tee -a seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
oneOf: mcp__shop__save {"type":"object","properties":{"title":{"type":"string"},"id":{"type":"integer"}},"required":[],"additionalProperties":true}
SEEN
