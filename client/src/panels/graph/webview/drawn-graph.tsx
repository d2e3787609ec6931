/** Draws the part of the graph that can be seen. The style sheet gives it the theme's colours by class. */
import { useMemo } from 'preact/hooks';
import { ARROW } from '../../kit/graph/arrow-tip.tsx';
import type { Seen } from '../../kit/graph/canvas.tsx';
import { overlaps, type Rect, rounded, roundedPath } from '../../kit/graph/geometry.ts';
import { t } from '../../kit/l10n.ts';
import { type Card, type Drawing, type DrawnLink, LINE, nodesOf } from './drawing.ts';
import { isMention, isWrong, linkDescription, type Nodes } from './text.ts';

interface DrawnGraphProps {
  readonly drawing: Drawing;
  readonly seen: Seen;
  readonly hits: ReadonlySet<string> | undefined;
  readonly active: string | undefined;
  readonly selected: string | null;
  /** The card that the Tab key leads to. */
  readonly focused: string | undefined;
}

/** Text of a smaller scale cannot be read, and is left out. */
const READABLE = 0.4;

export function DrawnGraph({ drawing, seen, hits, active, selected, focused }: DrawnGraphProps) {
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
            {t('On their own')}
          </text>
        )}
        {!isFar && links.map((link) => <Label key={link.id} link={link} isDim={isDim(link.from, link.to)} />)}
        {drawing.cards
          // The focus stays where it is when its card is out of sight.
          .filter((card) => card.id === focused || overlaps(card, frame))
          .map((card) => (
            <DrawnCard key={card.id} card={card} marks={marksOf(card)} isFar={isFar} isFocused={card.id === focused} />
          ))}
      </>
    );
  }, [drawing, nodes, x, y, width, height, isFar, hits, active, selected, focused]);
}

function classOf({ item, node, problems }: Card): string {
  const isBad = problems !== '';
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
  const { id, x, y, width, height, item, node, title, lines, problems, text } = card;
  // It begins with what can be seen, by which somebody who speaks to the page names the card.
  const label = [[title, ...lines, problems].join(' '), ...(text.title === title ? [] : [text.title]), ...text.more];
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
      {!isFar && (
        <>
          <text class="large" x={12} y={LINE.first}>
            {title}
          </text>
          {lines.map((line, at) => (
            <text key={at} class="small" x={12} y={LINE.first + (at + 1) * LINE.next}>
              {/* Without the space a screen reader would join the lines. */}
              {` ${line}`}
            </text>
          ))}
          {problems !== '' && (
            <>
              <path
                class="trouble-icon"
                transform={`translate(12 ${LINE.first + lines.length * LINE.next + 5})`}
                d="M6 0.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11z M4 4l4 4 M8 4l-4 4"
              />
              <text class="trouble" x={28} y={LINE.first + (lines.length + 1) * LINE.next}>
                {` ${problems}`}
              </text>
            </>
          )}
        </>
      )}
    </g>
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
      d={roundedPath(link.points)}
      marker-end={`url(#${ARROW})`}
    >
      <title>{linkDescription(link, nodes)}</title>
    </path>
  );
}

function Label({ link, isDim }: Pick<DrawnEdgeProps, 'link' | 'isDim'>) {
  const { labelText, label } = link;
  if (labelText === '') return null;
  return (
    <g class={`label${isWrong(link) ? ' bad' : ''}${isDim ? ' dim' : ''}`}>
      <text x={rounded(label.x)} y={rounded(label.y + 4)} text-anchor="middle">
        {labelText}
      </text>
    </g>
  );
}

function boundsOf({ points }: DrawnLink): Rect {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  // A straight line has room as well.
  return { x, y, width: Math.max(...xs) - x + 1, height: Math.max(...ys) - y + 1 };
}
