/** Makes the elements of cards, edges and labels. The style sheet gives them the theme's colours by class. */

import { ARROW } from '../../kit/arrow-tip.ts';
import { svg } from '../../kit/dom.ts';
import type { ShownEdge } from '../messages.ts';
import { type Card, type DrawnEdge, HEAD_HEIGHT, TEXT_HEIGHT } from './drawing.ts';
import { LABEL_HEIGHT } from './routes.ts';
import { cardDescription, edgeDescription, factsOf } from './text.ts';

/** `isFar` leaves out the text, which would be too small to read. */
export function drawCard({ id, node, rect, title, lines, problems }: Card, isFar: boolean): SVGGElement {
  const facts = factsOf(node);
  const isWrong = node.kind === 'unknown' || problems.length > 0;
  const group = svg('g', {
    class: ['card', node.kind, isWrong && 'wrong', node.kind === 'skill' && `level-${node.level ?? 0}`]
      .filter((name) => name !== false)
      .join(' '),
    role: 'button',
    tabindex: -1,
    'aria-label': isFar
      ? [node.name, ...facts].join('; ')
      : cardDescription(node, [title, ...lines, problems.join(' · ')].join(' ')),
  });
  if (node.kind === 'skill' && node.isDeprecated) group.classList.add('deprecated');
  group.dataset.id = id;
  const description = node.kind === 'skill' ? node.description : null;
  const { width, height } = rect;
  group.append(
    svg('title', {}, [node.name, ...(description === null ? [] : [description]), ...facts].join('\n')),
    svg('rect', { class: 'outline', width, height, rx: 4 }),
  );
  if (isFar) return group;
  group.append(svg('text', { class: 'large', x: 12, y: HEAD_HEIGHT + 2 }, title));
  let y = HEAD_HEIGHT + 2;
  for (const line of lines) {
    y += TEXT_HEIGHT;
    // Without the space a screen reader would join the lines.
    group.append(svg('text', { class: 'small', x: 12, y }, ` ${line}`));
  }
  if (problems.length > 0) {
    y += TEXT_HEIGHT;
    group.append(warning(12, y - 11), svg('text', { class: 'trouble', x: 28, y }, ` ${problems.join(' · ')}`));
  }
  return group;
}

/** A circle with a cross, since problems must not be shown by colour alone. */
const warning = (x: number, y: number): SVGElement =>
  svg('path', {
    class: 'trouble-icon',
    transform: `translate(${x} ${y})`,
    d: 'M6 0.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11z M4 4l4 4 M8 4l-4 4',
  });

export function drawEdge(drawnEdge: DrawnEdge): SVGPathElement {
  const { edge, path, target, stages } = drawnEdge;
  const kind = kindOf(edge, target.kind === 'unknown');
  const drawn = svg('path', {
    class: ['line', kind, edge.isCritical && 'critical'].filter(Boolean).join(' '),
    d: path,
    'marker-end': `url(#${ARROW})`,
  });
  drawn.append(svg('title', {}, edgeDescription(edge, target, stages)));
  return drawn;
}

export function drawLabel({ label = { x: 0, y: 0 }, labelWidth, labelText, edge }: DrawnEdge): SVGGElement {
  const isBad = edge.isInCycle || !edge.isAllowed;
  const background = { x: -labelWidth / 2, y: -LABEL_HEIGHT / 2, width: labelWidth, height: LABEL_HEIGHT };
  return svg(
    'g',
    { class: `line-label${isBad ? ' bad' : ''}`, transform: `translate(${label.x} ${label.y})` },
    svg('rect', background),
    svg('text', { y: LABEL_HEIGHT / 4, 'text-anchor': 'middle' }, labelText),
  );
}

const kindOf = ({ isInCycle, isAllowed }: ShownEdge, isUnknown: boolean): 'bad' | 'unknown' | 'plain' =>
  isInCycle || !isAllowed ? 'bad' : isUnknown ? 'unknown' : 'plain';

export const drawBand = ({ y }: { readonly y: number }, width: number): SVGElement =>
  svg('path', { class: 'band', d: `M0 ${y}H${width}` });

export const drawTitle = ({ title, y }: { readonly title: string; readonly y: number }): SVGElement =>
  svg('text', { class: 'band-title', x: 8, y: y + 16 }, title);
