/** What several rules ask of one skill, one after the other. */

import { createRecent } from '../recent.ts';
import type { IndexedSkill, SkillGraph } from './workspace-index.ts';

/**
 * The same function, which in a graph remembers what it said of the skill that it was asked about last: five rules ask for
 * the ways back of a skill, and four for its closure. Typing in a body leaves the graph.
 */
export function rememberLast<Value>(
  compute: (graph: SkillGraph, root: IndexedSkill) => Value,
): (graph: SkillGraph, root: IndexedSkill) => Value {
  const last = createRecent<SkillGraph, { readonly root: IndexedSkill; readonly value: Value }>(1);
  return (graph, root) => {
    const known = last.get(graph);
    if (known?.root === root) return known.value;
    return last.set(graph, { root, value: compute(graph, root) }).value;
  };
}
