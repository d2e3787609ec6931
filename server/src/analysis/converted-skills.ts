/** The skills from which the `SKILL.md` files of a workspace are converted (docs/sharing.md, "The origin"). */

import type { ResolvedGraph } from '../workspace/resolved-graph.ts';
import type { Index } from '../workspace/workspace-index.ts';

/** Returns the URIs of a skill and of all skills that it composes. Never throws. */
export function sourceUrisOf(graph: ResolvedGraph, uri: string): readonly string[] {
  const skill = graph.skills.get(uri);
  return [uri, ...(skill ? graph.closureOf(skill).map((one) => one.uri) : [])];
}

/** Returns the URIs of the converted `SKILL.md` files, by the URI of each file from which they are converted. Never throws. */
export function findConverted(graph: ResolvedGraph, origins: Index['origins']): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [uri, root] of origins) {
    for (const source of sourceUrisOf(graph, root)) {
      const known = found.get(source);
      if (known) known.push(uri);
      else found.set(source, [uri]);
    }
  }
  return found;
}
