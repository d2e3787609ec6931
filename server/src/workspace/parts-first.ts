/** The order in which many files are checked. */
import type { ResolvedGraph } from './resolved-graph.ts';

/**
 * The files, skills before those that compose them and near them; cycles in any order. The check of a composite reads its
 * parts, and an analysis keeps only the last closed files parsed. The order is found step by step, as it is asked for.
 */
export function* partsFirst(graph: ResolvedGraph, uris: Iterable<string>): Iterable<string> {
  const left = new Set(uris);
  for (const start of left) {
    const agenda = [start];
    // A loop over an array also visits what is added meanwhile.
    for (const next of agenda) {
      for (const uri of afterTheirParts(graph, next, left)) {
        yield uri;
        // Files that mention it without composing it come along; finding out which is not worth it.
        for (const other of graph.mentionedBy.get(nameIn(graph, uri)) ?? []) if (left.has(other)) agenda.push(other);
      }
    }
  }
}

const nameIn = (graph: ResolvedGraph, uri: string): string => graph.skills.get(uri)?.summary.name ?? '';

/** The files of a closure that are left, parts first; takes them out of what is left. */
function* afterTheirParts(graph: ResolvedGraph, root: string, left: Set<string>): Iterable<string> {
  // No recursion: a chain may be longer than the call stack.
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
