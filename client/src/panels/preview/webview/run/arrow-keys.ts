/** The node that an arrow key leads to: up and down along edges, sideways among nodes at the same height. */
import { middleOf } from '../../../kit/graph/geometry.ts';
import type { Direction } from '../../../kit/keys.ts';
import type { Box, Drawing } from './layout.ts';

export function nextBox({ boxes, routes }: Drawing, from: Box, direction: Direction): Box | undefined {
  const byPath = new Map(boxes.map((box) => [box.path, box]));
  if (direction === 'Left' || direction === 'Right') return beside(boxes, from, direction === 'Right' ? 1 : -1);
  const forward = routes.filter(({ edge }) => edge.kind !== 'loop' && edge.kind !== 'cancel');
  const inside = boxes.find(({ path }) => parentOf(path) === from.path);
  // Down enters an expanded sub-skill at its first node, and leaves it after its last one.
  if (direction === 'Down' && inside) return inside;
  const ways = forward.filter((route) => (direction === 'Down' ? route.from : route.to) === from.path);
  const targets = ways.flatMap((route) => byPath.get(direction === 'Down' ? route.to : route.from) ?? []);
  const straight = closest(targets, from);
  if (straight) return straight;
  const parent = byPath.get(parentOf(from.path));
  if (!parent) return undefined;
  if (direction === 'Up') return parent;
  const out = forward.filter((route) => route.from === parent.path).flatMap((route) => byPath.get(route.to) ?? []);
  return closest(out, from);
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

const closest = (boxes: readonly Box[], from: Box): Box | undefined =>
  [...boxes].sort((a, b) => Math.abs(middleOf(a) - middleOf(from)) - Math.abs(middleOf(b) - middleOf(from)))[0];

function beside(boxes: readonly Box[], from: Box, by: 1 | -1): Box | undefined {
  const level = boxes.filter(
    (box) =>
      box.path !== from.path &&
      parentOf(box.path) === parentOf(from.path) &&
      box.y < from.y + from.height &&
      from.y < box.y + box.height &&
      (middleOf(box) - middleOf(from)) * by > 0,
  );
  return closest(level, from);
}
