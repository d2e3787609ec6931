/** The order in which files are checked. */
import { composersOf, partsOf } from '../../workspace/composing.ts';
import type { SkillGraph } from '../../workspace/workspace-index.ts';

/**
 * The files so that skills stand near those that they compose and those that compose them. The check of a composite reads
 * the contracts of its parts, and what was read lately is at hand still: in the order of names half of the files of a
 * workspace of 1,000 were read once more for that.
 */
export function nearTheirParts(graph: SkillGraph, uris: Iterable<string>): readonly string[] {
  const wanted = new Set(uris);
  const order = new Set<string>();
  for (const start of wanted) {
    // A queue of our own, which the loop lets grow: compositions may be deeper than the engine's stack.
    const queue = new Set([start]);
    for (const uri of order.has(start) ? [] : queue) {
      order.add(uri);
      const skill = graph.skills.get(uri);
      const near = skill ? [...partsOf(graph, skill).map((part) => part.skill), ...composersOf(graph, skill)] : [];
      for (const other of near) if (!order.has(other.uri)) queue.add(other.uri);
    }
  }
  return [...order].filter((uri) => wanted.has(uri));
}
