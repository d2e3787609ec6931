/** The order in which files are checked. */
import { partsOf } from '../../workspace/composing.ts';
import type { SkillGraph } from '../../workspace/workspace-index.ts';

/**
 * The files so that skills stand near those that they compose and those that compose them, and mostly before the latter.
 * The check of a composite asks what its parts take and give, which is remembered of those that were checked lately
 * (`rules/common/data-flow-values.ts`): in the order of names half of the files of a workspace of 1,000 were read once
 * more for that.
 */
export function nearTheirParts(graph: SkillGraph, uris: Iterable<string>): readonly string[] {
  const wanted = new Set(uris);
  const order = new Set<string>();
  for (const start of wanted) {
    // A queue of our own, which the loop lets grow: compositions may be deeper than the engine's stack.
    const queue = new Set([start]);
    for (const uri of queue) {
      if (order.has(uri)) continue;
      order.add(uri);
      const skill = graph.skills.get(uri);
      if (!skill) continue;
      for (const part of partsOf(graph, skill)) queue.add(part.skill.uri);
      // Who merely mentions it comes along, which is cheaper than to find out whom they mean.
      for (const other of graph.mentionedBy.get(skill.summary.name ?? '') ?? []) queue.add(other);
    }
  }
  return [...order].filter((uri) => wanted.has(uri)).reverse();
}
