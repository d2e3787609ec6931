/** The graph as it is to be drawn: what its filters leave, with the words and the place of each card, edge and label. */

import { t } from '../../kit/l10n.ts';
import type { Measure } from '../../kit/measure-text.ts';
import type { GraphReply, ShownEdge, ShownNode } from '../messages.ts';
import { arrange } from './layout.ts';
import type { Rect } from './layout-shelf.ts';
import { type Route, routesOf } from './routes.ts';
import { cardLines, edgeLabel, levelTitle, troublesOf } from './text.ts';

export interface Card {
  readonly id: string;
  readonly node: ShownNode;
  readonly rect: Rect;
  readonly title: string;
  readonly lines: readonly string[];
  readonly troubles: readonly string[];
}

export interface Line extends Route {
  /** Stays while other entries come and go. */
  readonly id: string;
  readonly edge: ShownEdge;
  readonly words: string;
  readonly labelWidth: number;
  readonly target: ShownNode;
  /** How many stages its composer has. */
  readonly stages: number;
}

export interface Picture {
  readonly cards: readonly Card[];
  readonly byId: ReadonlyMap<string, Card>;
  readonly lines: readonly Line[];
  readonly bands: readonly { readonly title: string; readonly y: number }[];
  readonly width: number;
  readonly height: number;
}

export interface Filter {
  /** 0 stands for those that declare none. */
  readonly level: number | null;
  readonly onlyErrors: boolean;
}

const PAD = 12;
const [NARROWEST, WIDEST] = [120, 260];
export const HEAD_HEIGHT = 18;
export const TEXT_HEIGHT = 16;
const LONGEST_LABEL = 200;

/** `room` is the width that is seen without scrolling, in pixels. */
export function pictureOf(graph: GraphReply, filter: Filter, measure: Measure, room: number): Picture {
  const { nodes, edges } = filtered(graph, filter);
  const byNode = new Map(graph.nodes.map((node) => [node.id, node]));
  const stagesOf = ({ from }: ShownEdge): number => {
    const node = byNode.get(from);
    return node?.kind === 'skill' ? node.stages.length : 0;
  };
  const drafts = nodes.map((node) => draftOf(node, measure));
  const words = edges.map((edge) => shortened(edgeLabel(edge, stagesOf(edge)), LONGEST_LABEL, false, measure));
  const arrangement = arrange(drafts, edges, room);
  // Where edges run behind cards, a label by the way tells nobody whose it is: only what is wrong is said.
  const labelWidths = words.map((label, at) => {
    const edge = edges[at];
    const isSaid = !arrangement.isWrapped || (edge !== undefined && weightOf(edge) > 1);
    return label === '' || !isSaid ? 0 : measure(label, false) + 8;
  });
  const routes = routesOf(arrangement, edges, labelWidths, edges.map(weightOf));
  const cards = drafts.map(({ id, node, title, lines, troubles }): Card => {
    const rect = arrangement.boxes.get(id) ?? NOWHERE;
    return { id, node, rect, title, lines, troubles };
  });
  const times = new Map<string, number>();
  const idOf = ({ from, to, step }: ShownEdge): string => {
    const id = [from, to, step].join(' ');
    times.set(id, (times.get(id) ?? 0) + 1);
    return `${id} ${times.get(id)}`;
  };
  const hasLevels = nodes.some((node) => levelOf(node) !== null);
  const titleOf = (level: number): string => (hasLevels ? levelTitle(level) : '');
  return {
    cards,
    byId: new Map(cards.map((card) => [card.id, card])),
    lines: edges.flatMap((edge, at): readonly Line[] => {
      const [route, target] = [routes[at], byNode.get(edge.to)];
      if (!route || !target) return [];
      const label = { words: words[at] ?? '', labelWidth: labelWidths[at] ?? 0 };
      return [{ ...route, ...label, id: idOf(edge), edge, target, stages: stagesOf(edge) }];
    }),
    bands: arrangement.bands.map(({ level, y }) => ({ title: level === null ? t('On their own') : titleOf(level), y })),
    width: arrangement.width,
    height: arrangement.height,
  };
}

const NOWHERE: Rect = { x: 0, y: 0, width: 0, height: 0 };

const levelOf = (node: ShownNode): number | null => (node.kind === 'skill' ? node.level : null);

/** A label that says what is wrong finds its place before others. */
const weightOf = ({ isInCycle, isAllowed, isCritical }: ShownEdge): number =>
  (isInCycle ? 4 : 0) + (isAllowed ? 0 : 2) + (isCritical ? 1 : 0);

/** The nodes that a filter lets through, and the edges between them. */
export function filtered(
  { nodes, edges }: GraphReply,
  { level, onlyErrors }: Filter,
): { readonly nodes: readonly ShownNode[]; readonly edges: readonly ShownEdge[] } {
  const refused = new Set(edges.flatMap(({ from, isAllowed }) => (isAllowed ? [] : [from])));
  const left = nodes.filter(
    (node) =>
      (level === null || (node.kind === 'skill' && (node.level ?? 0) === level)) &&
      (!onlyErrors || troublesOf(node).length > 0 || refused.has(node.id)),
  );
  const ids = new Set(left.map(({ id }) => id));
  return { nodes: left, edges: edges.filter(({ from, to }) => ids.has(from) && ids.has(to)) };
}

function draftOf(node: ShownNode, measure: Measure) {
  const fit = (text: string, isLarge: boolean) => shortened(text, WIDEST - 2 * PAD, isLarge, measure);
  const title = fit(node.name, true);
  const lines = cardLines(node).map((line) => fit(line, false));
  const troubles = troublesOf(node);
  const widths = [
    measure(title, true),
    ...lines.map((line) => measure(line, false)),
    // An icon stands before it.
    troubles.length === 0 ? 0 : measure(troubles.join(' · '), false) + TEXT_HEIGHT,
  ];
  const texts = lines.length + (troubles.length > 0 ? 1 : 0);
  return {
    id: node.id,
    node,
    title,
    lines,
    troubles,
    level: levelOf(node),
    rank: node.rank,
    width: Math.max(NARROWEST, ...widths.map((width) => width + 2 * PAD)),
    height: HEAD_HEIGHT + texts * TEXT_HEIGHT + 14,
  };
}

/** The text, or as much of it as fits with an ellipsis. */
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
