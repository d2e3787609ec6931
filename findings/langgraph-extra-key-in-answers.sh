#!/usr/bin/env bash
# Finding: one key that is not an interrupt ID makes a map of answers by ID the answer to every interrupt.
# Guess before running: the known IDs get their values, and the other key is ignored or refused.
# Exits 0 if the behaviour is as described, 1 if it has changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private": true, "type": "module"}' > package.json
npm install --silent --no-audit --no-fund @langchain/langgraph@1.7.3 @langchain/core@1.4.0
echo "node $(node --version), @langchain/langgraph $(node -p "require('./node_modules/@langchain/langgraph/package.json').version")"
cat > run.mjs <<'JS'
import { Annotation, Command, interrupt, MemorySaver, StateGraph } from '@langchain/langgraph';
const State = Annotation.Root({ answers: Annotation({ reducer: (old, more) => ({ ...old, ...more }), default: () => ({}) }) });
const graph = new StateGraph(State)
  .addNode('left', () => ({ answers: { left: interrupt('Left?') } }))
  .addNode('right', () => ({ answers: { right: interrupt('Right?') } }))
  .addEdge('__start__', 'left')
  .addEdge('__start__', 'right')
  .addEdge('left', '__end__')
  .addEdge('right', '__end__')
  .compile({ checkpointer: new MemorySaver() });
const config = { configurable: { thread_id: '1' } };
const { __interrupt__: asked } = await graph.invoke({}, config);
const [left] = asked.filter(({ value }) => value === 'Left?');
const { answers } = await graph.invoke(new Command({ resume: { [left.id]: 'yes', note: 'none' } }), config);
for (const [name, value] of Object.entries(answers)) console.log(`${name}: ${JSON.stringify(value).replaceAll(left.id, 'ID')}`);
JS
node run.mjs | tee seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
left: {"ID":"yes","note":"none"}
right: {"ID":"yes","note":"none"}
SEEN
