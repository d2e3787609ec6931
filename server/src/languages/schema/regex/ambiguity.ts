/**
 * Detects regular expressions for which a backtracking engine can take exponential time: expressions whose graph has a
 * node with two different paths back to itself over the same text (Weber and Seidl, "On the degree of ambiguity of
 * finite automata"). The search walks two paths at once, which must diverge and meet again.
 */
import { type AST, visitRegExpAST } from '@eslint-community/regexpp';

/** The limit for the steps of the search. Above this limit, the search returns no result. */
const MAX_STEPS = 100_000;

/**
 * Returns the source of a repetition that can match the same text in exponentially many ways. Returns undefined if the
 * expression has no such repetition, or if the graph is too large to search.
 */
export function findAmbiguity({ reads, edges, loops, explosive, full }: RegexGraph): string | undefined {
  if (explosive !== undefined || full) return explosive;

  const component = new Int32Array(reads.length).fill(-1);
  const cycles: number[][] = [];
  const nodes = reads.map((_, node) => node);
  const next = (node: number): number[] => [...(edges[node]?.keys() ?? [])].filter((target) => reads[target] !== 0n);
  findCycles(nodes, next, (members) => {
    for (const node of members) component[node] = cycles.length;
    cycles.push(members);
    return true;
  });
  for (const members of cycles) {
    for (const node of members) {
      for (const [target, ways] of edges[node] ?? []) {
        if (ways > 1 && component[target] === component[node]) return loops[node];
      }
    }
  }

  let steps = 0;
  const size = reads.length;
  const nextPairs = (pair: number): number[] => {
    const [a, b] = [Math.floor(pair / size), pair % size];
    const result: number[] = [];
    for (const x of edges[a]?.keys() ?? []) {
      if (component[x] !== component[a]) continue;
      for (const y of edges[b]?.keys() ?? []) {
        if (++steps > MAX_STEPS) return [];
        if (component[y] !== component[b] || ((reads[x] ?? 0n) & (reads[y] ?? 0n)) === 0n) continue;
        result.push(Math.min(x, y) * size + Math.max(x, y));
      }
    }
    return result;
  };
  let found: number | undefined;
  findCycles(
    cycles.flat().map((node) => node * size + node),
    nextPairs,
    (pairs) => {
      const same = pairs.find((pair) => Math.floor(pair / size) === pair % size);
      if (same !== undefined && pairs.some((pair) => Math.floor(pair / size) !== pair % size)) found = same % size;
      return found === undefined;
    },
  );
  return found === undefined ? undefined : loops[found];
}

/**
 * Calls `take` for each strongly connected component with a cycle, until `take` returns false. Uses Tarjan's
 * algorithm with an explicit stack, because graphs can be deeper than the call stack.
 */
function findCycles(
  starts: readonly number[],
  next: (node: number) => readonly number[],
  take: (members: number[]) => boolean,
): void {
  const order = new Map<number, number>();
  const low = new Map<number, number>();
  const open: number[] = [];
  const isOpen = new Set<number>();
  const enter = (node: number): { node: number; targets: readonly number[]; at: number } => {
    order.set(node, order.size);
    low.set(node, order.size - 1);
    open.push(node);
    isOpen.add(node);
    return { node, targets: next(node), at: 0 };
  };
  for (const start of starts) {
    if (order.has(start)) continue;
    const walk = [enter(start)];
    for (let top = walk.at(-1); top; top = walk.at(-1)) {
      const { node, targets } = top;
      const target = targets[top.at++];
      if (target !== undefined) {
        if (!order.has(target)) walk.push(enter(target));
        else if (isOpen.has(target)) low.set(node, Math.min(low.get(node) ?? 0, order.get(target) ?? 0));
        continue;
      }
      walk.pop();
      const parent = walk.at(-1);
      if (parent) low.set(parent.node, Math.min(low.get(parent.node) ?? 0, low.get(node) ?? 0));
      if (low.get(node) !== order.get(node)) continue;
      const members = open.splice(open.lastIndexOf(node));
      for (const member of members) isOpen.delete(member);
      if ((members.length > 1 || targets.includes(node)) && !take(members)) return;
    }
  }
}

// The Glushkov automaton of a regular expression: one node for each position that reads a character, and edges to the
// possible next positions. An edge contains the number of ways to reach the next position, because a backtracking
// engine tries each way.

/** The number of ways: 1, or 2 for two or more. */
type Ways = 1 | 2;

interface RegexGraph {
  /** The characters that each node reads, as bits for the representative characters of the expression. */
  readonly reads: readonly bigint[];
  readonly edges: readonly ReadonlyMap<number, Ways>[];
  /** The source of the outermost repetition around each node. */
  readonly loops: readonly string[];
  /** The source of a repetition with too many choices, whose element can be empty and is repeated too often. */
  readonly explosive?: string;
  /** True if the expression is too large for a graph, so that the graph is incomplete. */
  readonly full: boolean;
}

interface Draft {
  reads: bigint[];
  edges: Map<number, Ways>[];
  loops: string[];
  explosive?: string;
  full: boolean;
}

/** A part of the expression, with its ways to match the empty string and its possible first and last nodes. */
interface Fragment {
  readonly empty: 0 | Ways;
  readonly first: ReadonlyMap<number, Ways>;
  readonly last: ReadonlyMap<number, Ways>;
}

const MAX_NODES = 300;
const MAX_EDGES = 40_000;
/** The maximum number of copies for an exact repeat count, for a single character and for any other element. */
const MAX_EXACT = { single: 20, other: 8 };
/** The highest maximum count for which a repetition without an exact count is expanded into copies. */
const MAX_CHOSEN = 3;

const NONE: ReadonlyMap<number, Ways> = new Map();
const NOTHING: Fragment = { empty: 1, first: NONE, last: NONE };
const BLOCKED: Fragment = { empty: 0, first: NONE, last: NONE };

/** Characters that distinguish the common character classes. */
const COMMON = [
  'a',
  'Z',
  'g',
  '0',
  '9',
  '_',
  '-',
  '.',
  ' ',
  '\t',
  '\n',
  '/',
  'é',
  'ß',
  '日',
  '٣',
  '\u0301',
  '\u{1F600}',
  '€',
];

/**
 * Returns the graph of a parsed expression. `flags` is `u` or empty. Boundaries, look-arounds and back-references end
 * every path, so that results do not depend on these constructs.
 */
export function graphOf(pattern: AST.Pattern, flags: string): RegexGraph {
  const graph: Draft = { reads: [], edges: [], loops: [], full: false };
  const samples = samplesOf(pattern);
  const known = new Map<string, bigint>();
  let edgeCount = 0;

  function readsOf(raw: string): bigint {
    let bits = known.get(raw);
    if (bits === undefined) {
      bits = 0n;
      const one = new RegExp(`^(?:${raw})$`, flags);
      samples.forEach((sample, index) => {
        if (one.test(sample)) bits = (bits as bigint) | (1n << BigInt(index));
      });
      known.set(raw, bits);
    }
    return bits;
  }

  function character(raw: string, loop: string): Fragment {
    if (graph.reads.length >= MAX_NODES) graph.full = true;
    if (graph.full) return NOTHING;
    const node = graph.reads.length;
    graph.reads.push(readsOf(raw));
    graph.edges.push(new Map());
    graph.loops.push(loop);
    const self = new Map<number, Ways>([[node, 1]]);
    return { empty: 0, first: self, last: self };
  }

  function connect(from: ReadonlyMap<number, Ways>, to: ReadonlyMap<number, Ways>): void {
    edgeCount += from.size * to.size;
    if (edgeCount > MAX_EDGES) graph.full = true;
    if (graph.full) return;
    for (const [source, out] of from) {
      const edges = graph.edges[source] as Map<number, Ways>;
      for (const [target, into] of to) edges.set(target, edges.has(target) || out * into > 1 ? 2 : 1);
    }
  }

  function sequence(a: Fragment, b: Fragment): Fragment {
    connect(a.last, b.first);
    return {
      empty: a.empty && b.empty && many(a.empty * b.empty),
      first: a.empty ? sum(a.first, b.first, a.empty) : a.first,
      last: b.empty ? sum(b.last, a.last, b.empty) : b.last,
    };
  }

  function either(alternatives: readonly AST.Alternative[], loop: string): Fragment {
    let result = BLOCKED;
    for (const { elements } of alternatives) {
      let part = NOTHING;
      for (const element of elements) part = sequence(part, draw(element, loop));
      const ways = result.empty + part.empty;
      result = {
        empty: ways && many(ways),
        first: sum(result.first, part.first, 1),
        last: sum(result.last, part.last, 1),
      };
    }
    return result;
  }

  function repeat({ element, min, max, raw }: AST.Quantifier, outer: string): Fragment {
    if (max === 0) return NOTHING;
    const loop = outer || (max > 1 ? raw : '');
    const single = element.type === 'Character' || element.type === 'CharacterClass' || element.type === 'CharacterSet';
    const most = single ? MAX_EXACT.single : MAX_EXACT.other;
    const again = (): Fragment => draw(element, loop);
    let result = NOTHING;
    const exact = max <= MAX_CHOSEN || min === max;
    const copies = Math.min(exact ? min : Math.max(min - 1, 0), most);
    for (let i = 0; i < copies && !graph.full; i++) {
      const part = again();
      if (part.empty && min > most) graph.explosive ??= raw;
      result = sequence(result, part);
    }
    // The limited copies of a long repetition can hide an ambiguous body, so a loop is added too.
    if (min === max && max > most && !single) loopOver(again());
    if (!exact) return sequence(result, min === 0 ? { ...loopOver(again()), empty: 1 } : loopOver(again()));
    let tail = NOTHING;
    for (let i = min; i < max && !graph.full; i++) tail = { ...sequence(again(), tail), empty: 1 };
    return sequence(result, tail);
  }

  function loopOver(part: Fragment): Fragment {
    connect(part.last, part.first);
    return part;
  }

  function draw(element: AST.Element, loop: string): Fragment {
    if (graph.full) return NOTHING;
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return either(element.alternatives, loop);
      case 'Quantifier':
        return repeat(element, loop);
      case 'Assertion':
        if (element.kind === 'lookahead' || element.kind === 'lookbehind') either(element.alternatives, loop);
        return BLOCKED;
      case 'Backreference':
        return BLOCKED;
      default:
        return character(element.raw, loop);
    }
  }

  either(pattern.alternatives, '');
  return graph;
}

const many = (ways: number): Ways => (ways > 1 ? 2 : 1);

function sum(a: ReadonlyMap<number, Ways>, b: ReadonlyMap<number, Ways>, times: Ways): ReadonlyMap<number, Ways> {
  if (b.size === 0) return a;
  const result = new Map(a);
  for (const [node, ways] of b) result.set(node, result.has(node) ? 2 : many(ways * times));
  return result;
}

/**
 * Returns characters that distinguish the classes in the expression: the characters in the expression, their
 * neighbours, and common characters.
 */
function samplesOf(pattern: AST.Pattern): readonly string[] {
  const samples = new Set(COMMON);
  const add = (code: number): void => {
    for (const near of [code - 1, code, code + 1]) {
      if (near >= 0 && near <= 0x10ffff && !(near >= 0xd800 && near <= 0xdfff)) samples.add(String.fromCodePoint(near));
    }
  };
  visitRegExpAST(pattern, { onCharacterEnter: ({ value }) => add(value) });
  return [...samples].slice(0, 600);
}
