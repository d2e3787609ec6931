#!/usr/bin/env bash
# Finding: Continue CLI takes the first pair of `---` lines anywhere in a SKILL.md for its frontmatter. A file without frontmatter whose
# body shows an example of one in a code block becomes a skill with the name and the description of the example.
# Guess before running: the file is not a skill, because it does not begin with `---`.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${model:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @continuedev/cli@1.5.47
echo "node $(node --version), @continuedev/cli $(node -p "JSON.parse(fs.readFileSync('node_modules/@continuedev/cli/package.json')).version")"
mkdir -p home/.continue work/.continue/skills/guide
cat > work/.continue/skills/guide/SKILL.md <<'SKILL'
# How we write skills

Begin the file like this:

```yaml
---
name: example
description: Says when to use the skill.
---
```
SKILL
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
cat > home/.continue/config.yaml <<YAML
name: local
version: 1.0.0
schema: v1
models:
  - {name: any, provider: openai, model: any, apiKey: none, apiBase: "http://127.0.0.1:$(cat port)/v1", roles: [chat], capabilities: [tool_use]}
YAML
(cd work && git init -q && HOME="$folder/home" CONTINUE_TELEMETRY_ENABLED=0 CONTINUE_METRICS_ENABLED=0 CONTINUE_ALLOW_ANONYMOUS_TELEMETRY=0 \
  "$folder/node_modules/.bin/cn" --config "$folder/home/.continue/config.yaml" -p hello </dev/null >/dev/null 2>&1)
node -e "
const { tools } = fs.readFileSync('requests', 'utf8').trim().split('\n').map(JSON.parse).find(({ tools }) => tools?.length);
const list = tools.find((tool) => tool.function.name === 'Skills').function.description;
console.log(/name: .*\ndescription: .*/.exec(list)?.[0] ?? 'no skill');
" | tee seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
name: example
description: Says when to use the skill.
SEEN
