#!/usr/bin/env bash
# Finding: an answer by interrupt ID that is sent twice also answers the next interrupt of the same node.
# Guess before running: the second answer is ignored or refused, because its ID no longer waits.
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
const { __interrupt__: [{ id }] } = await graph.invoke({}, config);
const answer = () => graph.invoke(new Command({ resume: { [id]: 'yes' } }), config);
console.log('sent once:', shown(await answer()));
console.log('sent twice:', shown(await answer()));
JS
node run.mjs | tee seen
diff - seen <<'SEEN' || { echo 'The behaviour has changed.'; exit 1; }
sent once: asks Second?
sent twice: ends with ["yes","yes"]
SEEN
