/** What several rules ask of one skill, one after the other. */
import type { IndexedSkill, SkillGraph } from './workspace-index.ts';

/**
 * The same function, which in a graph remembers what it said of the skill that it was asked about last: five rules ask for
 * the ways back of a skill, and four for its closure. It goes when the graph goes; typing in a body leaves the graph.
 */
export function rememberLast<Value>(
  compute: (graph: SkillGraph, root: IndexedSkill) => Value,
): (graph: SkillGraph, root: IndexedSkill) => Value {
  const last = new WeakMap<SkillGraph, { readonly root: IndexedSkill; readonly value: Value }>();
  return (graph, root) => {
    const known = last.get(graph);
    if (known?.root === root) return known.value;
    const value = compute(graph, root);
    last.set(graph, { root, value });
    return value;
  };
}
