/** Where skills name others in their text, as thin edges: they count for no rank and no cycle. */
import type { Analysis } from '../../analysis/analysis.ts';
import type { GraphViewEdge } from '../../protocol.ts';
import { findMeant, meantReferences } from '../../workspace/plain-references.ts';

/** One edge to each skill that the text of a `SKILL.md` names, except itself, at the first place. */
export function mentionsOf(analysis: Analysis, from: string): readonly GraphViewEdge[] {
  const { graph } = analysis;
  const summary = graph.skills.get(from)?.summary;
  // A body is parsed only where it may name a skill.
  if (!summary?.agentSkill || !summary.mentions.some((name) => name !== summary.name && graph.byName.has(name)))
    return [];
  const file = analysis.file(from);
  const edges = new Map<string, GraphViewEdge>();
  for (const reference of file ? meantReferences(graph, file) : []) {
    const to = file && findMeant(graph, file, reference)?.uri;
    if (to === undefined || to === from || edges.has(to)) continue;
    const place = { from, to, uri: from, span: reference.nameSpan, step: reference.name };
    edges.set(to, { kind: 'mentions', ...place, ...NO_FACTS });
  }
  return [...edges.values()];
}

const NO_FACTS = {
  as: null,
  requires: null,
  version: null,
  isAllowed: true,
  stage: null,
  isInCycle: false,
  isCritical: false,
} as const;
