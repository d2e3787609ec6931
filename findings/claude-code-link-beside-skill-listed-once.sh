#!/usr/bin/env bash
# Finding: Claude Code lists a skill once if a link beside its folder leads to it, under the path that comes first in the order of the
# names. A link `a-link` hides the folder `z-real`: the list has `a-link (z-real)`. A link `z-link` to `a-real` is not listed at all.
# Guess before running: both folders are skills, as two copies of a skill are.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${model:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund --ignore-scripts @anthropic-ai/claude-code@2.1.332
echo "node $(node --version), @anthropic-ai/claude-code $(node -p "JSON.parse(fs.readFileSync('node_modules/@anthropic-ai/claude-code/package.json')).version")"
mkdir -p home
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
for pair in 'z-real a-link' 'a-real z-link'; do
  read -r real link <<< "$pair"
  rm -rf work && mkdir -p "work/.claude/skills/$real"
  printf -- '---\nname: %s\ndescription: Sorts stamps.\n---\n\nSort them.\n' "$real" > "work/.claude/skills/$real/SKILL.md"
  ln -s "$real" "work/.claude/skills/$link"
  (cd work && HOME="$folder/home" ANTHROPIC_API_KEY=none ANTHROPIC_BASE_URL="http://127.0.0.1:$(cat ../port)" \
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1 "$program" -p 'Hello' </dev/null >/dev/null 2>&1)
  node -e "
  const found = fs.readFileSync('requests', 'utf8').match(/- [az]-(?:link|real)(?: \\([^)]*\\))?: Sorts stamps\\./g);
  console.log('$real and $link: ' + ([...new Set(found)].join(', ') || 'no skill'));"
  : > requests
done | tee seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
z-real and a-link: - a-link (z-real): Sorts stamps.
a-real and z-link: - a-real: Sorts stamps.
SEEN
