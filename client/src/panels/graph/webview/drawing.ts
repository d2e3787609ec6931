/** What to draw of the graph after filtering: the text and the position of each card, edge and label. */

import type { Rect } from '../../kit/geometry.ts';
import { t } from '../../kit/l10n.ts';
import type { Measure } from '../../kit/measure-text.ts';
import type { GraphReply, ShownEdge, ShownNode } from '../messages.ts';
import { layoutGraph } from './layout.ts';
import { type Route, routesOf } from './routes.ts';
import { cardLines, edgeLabel, levelTitle, problemsOf } from './text.ts';

export interface Card {
  readonly id: string;
  readonly node: ShownNode;
  readonly rect: Rect;
  readonly title: string;
  readonly lines: readonly string[];
  readonly problems: readonly string[];
}

export interface DrawnEdge extends Route {
  /** Stable while other edges are added or removed. */
  readonly id: string;
  readonly edge: ShownEdge;
  readonly labelText: string;
  readonly labelWidth: number;
  readonly target: ShownNode;
  /** The number of stages of its composer. */
  readonly stages: number;
}

export interface Drawing {
  readonly cards: readonly Card[];
  readonly byId: ReadonlyMap<string, Card>;
  readonly edges: readonly DrawnEdge[];
  readonly bands: readonly { readonly title: string; readonly y: number }[];
  readonly width: number;
  readonly height: number;
}

export interface Filter {
  /** 0 for skills that declare none. */
  readonly level: number | null;
  readonly onlyErrors: boolean;
}

const PAD = 12;
const [NARROWEST, WIDEST] = [120, 260];
export const HEAD_HEIGHT = 18;
export const TEXT_HEIGHT = 16;
const LONGEST_LABEL = 200;

/** `room` is the visible width in pixels. */
export function drawingOf(graph: GraphReply, filter: Filter, measure: Measure, room: number): Drawing {
  const { nodes, edges } = filtered(graph, filter);
  const byNode = new Map(graph.nodes.map((node) => [node.id, node]));
  const stagesOf = ({ from }: ShownEdge): number => {
    const node = byNode.get(from);
    return node?.kind === 'skill' ? node.stages.length : 0;
  };
  const drafts = nodes.map((node) => draftOf(node, measure));
  const labels = edges.map((edge) => shortened(edgeLabel(edge, stagesOf(edge)), LONGEST_LABEL, false, measure));
  const layout = layoutGraph(drafts, edges, room);
  // Where edges run behind cards, labels cannot be told apart, so only those of problems are shown.
  const labelWidths = labels.map((label, at) => {
    const edge = edges[at];
    const isShown = !layout.isWrapped || (edge !== undefined && weightOf(edge) > 1);
    return label === '' || !isShown ? 0 : measure(label, false) + 8;
  });
  const routes = routesOf(layout, edges, labelWidths, edges.map(weightOf));
  const cards = drafts.map(({ id, node, title, lines, problems }): Card => {
    const rect = layout.boxes.get(id) ?? NOWHERE;
    return { id, node, rect, title, lines, problems };
  });
  const counts = new Map<string, number>();
  const idOf = ({ from, to, step }: ShownEdge): string => {
    const id = [from, to, step].join(' ');
    counts.set(id, (counts.get(id) ?? 0) + 1);
    return `${id} ${counts.get(id)}`;
  };
  const hasLevels = nodes.some((node) => levelOf(node) !== null);
  const titleOf = (level: number): string => (hasLevels ? levelTitle(level) : '');
  return {
    cards,
    byId: new Map(cards.map((card) => [card.id, card])),
    edges: edges.flatMap((edge, at): readonly DrawnEdge[] => {
      const [route, target] = [routes[at], byNode.get(edge.to)];
      if (!route || !target) return [];
      const label = { labelText: labels[at] ?? '', labelWidth: labelWidths[at] ?? 0 };
      return [{ ...route, ...label, id: idOf(edge), edge, target, stages: stagesOf(edge) }];
    }),
    bands: layout.bands.map(({ level, y }) => ({ title: level === null ? t('On their own') : titleOf(level), y })),
    width: layout.width,
    height: layout.height,
  };
}

const NOWHERE: Rect = { x: 0, y: 0, width: 0, height: 0 };

const levelOf = (node: ShownNode): number | null => (node.kind === 'skill' ? node.level : null);

/** Labels of problems are placed before others. */
const weightOf = ({ isInCycle, isAllowed, isCritical }: ShownEdge): number =>
  (isInCycle ? 4 : 0) + (isAllowed ? 0 : 2) + (isCritical ? 1 : 0);

/** The nodes that pass a filter, and the edges between them. */
function filtered(
  { nodes, edges }: GraphReply,
  { level, onlyErrors }: Filter,
): { readonly nodes: readonly ShownNode[]; readonly edges: readonly ShownEdge[] } {
  const refused = new Set(edges.flatMap(({ from, isAllowed }) => (isAllowed ? [] : [from])));
  const left = nodes.filter(
    (node) =>
      (level === null || (node.kind === 'skill' && (node.level ?? 0) === level)) &&
      (!onlyErrors || problemsOf(node).length > 0 || refused.has(node.id)),
  );
  const ids = new Set(left.map(({ id }) => id));
  return { nodes: left, edges: edges.filter(({ from, to }) => ids.has(from) && ids.has(to)) };
}

function draftOf(node: ShownNode, measure: Measure) {
  const fit = (text: string, isLarge: boolean) => shortened(text, WIDEST - 2 * PAD, isLarge, measure);
  const title = fit(node.name, true);
  const lines = cardLines(node).map((line) => fit(line, false));
  const problems = problemsOf(node);
  const widths = [
    measure(title, true),
    ...lines.map((line) => measure(line, false)),
    // An icon is drawn before the problems.
    problems.length === 0 ? 0 : measure(problems.join(' · '), false) + TEXT_HEIGHT,
  ];
  const texts = lines.length + (problems.length > 0 ? 1 : 0);
  return {
    id: node.id,
    node,
    title,
    lines,
    problems,
    level: levelOf(node),
    rank: node.rank,
    width: Math.max(NARROWEST, ...widths.map((width) => width + 2 * PAD)),
    height: HEAD_HEIGHT + texts * TEXT_HEIGHT + 14,
  };
}

/** The text, or as much of it as fits, with an ellipsis. */
function shortened(text: string, width: number, isLarge: boolean, measure: Measure): string {
  if (measure(text, isLarge) <= width) return text;
  const letters = [...text];
  let [fits, tooLong] = [0, letters.length];
  while (tooLong - fits > 1) {
    const half = (fits + tooLong) >> 1;
    if (measure(`${letters.slice(0, half).join('')}…`, isLarge) <= width) fits = half;
    else tooLong = half;
  }
  return `${letters.slice(0, fits).join('')}…`;
}
