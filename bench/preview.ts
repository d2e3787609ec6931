/**
 * What the preview's page costs, in Chromium: from a message to its style and layout done, without the painting.
 *
 *     node test/run.mjs build
 *     npx esbuild bench/preview.ts --bundle --platform=node --target=node20 --main-fields=module,main --external:playwright-core --loader:.wasm=binary --outfile=out/bench-preview.cjs
 *     node out/bench-preview.cjs
 */
import { longParameter, manyNodes, manySegments, withTexts } from '../test/webview/large.ts';
import { closeBrowser, openPreview } from '../test/webview/page.ts';
import type { Show } from '../test/webview/reply.ts';

const ROUNDS = 9;

/** Shows `first`, then times each of the others. */
async function measure(name: string, tab: 'prompt' | 'graph' | 'form', first: Show, next: (round: number) => Show) {
  const preview = await openPreview();
  await preview.send(first);
  await preview.send({ type: 'focus', what: tab });
  const times: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const time = await preview.page.evaluate(
      (text) => {
        const data: unknown = JSON.parse(text);
        const began = performance.now();
        window.dispatchEvent(new MessageEvent('message', { data }));
        // What is left to the browser counts as well.
        document.body.getBoundingClientRect();
        return performance.now() - began;
      },
      JSON.stringify(next(round)),
    );
    times.push(time);
  }
  times.sort((a, b) => a - b);
  const [best, median, worst] = [times[0], times[ROUNDS >> 1], times.at(-1)].map((time) => time?.toFixed(1));
  console.log(`${name}: median ${median} ms, from ${best} to ${worst} ms`);
}

const lines = (round: number): string[] =>
  Array.from({ length: 10_000 }, (_, at) => `Line ${at} of the long prompt${at === 40 ? `, changed ${round}` : ''}.\n`);
const another = (show: Show, round: number): Show => ({ ...show, serial: round });

async function main(): Promise<void> {
  await measure('one segment of 5,000 in 100 KB', 'prompt', manySegments(0), manySegments);
  await measure('one line of 10,000', 'prompt', withTexts(lines(0)), (round) => withTexts(lines(round)));
  await measure('300 nodes, laid out anew', 'graph', manyNodes(299), (round) => manyNodes(300 + (round % 2)));
  await measure('300 nodes, as they were', 'graph', manyNodes(300), (round) => another(manyNodes(300), round));
  await measure('a parameter of 1 MB in the form', 'form', longParameter(), (round) => another(longParameter(), round));
  await closeBrowser();
}

void main();
