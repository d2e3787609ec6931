/** Whose requests an edit may lead to another skill (docs/matching.md, "Routing cases"). */
import { same } from '../skill/same.ts';
import type { Index } from './workspace-index.ts';

/** The files with routing cases, in them or beside them, where a skill's words are other ones than before. */
export function* routedAnew(uri: string, before: Index, after: Index): Iterable<string> {
  if (before.partial || !changesWords(uri, before, after)) return;
  yield* after.routed;
  yield* after.facts.triggers;
}

/** Whether a request may be answered by another skill than before. */
function changesWords(uri: string, before: Index, after: Index): boolean {
  const [old, now] = [before.graph.skills.get(uri)?.summary, after.graph.skills.get(uri)?.summary];
  const isCalledTheSame =
    old?.name === now?.name && old?.version === now?.version && old?.deprecated === now?.deprecated;
  return !isCalledTheSame || !same(before.files.get(uri)?.words, after.files.get(uri)?.words);
}
