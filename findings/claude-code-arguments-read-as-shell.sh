#!/usr/bin/env bash
# Finding: Claude Code splits the arguments of a skill as a shell splits a command. `#` begins a comment, `;`, `&&` and a line break end
# the list, `size=3` at the start counts as a variable, and two apostrophes quote what is between them. Those words are in no numbered
# argument. `$ARGUMENTS` has all of them.
# Guess before running: arguments are divided at white space, and quotes keep words together.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${model:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @anthropic-ai/claude-code@2.1.332
echo "node $(node --version), @anthropic-ai/claude-code $(node -p "JSON.parse(fs.readFileSync('node_modules/@anthropic-ai/claude-code/package.json')).version")"
mkdir -p home work/.claude/skills/sorter
cat > work/.claude/skills/sorter/SKILL.md <<'SKILL'
---
name: sorter
description: Sorts stamps.
---

all [$ARGUMENTS] 0 [$0] 1 [$1] 2 [$2]
SKILL
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
for arguments in 'dark red' 'fix #42 now' 'red; dark blue' 'size=3 red' "don't sort red, it's blue"; do
  (cd work && HOME="$folder/home" ANTHROPIC_API_KEY=none ANTHROPIC_BASE_URL="http://127.0.0.1:$(cat ../port)" \
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1 "$program" -p "/sorter $arguments" </dev/null >/dev/null 2>&1)
  node -e "console.log(/all \[.*?2 \[[^\]]*\]/.exec(fs.readFileSync('requests', 'utf8'))?.[0] ?? 'no request has the body')"
  : > requests
done | tee seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
all [dark red] 0 [dark] 1 [red] 2 [$2]
all [fix #42 now] 0 [fix] 1 [$1] 2 [$2]
all [red; dark blue] 0 [red] 1 [$1] 2 [$2]
all [size=3 red] 0 [red] 1 [$1] 2 [$2]
all [don't sort red, it's blue] 0 [dont sort red, its] 1 [blue] 2 [$2]
SEEN
