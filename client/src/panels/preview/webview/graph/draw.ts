/** Draws a graph that was laid out. The style sheet gives it the theme's colours by class. */

import { ARROW } from '../../../kit/arrow-tip.ts';
import { svg } from '../../../kit/dom.ts';
import { type Point, rounded } from '../../../kit/geometry.ts';
import { t } from '../../../kit/l10n.ts';
import { type Box, CIRCLE, type Drawing, LINE, type Route } from './layout.ts';
import { edgeText, interruptText } from './text.ts';

export function drawGraph({ boxes, routes }: Drawing): SVGGElement {
  const titles = new Map(boxes.map(({ path, lines, node }) => [path, lines[0]?.text ?? node.label]));
  const frames = boxes.filter(({ isExpanded }) => isExpanded).map((box) => drawBox(box));
  const others = boxes.filter(({ isExpanded }) => !isExpanded).map((box) => drawBox(box));
  const lines = routes.map((route) => drawRoute(route, titles.get(route.to) ?? ''));
  const labels = routes.flatMap((route) => drawLabel(route) ?? []);
  return svg('g', { class: 'drawing' }, ...frames, ...lines, ...labels, ...others);
}

function drawBox(box: Box): SVGGElement {
  const { path, node, x, y, width, isExpanded, isExpandable, description, lines, interrupts } = box;
  const group = svg('g', {
    class: `node ${node.kind}${isExpanded ? ' open' : ''}`,
    transform: `translate(${rounded(x)} ${rounded(y)})`,
    role: 'button',
    tabindex: -1,
    'aria-label': description,
    'aria-expanded': isExpandable ? String(isExpanded) : undefined,
  });
  group.dataset.path = path;
  const tooltip = [description, node.instructions ?? node.guidance].filter((text) => text !== undefined).join('\n\n');
  group.append(svg('title', {}, tooltip), ...outline(box));
  let at = textTop(box);
  const middle = isExpandable ? (width + 12) / 2 : width / 2;
  for (const { text, large } of lines) {
    at += large ? LINE.large : LINE.small;
    const left = isExpanded ? 28 : middle;
    group.append(
      svg(
        'text',
        { x: left, y: at - 4, class: large ? 'large' : 'small', 'text-anchor': isExpanded ? 'start' : 'middle' },
        // Without the space a screen reader would join the lines.
        `${text} `,
      ),
    );
  }
  if (isExpandable) group.append(expandSign(isExpanded));
  for (const [nth, one] of interrupts.entries()) group.append(flag(width, nth, interruptText(one)));
  return group;
}

function outline({ node, width, height }: Box): SVGElement[] {
  const { kind } = node;
  if (kind === 'branch') {
    const [x, y] = [width / 2, height / 2];
    return [svg('path', { class: 'outline', d: `M${x} 0L${width} ${y}L${x} ${height}L0 ${y}Z` })];
  }
  if (kind === 'join') return [svg('rect', { class: 'beam', width, height: 4, rx: 2 })];
  if (kind === 'parallel' || kind === 'speculate') {
    return [svg('rect', { class: 'beam', y: height - 4, width, height: 4, rx: 2 })];
  }
  if (kind === 'check_exit') {
    const at = { cx: width / 2, cy: CIRCLE };
    return [
      svg('circle', { class: 'outline', ...at, r: CIRCLE - 1 }),
      svg('circle', { class: 'exit', ...at, r: CIRCLE - 5 }),
    ];
  }
  return [svg('rect', { class: 'outline', width, height, rx: 4 })];
}

const textTop = ({ node }: Box): number => {
  if (node.kind === 'check_exit') return CIRCLE * 2 + 4;
  return node.kind === 'parallel' || node.kind === 'speculate' ? 0 : 6;
};

/** The sign that expands and collapses a sub-skill. */
function expandSign(isExpanded: boolean): SVGElement {
  const group = svg('g', { class: 'sign', transform: 'translate(8 8)' });
  group.append(svg('rect', { class: 'hit', x: -4, y: -4, width: 20, height: 20 }));
  group.append(svg('path', { d: isExpanded ? 'M2 4L6 8L10 4' : 'M4 2L8 6L4 10' }));
  return group;
}

function flag(width: number, nth: number, text: string): SVGElement {
  const group = svg('g', { class: 'flag', transform: `translate(${width - 16 - nth * 12} -6)` });
  group.append(svg('title', {}, text), svg('path', { d: 'M1 13V1H10L7.5 4L10 7H1' }));
  return group;
}

function drawRoute({ points, edge, from, to }: Route, target: string): SVGElement {
  const line = svg('path', { class: `edge ${edge.kind}`, d: pathOf(points), 'marker-end': `url(#${ARROW})` });
  line.dataset.from = from;
  line.dataset.to = to;
  line.append(svg('title', {}, edgeText(edge, target)));
  return line;
}

function drawLabel({ label, edge }: Route): SVGElement | undefined {
  if (!label) return undefined;
  const top = label.at.y - (label.lines.length * LINE.small) / 2;
  const lines = label.lines.map((text, at) =>
    svg('text', { x: rounded(label.at.x), y: rounded(top + (at + 1) * LINE.small - 4), 'text-anchor': 'middle' }, text),
  );
  return svg('g', { class: 'label' }, svg('title', {}, edge.condition ?? edge.label ?? t('otherwise')), ...lines);
}

/** A path of straight lines with rounded corners. */
function pathOf(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (!first) return '';
  const parts = [`M${rounded(first.x)} ${rounded(first.y)}`];
  for (const [at, point] of rest.entries()) {
    const next = rest[at + 1];
    if (!next) parts.push(`L${rounded(point.x)} ${rounded(point.y)}`);
    else {
      const middle = { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
      const end = at === rest.length - 2 ? next : middle;
      parts.push(`Q${rounded(point.x)} ${rounded(point.y)} ${rounded(end.x)} ${rounded(end.y)}`);
      if (end === next) break;
    }
  }
  return parts.join('');
}
