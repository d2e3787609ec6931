/**
 * Whether a backtracking matcher can take exponential time. It can exactly if some place of the expression can be left
 * and come back to in two different ways over the same text (Weber and Seidl, "On the degree of ambiguity of finite
 * automata"): two walks over the graph, side by side, must part and meet again.
 */
import type { RegexGraph } from './graph.ts';

/** Beyond them nothing is told. */
const MAX_STEPS = 100_000;

/** The repetition that reads a text in too many ways, as written; undefined where there is none, or that cannot be told. */
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
 * Calls `take` for each strongly connected component that holds a cycle, until it returns false. Tarjan's algorithm with
 * a stack of its own, since graphs may be deeper than the call stack.
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
