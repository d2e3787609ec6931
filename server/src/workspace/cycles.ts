/** Cycles of the composition graph. */
import type { Part } from './parts-and-composers.ts';
import type { IndexedSkill } from './workspace-index.ts';

/** From a part's URI to the shortest way back to the skill that composes it. */
export type WayBack = (uri: string) => readonly IndexedSkill[] | undefined;

type PartsOf = (skill: IndexedSkill) => readonly Part[];

/**
 * Finds how a skill comes back to itself. A way begins with the part and ends with the skill; undefined for a part that
 * closes no cycle. The closure is walked once for all parts.
 */
export function findWaysBack(root: IndexedSkill, partsOf: PartsOf): WayBack {
  const composers = composersWithin(root, partsOf);
  const next = new Map<string, IndexedSkill>();
  const reached = new Map([[root.uri, root]]);
  // Breadth first and backward, so that each is reached on its shortest way. The loop also visits what is added meanwhile.
  for (const [uri, skill] of reached) {
    for (const composer of composers.get(uri) ?? []) {
      if (!next.has(composer.uri)) next.set(composer.uri, skill);
      if (!reached.has(composer.uri)) reached.set(composer.uri, composer);
    }
  }
  return (uri) => {
    const first = reached.get(uri);
    if (uri === root.uri) return composers.get(uri)?.includes(root) ? [root] : undefined;
    if (!first) return undefined;
    const way = [first];
    for (let at = first; at.uri !== root.uri; ) {
      at = next.get(at.uri) ?? root;
      way.push(at);
    }
    return way;
  };
}

/** For each skill of the closure, those of the closure that compose it; the skill itself counts among them. */
function composersWithin(root: IndexedSkill, partsOf: PartsOf): ReadonlyMap<string, readonly IndexedSkill[]> {
  const composers = new Map<string, IndexedSkill[]>();
  const reached = new Map([[root.uri, root]]);
  for (const composer of reached.values()) {
    for (const { skill } of partsOf(composer)) {
      const known = composers.get(skill.uri);
      if (known) known.push(composer);
      else composers.set(skill.uri, [composer]);
      if (!reached.has(skill.uri)) reached.set(skill.uri, skill);
    }
  }
  return composers;
}
