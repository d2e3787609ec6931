/** The order in which many files are judged. */
import type { ResolvedGraph } from './resolved-graph.ts';

/**
 * The files so that skills stand before those that compose them, and near them. The check of a composite asks what its parts
 * take and give, which is remembered of those that were judged lately (`rules/common/data-flow-values.ts`): in the order of
 * names each part was read once more for nearly every composite, in this one none is. Cycles stand in any order.
 *
 * Found as it is asked for, so that nobody waits for all of it; it costs what the files and their edges cost.
 */
export function* partsFirst(graph: ResolvedGraph, uris: Iterable<string>): Iterable<string> {
  const left = new Set(uris);
  for (const start of left) {
    const agenda = [start];
    // It grows while it is walked.
    for (const next of agenda) {
      for (const uri of afterTheirParts(graph, next, left)) {
        yield uri;
        // Who merely mentions it comes along, which is cheaper than to find out whom they mean.
        for (const other of graph.mentionedBy.get(nameIn(graph, uri)) ?? []) if (left.has(other)) agenda.push(other);
      }
    }
  }
}

const nameIn = (graph: ResolvedGraph, uri: string): string => graph.skills.get(uri)?.summary.name ?? '';

/** A file behind all of its closure that is left; takes them out of what is left. */
function* afterTheirParts(graph: ResolvedGraph, root: string, left: Set<string>): Iterable<string> {
  // A stack of our own: chains may be longer than the engine's.
  const stack = left.delete(root) ? [enter(graph, root)] : [];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const part = top.parts[top.next++];
    if (part === undefined) {
      stack.pop();
      yield top.uri;
    } else if (left.delete(part.skill.uri)) stack.push(enter(graph, part.skill.uri));
  }
}

function enter(graph: ResolvedGraph, uri: string) {
  const skill = graph.skills.get(uri);
  return { uri, parts: skill ? graph.partsOf(skill) : [], next: 0 };
}
