/** Replies of extreme size for tests of the page; the composer would refuse most of these replies. */
import type { ShownComposition } from '../../client/src/panels/preview/messages.ts';
import { type Show, showText, skill } from './reply.ts';

const small = (): Show =>
  showText(
    skill('input_schema:\n  who: {type: string, default: world}\n', '## PromptTemplate: main\n\nHello {{ who }}.\n'),
  );

function withComposition(show: Show, change: (composition: ShownComposition) => Partial<ShownComposition>): Show {
  const { result } = show.reply;
  if (!result.ok) throw new Error('It does not compose.');
  const composition = { ...result.composition, ...change(result.composition) };
  return { ...show, reply: { ...show.reply, result: { ok: true, composition } } };
}

/** A prompt with one segment for each string. */
export function withTexts(texts: readonly string[]): Show {
  let end = 0;
  const segments = texts.map((text, at) => {
    const start = end;
    end += text.length;
    const kind = at % 2 === 0 ? ('authored' as const) : ('value' as const);
    return { start, end, part: 'framing' as const, kind, source: undefined, artifact: undefined, tokens: 5 };
  });
  return withComposition(small(), () => ({ prompt: texts.join(''), segments }));
}

/** A prompt with 5,000 segments of 20 characters; the middle segment contains `changed`. */
export const manySegments = (changed: number): Show =>
  withTexts(
    Array.from({ length: 5000 }, (_, at) => {
      if (at === 2500) return `changed ${changed} `.padEnd(20);
      return at % 3 === 2 ? 'and ends its line.\n\n' : `segment ${at} here `.padEnd(20);
    }),
  );

/** A graph of `count` nodes, each with edges to two other nodes. */
export const manyNodes = (count: number): Show => graphOf(count, (at) => Math.floor(at / 2));

/** A graph of `count` nodes in a chain. */
export const chain = (count: number): Show => graphOf(count, (at) => at);

/** A graph of `count` nodes, in which node `before(at)` precedes node `at + 1`. */
const graphOf = (count: number, before: (at: number) => number): Show =>
  withComposition(small(), ({ subgraph }) => {
    const [node] = subgraph.nodes;
    if (!node) throw new Error('The graph is empty.');
    const nodes = Array.from({ length: count }, (_, at) => ({
      ...node,
      id: `n${at}`,
      label: `Node ${at}`,
      interrupts: [],
    }));
    const edges = nodes.slice(1).map(({ id }, at) => ({ from: `n${before(at)}`, to: id, kind: 'next' as const }));
    return { subgraph: { ...subgraph, nodes, edges, interrupts: [] } };
  });

/** Returns the message with another budget. */
export const withBudget = (show: Show, budget: number): Show =>
  withComposition(show, ({ tokens }) => ({ tokens: { ...tokens, budget } }));
