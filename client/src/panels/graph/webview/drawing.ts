/** What to draw: the text and the place of each card, edge and label. */
import type { Rect } from '../../kit/graph/geometry.ts';
import type { Measure } from '../../kit/graph/measure-text.ts';
import type { Size } from '../../kit/graph/view.ts';
import type { ShownNode } from '../messages.ts';
import type { Folders } from './folders.ts';
import type { Item, Link, Shown } from './groups.ts';
import { layoutOf, type Route } from './layout.ts';
import { type ItemText, isWrong, itemText, linkLabel, type Nodes } from './text.ts';

export interface Card extends Rect {
  readonly id: string;
  readonly item: Item;
  /** The one node that it stands for; undefined for a group. */
  readonly node: ShownNode | undefined;
  readonly title: string;
  readonly lines: readonly string[];
  readonly problems: string;
  /** All of it, in full. */
  readonly text: ItemText;
}

export interface DrawnLink extends Link, Route {
  readonly id: string;
  readonly labelText: string;
}

export interface Drawing extends Size {
  readonly cards: readonly Card[];
  readonly byId: ReadonlyMap<string, Card>;
  readonly links: readonly DrawnLink[];
  /** In the first row, the card that composes most. */
  readonly first: Card | undefined;
  /** Where the cards without an edge begin; undefined where there are no others. */
  readonly gridTop: number | undefined;
}

const PAD = 12;
const [NARROWEST, WIDEST] = [120, 260];
/** What is wrong has more room, since it is worth reading. */
const LONGEST_LABEL = { usual: 160, wrong: 260 };
const MOST_LABELS = 80;
export const LINE = { first: 20, next: 16 };

/** `room` is the visible width in pixels. */
export function drawingOf({ items, links }: Shown, folders: Folders, measure: Measure, room: number): Drawing {
  const drafts = items.map((item) => draftOf(item, folders, measure));
  const nodes = nodesOf(items);
  // Among many edges labels only push everything apart, so those of problems alone are shown.
  const isShown = (link: Link): boolean => links.length <= MOST_LABELS || isWrong(link);
  const labels = links.map((link) =>
    isShown(link)
      ? shortened(linkLabel(link, nodes), LONGEST_LABEL[isWrong(link) ? 'wrong' : 'usual'], false, measure)
      : '',
  );
  const layout = layoutOf(
    drafts,
    links.map(({ from, to }, at) => ({ from, to, label: labelSize(labels[at] ?? '', measure) })),
    room,
  );
  const cards = drafts.map((draft): Card => ({ ...draft, x: 0, y: 0, ...layout.boxes.get(draft.id) }));
  const countFrom = ({ id }: Card): number => links.filter(({ from }) => from === id).length;
  const isMixed = layout.gridTop > 0 && cards.some(({ y }) => y >= layout.gridTop);
  return {
    cards,
    byId: new Map(cards.map((card) => [card.id, card])),
    links: links.flatMap((link, at): readonly DrawnLink[] => {
      const route = layout.routes[at];
      return route ? [{ ...link, ...route, id: `${link.from} ${link.to}`, labelText: labels[at] ?? '' }] : [];
    }),
    first: cards
      .filter(({ y }) => y < layout.firstBottom)
      .reduce<Card | undefined>((best, one) => (best && countFrom(best) >= countFrom(one) ? best : one), undefined),
    gridTop: isMixed ? layout.gridTop : undefined,
    width: layout.width,
    height: layout.height,
  };
}

export const nodesOf = (items: readonly Item[]): Nodes =>
  new Map(items.flatMap((item) => item.nodes.map((node) => [node.id, node] as const)));

function draftOf(item: Item, folders: Folders, measure: Measure) {
  const text = itemText(item, folders);
  const fit = (line: string, large: boolean) => shortened(line, WIDEST - 2 * PAD, large, measure);
  const title = fit(text.title, true);
  const lines = text.lines.map((line) => fit(line, false));
  const problems = fit(text.problems.join(' · '), false);
  const widths = [
    measure(title, true),
    ...lines.map((line) => measure(line, false)),
    // An icon is drawn before the problems.
    problems === '' ? 0 : measure(problems, false) + LINE.next,
  ];
  const count = lines.length + (problems === '' ? 0 : 1);
  return {
    id: item.id,
    item,
    node: item.opens ? undefined : item.nodes[0],
    title,
    lines,
    problems,
    text,
    width: Math.min(WIDEST, Math.max(NARROWEST, ...widths.map((width) => width + 2 * PAD))),
    height: LINE.first + count * LINE.next + PAD,
  };
}

const labelSize = (label: string, measure: Measure): Size =>
  label === '' ? { width: 0, height: 0 } : { width: measure(label, false) + 8, height: LINE.next };

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
