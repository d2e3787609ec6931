/** The order in which the parts of one skill run, as stages whose parts may run side by side. */
import { type OrderNode, orderOf } from './order.ts';
import type { ResolvedGraph } from './resolved-graph.ts';
import type { IndexedSkill } from './workspace-index.ts';

/** Parts by the indices of their entries in `composes`. */
export type Stage = readonly number[];

/** The arms of a branch are in the same stages. None for an atomic skill. */
export const stagesOf = (graph: ResolvedGraph, skill: IndexedSkill): readonly Stage[] =>
  stagesOfOrder(orderOf(graph, skill))
    .map((stage) => [...new Set(stage)])
    .filter((stage) => stage.length > 0);

/** The names that steps call the parts of each stage. */
export const stepsByStage = (graph: ResolvedGraph, skill: IndexedSkill): readonly (readonly string[])[] =>
  stagesOf(graph, skill).map((stage) => stage.flatMap((entry) => skill.summary.composes[entry]?.step ?? []));

const stagesOfOrder = (nodes: readonly OrderNode[]): readonly Stage[] => nodes.flatMap(stagesOfNode);

function stagesOfNode(node: OrderNode): readonly Stage[] {
  if (node.kind === 'step') return [[node.entry]];
  return sideBySide(node.kind === 'branch' ? node.arms.map(stagesOfOrder) : node.steps.map(stagesOfNode));
}

function sideBySide(tracks: readonly (readonly Stage[])[]): readonly Stage[] {
  const length = tracks.reduce((longest, track) => Math.max(longest, track.length), 0);
  return Array.from({ length }, (_, at) => tracks.flatMap((track) => track[at] ?? []));
}
