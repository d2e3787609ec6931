/** Strongly connected components of a directed graph: largest sets of nodes that all reach one another. */

export interface Component {
  readonly ids: readonly string[];
  /** False for a single node that does not lead to itself. */
  readonly isCyclic: boolean;
}

/**
 * Tarjan's algorithm without recursion, since chains may be very long. A component comes after all that it leads to, so
 * parts come before their composers.
 */
export function stronglyConnected(
  ids: Iterable<string>,
  next: (id: string) => readonly string[],
): readonly Component[] {
  const components: Component[] = [];
  const numbers = new Map<string, number>();
  const lows = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const way: { readonly id: string; readonly next: readonly string[]; at: number }[] = [];
  const low = (id: string): number => lows.get(id) ?? 0;
  const enter = (id: string): void => {
    lows.set(id, numbers.size);
    numbers.set(id, numbers.size);
    open.push(id);
    isOpen.add(id);
    way.push({ id, next: next(id), at: 0 });
  };
  const close = (id: string): void => {
    const own = open.splice(open.lastIndexOf(id));
    for (const one of own) isOpen.delete(one);
    components.push({ ids: own, isCyclic: own.length > 1 || next(id).includes(id) });
  };
  for (const start of ids) {
    if (numbers.has(start)) continue;
    enter(start);
    for (let top = way.at(-1); top; top = way.at(-1)) {
      const { id } = top;
      const to = top.next[top.at++];
      if (to !== undefined) {
        if (!numbers.has(to)) enter(to);
        else if (isOpen.has(to)) lows.set(id, Math.min(low(id), numbers.get(to) ?? 0));
        continue;
      }
      way.pop();
      const above = way.at(-1)?.id;
      if (above !== undefined) lows.set(above, Math.min(low(above), low(id)));
      if (low(id) === numbers.get(id)) close(id);
    }
  }
  return components;
}

/** The shortest way from the first id of a cyclic component, in their order, back to it. */
export function shortestCycle({ ids }: Component, next: (id: string) => readonly string[]): readonly string[] {
  const within = new Set(ids);
  const [first = ''] = [...ids].sort();
  const cameFrom = new Map<string, string>();
  const waiting = [first];
  // Breadth first; a list may grow while it is walked.
  for (const id of waiting) {
    for (const to of next(id)) {
      if (to === first) return wayTo(id, first, cameFrom);
      if (!within.has(to) || cameFrom.has(to)) continue;
      cameFrom.set(to, id);
      waiting.push(to);
    }
  }
  return [];
}

function wayTo(end: string, start: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const way = [end];
  for (let at = end; at !== start; ) {
    at = cameFrom.get(at) ?? start;
    way.push(at);
  }
  return way.reverse();
}
