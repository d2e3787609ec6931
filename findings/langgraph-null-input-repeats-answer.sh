#!/usr/bin/env bash
# Finding: after an answer without an ID, the input null answers the next interrupt of the same node with the same value.
# Guess before running: the input null runs the node again, and it asks the second question again.
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
const State = Annotation.Root({ answers: Annotation() });
const graph = new StateGraph(State)
  .addNode('ask', () => ({ answers: [interrupt('First?'), interrupt('Second?')] }))
  .addEdge('__start__', 'ask')
  .addEdge('ask', '__end__')
  .compile({ checkpointer: new MemorySaver() });
const config = { configurable: { thread_id: '1' } };
const shown = ({ __interrupt__: asked, answers }) => (asked ? `asks ${asked.map(({ value }) => value)}` : `ends with ${JSON.stringify(answers)}`);
await graph.invoke({}, config);
console.log('answer:', shown(await graph.invoke(new Command({ resume: 'yes' }), config)));
console.log('input null:', shown(await graph.invoke(null, config)));
JS
node run.mjs | tee seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
answer: asks Second?
input null: ends with ["yes","yes"]
SEEN
