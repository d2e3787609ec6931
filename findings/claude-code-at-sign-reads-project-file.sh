#!/usr/bin/env bash
# Finding: in the body of a skill, Claude Code reads `@NAME` as a mention of a file and sends that file of the working folder, not the
# file beside the SKILL.md that has the same name. It does so in a code block, too: `npm install @types/node` sends the project's
# `types/node`.
# Guess before running: the path belongs to the folder of the skill, as links do, and code is left alone.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${model:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @anthropic-ai/claude-code@2.1.332
echo "node $(node --version), @anthropic-ai/claude-code $(node -p "JSON.parse(fs.readFileSync('node_modules/@anthropic-ai/claude-code/package.json')).version")"
mkdir -p home work/types work/.claude/skills/sorter work/.claude/skills/types
echo 'the project has these notes' > work/notes.md
echo 'the project has this node' > work/types/node
echo 'the skill has these notes' > work/.claude/skills/sorter/notes.md
printf -- '---\nname: sorter\ndescription: Sorts stamps.\n---\n\nThe order is in @notes.md.\n' > work/.claude/skills/sorter/SKILL.md
printf -- '---\nname: types\ndescription: Adds types.\n---\n\n```sh\nnpm install @types/node\n```\n' > work/.claude/skills/types/SKILL.md
# A model on this machine, which records the requests and answers with one word.
cat > model.mjs <<'JS'
import { appendFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
const usage = { input_tokens: 1, output_tokens: 1 };
const message = { id: 'm', type: 'message', role: 'assistant', model: 'any', content: [], stop_reason: null, usage };
const events = [
  { type: 'message_start', message },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Done.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
  { type: 'message_stop' },
];
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
program="$folder/node_modules/@anthropic-ai/claude-code-$(node -p 'process.platform + "-" + process.arch')/claude"
for skill in sorter types; do
  (cd work && HOME="$folder/home" ANTHROPIC_API_KEY=none ANTHROPIC_BASE_URL="http://127.0.0.1:$(cat ../port)" \
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1 "$program" -p "/$skill" </dev/null >/dev/null 2>&1)
  node -e "
  const found = fs.readFileSync('requests', 'utf8').match(/the (?:project|skill) has th\w+ \w+/g);
  console.log('/$skill: ' + ([...new Set(found)].join(', ') || 'no file'));"
  : > requests
done | tee seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
/sorter: the project has these notes
/types: the project has this node
SEEN
