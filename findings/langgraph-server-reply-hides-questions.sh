#!/usr/bin/env bash
# Finding: replies of LangGraph's server do not list the interrupts that wait. With three parallel interrupts, the reply of
# /runs/wait has one of them, and after each answer by ID none; GET /threads/ID lists an interrupt that has been answered
# (a, after the answer to b).
# Only the tasks without a result in GET /threads/ID/state are right.
# Guess before running: each reply has all interrupts that wait, and `interrupts` of the thread has only those.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill -- -"$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
cat > package.json <<'JSON'
{"private": true, "type": "module", "dependencies": {"@langchain/core": "1.4.0", "@langchain/langgraph": "1.7.3", "@langchain/langgraph-cli": "1.5.1", "@langchain/langgraph-api": "1.5.1", "typescript": "5.9.3"}}
JSON
npm install --silent --no-audit --no-fund
for name in langgraph langgraph-api; do
  echo "@langchain/$name $(node -p "JSON.parse(fs.readFileSync('node_modules/@langchain/$name/package.json')).version")"
done
echo '{"node_version": "22", "graphs": {"ask": "./graph.ts:graph"}}' > langgraph.json
cat > graph.ts <<'TS'
import { Annotation, interrupt, StateGraph } from '@langchain/langgraph';
const State = Annotation.Root({
  answers: Annotation<Record<string, unknown>>({ reducer: (old, more) => ({ ...old, ...more }), default: () => ({}) }),
});
const ask = (name: string) => () => ({ answers: { [name]: interrupt(name) } });
export const graph = new StateGraph(State)
  .addNode('a', ask('a'))
  .addNode('b', ask('b'))
  .addNode('c', ask('c'))
  .addEdge('__start__', 'a')
  .addEdge('__start__', 'b')
  .addEdge('__start__', 'c')
  .addEdge('a', '__end__')
  .addEdge('b', '__end__')
  .addEdge('c', '__end__')
  .compile();
TS
port=$(node -e "const s = require('net').createServer().listen(0, () => { console.log(s.address().port); s.close(); })")
LANGGRAPH_CLI_NO_ANALYTICS=1 LANGSMITH_TRACING=false setsid node node_modules/@langchain/langgraph-cli/dist/cli/cli.mjs dev \
  --no-browser --no-reload --port "$port" > server.log 2>&1 &
server=$!
for _ in $(seq 200); do curl -sf "http://localhost:$port/ok" > /dev/null && break; sleep 0.3; done
cat > run.mjs <<'JS'
const send = async (method, path, body) => {
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`http://localhost:${process.argv[2]}/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return reply.json();
};
const { thread_id: id } = await send('POST', 'threads', {});
const names = (interrupts) => (interrupts ?? []).map(({ value }) => value).sort().join(' ') || 'none';
const waiting = async () =>
  (await send('GET', `threads/${id}/state`)).tasks.filter(({ result }) => !result).flatMap(({ interrupts }) => interrupts);
const show = async (what, reply) => {
  const thread = await send('GET', `threads/${id}`);
  const listed = Object.values(thread.interrupts).flat();
  console.log(`${what}: reply ${names(reply.__interrupt__)}; thread ${names(listed)}; tasks without a result ${names(await waiting())}`);
};
const wait = (body) => send('POST', `threads/${id}/runs/wait`, { assistant_id: 'ask', ...body });
await show('start', await wait({ input: {} }));
for (const name of ['a', 'b']) {
  const { id: of } = (await waiting()).find(({ value }) => value === name);
  await show(`after the answer to ${name}`, await wait({ command: { resume: { [of]: 'yes' } } }));
}
JS
node run.mjs "$port" | tee seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
start: reply c; thread a b c; tasks without a result a b c
after the answer to a: reply none; thread b c; tasks without a result b c
after the answer to b: reply none; thread a c; tasks without a result c
SEEN
