/** The graph as a drawing, with keyboard and mouse input and highlights. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { FileRange } from '../../kit/file-range.ts';
import { ARROW, ArrowTip, Canvas, type CanvasHandle, type VisiblePart } from '../../kit/graph/canvas.tsx';
import { curvedPath, middleOf, overlaps, type Rect, rounded, roundedPath } from '../../kit/graph/view.ts';
import { type Direction, directionOf } from '../../kit/keys.ts';
import { t } from '../../kit/l10n.ts';
import type { GraphReply } from '../messages.ts';
import { type Card, type CardRow, type Drawing, type DrawnLink, ICON, LINE, nodesOf } from './drawing.ts';
import type { Item } from './folders.ts';
import type { ViewProps } from './model.ts';
import { isMention, isWrong, linkDescription, type Nodes } from './text.ts';

interface GraphViewProps extends ViewProps {
  /** The ID of the shown part. When it changes, the initial view of the new part is shown. */
  readonly part: string;
  /** The cards that the search found; undefined without a search. */
  readonly hits: ReadonlySet<string> | undefined;
  /** The skill in the active editor. */
  readonly active: string | undefined;
  readonly canvas: RefObject<CanvasHandle | null>;
  readonly openItem: (item: Item) => void;
}

export function GraphView(props: GraphViewProps) {
  const { page, graph, drawing, part, hits, active, canvas, openItem, actions } = props;
  const { cards, byId, first } = drawing;
  const focused = byId.get(page.selected ?? '') ?? first;
  // The skill that was in the active editor when the part was opened. The drawing must not move when another skill
  // becomes active.
  const opening = useMemo(() => active, [part]);
  useFollowing(byId, page.selected, part, canvas);
  // True after the user opened another part from a card, so that the focus moves to a card of that part.
  const takesStep = useRef(false);
  useLayoutEffect(() => {
    if (takesStep.current && focused) focusCard(focused.id);
    takesStep.current = false;
  }, [part]);

  const select = (card: Card): void => {
    if (card.id !== page.selected) actions.setPage({ selected: card.id });
    // An editor that opens beside the panel makes the panel narrower, so keep the card visible.
    canvas.current?.scrollTo(card);
    focusCard(card.id);
  };
  const reveal = ({ id, item }: Card, takesFocus: boolean): void => {
    if (item.opens) {
      takesStep.current = true;
      openItem(item);
      return;
    }
    const place = placeOf(graph, id);
    if (place) actions.reveal(place, takesFocus);
  };
  const cardAt = ({ target }: Event): Card | undefined => {
    const drawn = target instanceof Element ? target.closest<SVGGElement>('.node') : null;
    return byId.get(drawn?.dataset.id ?? '');
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const card = cardAt(event);
    if (!card || event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = directionOf(event);
    if (direction) select(nextCard(drawing, card, direction) ?? card);
    else if (event.key === 'Enter' || event.key === ' ') reveal(card, event.key === 'Enter');
    else if (event.key === 'Backspace') {
      takesStep.current = page.trail.length > 0;
      actions.back();
    } else return;
    event.preventDefault();
  };
  return (
    <Canvas
      key={part}
      label={t('Composition graph')}
      drawing={drawing}
      start={byId.get(opening ?? '') ?? first}
      boxes={cards}
      handle={canvas}
      savedView={page.view}
      onView={actions.keepView}
    >
      {(seen) => (
        <>
          <ArrowTip />
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the cards within are buttons; they share these listeners */}
          <g
            class={page.isAccented ? 'accented' : undefined}
            // Without this, an SVG element with a focus listener is a tab stop in Chromium.
            tabindex={-1}
            onClick={(event) => {
              const card = cardAt(event);
              if (!card) return;
              select(card);
              reveal(card, false);
            }}
            onKeyDown={onKeyDown}
            onFocusIn={(event) => {
              const card = cardAt(event);
              if (card && card.id !== page.selected) actions.setPage({ selected: card.id });
            }}
          >
            <DrawnGraph
              drawing={drawing}
              seen={seen}
              hits={hits}
              active={active}
              selected={page.selected}
              focused={focused?.id}
            />
          </g>
        </>
      )}
    </Canvas>
  );
}

export function focusCard(id: string): void {
  const drawn = document.querySelectorAll<SVGGElement>('.node');
  [...drawn].find(({ dataset }) => dataset.id === id)?.focus({ preventScroll: true });
}

/**
 * Returns the current location of a node. For an unknown skill, returns the location of its name in the skill that
 * composes it.
 */
function placeOf({ nodes, edges }: GraphReply, id: string): FileRange | undefined {
  const node = nodes.find((one) => one.id === id);
  return node?.kind === 'skill' ? node : edges.find(({ to }) => to === id);
}

/** Keeps the position of the selected card on the screen when a new layout moves it in the drawing. */
function useFollowing(
  byId: ReadonlyMap<string, Card>,
  selected: string | null,
  part: string,
  canvas: RefObject<CanvasHandle | null>,
): void {
  const last = useRef({ byId, part });
  useLayoutEffect(() => {
    const before = last.current.part === part ? last.current.byId.get(selected ?? '') : undefined;
    const after = byId.get(selected ?? '');
    last.current = { byId, part };
    if (before && after && (before.x !== after.x || before.y !== after.y)) canvas.current?.follow(before, after);
  });
}

/** Returns the card to which an arrow key moves: a neighbour along an edge, or the nearest card in that direction. */
function nextCard({ cards, byId, links }: Drawing, from: Card, direction: Direction): Card | undefined {
  if (direction === 'Left' || direction === 'Right') {
    const by = direction === 'Right' ? 1 : -1;
    const beside = cards.filter((card) => card.y < from.y + from.height && from.y < card.y + card.height);
    return nearest(
      beside.filter((card) => (middleOf(card) - middleOf(from)) * by > 0),
      from,
    );
  }
  const by = direction === 'Down' ? 1 : -1;
  const along = links.flatMap((link) => {
    const [own, other] = by > 0 ? [link.from, link.to] : [link.to, link.from];
    return own === from.id && other !== from.id ? (byId.get(other) ?? []) : [];
  });
  const isBeyond = (card: Card): boolean => (by > 0 ? card.y >= from.y + from.height : card.y + card.height <= from.y);
  return nearest(along, from) ?? nearest(cards.filter(isBeyond), from);
}

const nearest = (cards: readonly Card[], from: Card): Card | undefined =>
  cards.reduce<Card | undefined>(
    (best, one) => (best && distance(best, from) <= distance(one, from) ? best : one),
    undefined,
  );

const distance = (one: Card, from: Card): number =>
  Math.abs(middleOf(one) - middleOf(from)) + 2 * Math.abs(one.y - from.y);

// Draws the visible part of the graph. The style sheet sets the theme's colours through classes.

interface DrawnGraphProps {
  readonly drawing: Drawing;
  readonly seen: VisiblePart;
  readonly hits: ReadonlySet<string> | undefined;
  readonly active: string | undefined;
  readonly selected: string | null;
  /** The card that is the tab stop. */
  readonly focused: string | undefined;
}

/** The smallest scale at which text is drawn. */
const READABLE = 0.4;

function DrawnGraph({ drawing, seen, hits, active, selected, focused }: DrawnGraphProps) {
  const { x, y, width, height, scale } = seen;
  const isFar = scale < READABLE;
  const nodes = useMemo(() => nodesOf(drawing.cards.map(({ item }) => item)), [drawing]);
  return useMemo(() => {
    const frame = { x, y, width, height };
    const isDim = (...ids: readonly string[]): boolean => hits !== undefined && !ids.every((id) => hits.has(id));
    const links = drawing.links.filter((link) => overlaps(boundsOf(link), frame));
    const marksOf = (card: Card): string =>
      [
        classOf(card),
        card.id === selected && 'selected',
        card.id === active && 'active',
        hits?.has(card.id) && 'hit',
        isDim(card.id) && 'dim',
      ]
        .filter(Boolean)
        .join(' ');
    return (
      <>
        {links.map((link) => (
          <DrawnEdge key={link.id} link={link} nodes={nodes} isDim={isDim(link.from, link.to)} />
        ))}
        {drawing.gridTop !== undefined && (
          <text class="grid-title" x={0} y={drawing.gridTop - 12}>
            {t('Not connected')}
          </text>
        )}
        {!isFar && links.map((link) => <Label key={link.id} link={link} isDim={isDim(link.from, link.to)} />)}
        {drawing.cards
          // The focused card is drawn even if it is not visible, so that it keeps the focus.
          .filter((card) => card.id === focused || overlaps(card, frame))
          .map((card) => (
            <DrawnCard key={card.id} card={card} marks={marksOf(card)} isFar={isFar} isFocused={card.id === focused} />
          ))}
      </>
    );
  }, [drawing, nodes, x, y, width, height, isFar, hits, active, selected, focused]);
}

function classOf({ item, node, text }: Card): string {
  const isBad = text.problems.length > 0;
  const kind = item.opens ? 'group' : node?.kind === 'skill' ? `skill level-${node.level ?? 0}` : 'unknown';
  const skill = node?.kind === 'skill' ? node : undefined;
  const use = `${skill?.isDeprecated ? ' deprecated' : ''}${skill?.isDisabled ? ' disabled' : ''}`;
  return `${kind}${isBad ? ' wrong' : ''}${use}${item.isOutside ? ' outside' : ''}`;
}

interface DrawnCardProps {
  readonly card: Card;
  readonly marks: string;
  readonly isFar: boolean;
  readonly isFocused: boolean;
}

function DrawnCard({ card, marks, isFar, isFocused }: DrawnCardProps) {
  const { id, x, y, width, height, item, node, rows, text } = card;
  // The label begins with the visible text, so that voice control can address the card by this text.
  const label = [[text.title, ...text.lines, ...text.problems].join(' '), ...text.more];
  const description = node?.kind === 'skill' && node.description !== null ? [node.description] : [];
  return (
    <g
      class={`node ${marks}`}
      transform={`translate(${rounded(x)} ${rounded(y)})`}
      role="button"
      tabindex={isFocused ? 0 : -1}
      aria-label={label.join('; ')}
      data-id={id}
    >
      <title>{[text.title, ...description, ...text.facts].join('\n')}</title>
      {item.opens && <rect class="outline behind" x={4} y={4} width={width} height={height} rx={4} />}
      <rect class="outline" width={width} height={height} rx={4} />
      {!isFar && rows.map((row, at) => <DrawnRow key={at} row={row} />)}
    </g>
  );
}

const ROW_CLASSES = { name: 'large', fact: 'small', problem: 'trouble' };

function DrawnRow({ row: { text, kind, y } }: { readonly row: CardRow }) {
  return (
    <>
      {kind === 'problem' && (
        <path
          class="trouble-icon"
          transform={`translate(12 ${y - 11})`}
          d="M6 0.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11z M4 4l4 4 M8 4l-4 4"
        />
      )}
      <text class={ROW_CLASSES[kind]} x={kind === 'problem' ? 12 + ICON : 12} y={y}>
        {/* Without the space, screen readers join the lines. */}
        {kind === 'name' ? text : ` ${text}`}
      </text>
    </>
  );
}

interface DrawnEdgeProps {
  readonly link: DrawnLink;
  readonly nodes: Nodes;
  readonly isDim: boolean;
}

function DrawnEdge({ link, nodes, isDim }: DrawnEdgeProps) {
  const isCritical = link.edges.some((edge) => edge.isCritical);
  return (
    <path
      class={`edge${isMention(link) ? ' mention' : ''}${isCritical ? ' critical' : ''}${isDim ? ' dim' : ''}`}
      d={link.from === link.to ? roundedPath(link.points) : curvedPath(link.points)}
      marker-end={`url(#${ARROW})`}
    >
      <title>{linkDescription(link, nodes)}</title>
    </path>
  );
}

function Label({ link, isDim }: Pick<DrawnEdgeProps, 'link' | 'isDim'>) {
  const { labelLines, labelBox } = link;
  if (labelLines.length === 0) return null;
  const { x, y, width, height } = labelBox;
  return (
    <g class={`label${isWrong(link) ? ' bad' : ''}${isDim ? ' dim' : ''}`}>
      <rect class="label-ground" x={rounded(x)} y={rounded(y)} width={width} height={height} />
      {labelLines.map((line, at) => (
        <text key={at} x={rounded(x + width / 2)} y={rounded(y + (at + 1) * LINE.next - 4)} text-anchor="middle">
          {line}
        </text>
      ))}
    </g>
  );
}

function boundsOf({ points }: DrawnLink): Rect {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  // A horizontal or vertical line also needs a height and a width that are not 0.
  return { x, y, width: Math.max(...xs) - x + 1, height: Math.max(...ys) - y + 1 };
}
