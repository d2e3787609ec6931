/** The position and zoom of a drawing in its frame. The initial text is readable, and panning stops at the edges. */

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The position and zoom. A point of the drawing is at `x + scale * point.x`, in pixels of the frame. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

const [SMALLEST, LARGEST] = [0.1, 4];
/** The smallest scale of an initial view, at which names can still be read. */
const READABLE = 0.45;
/** The margin around a drawing, in pixels of the frame. */
const MARGIN = 16;

/**
 * Returns the initial view: the whole drawing if its text is then readable, otherwise its top, as wide as readable. If
 * the drawing is still wider than the frame, `start` is centred as far as possible.
 */
export function initialView(frame: Size, drawing: Size, start: Rect | undefined): View {
  const whole = fittingScale(frame, drawing);
  const scale = whole >= READABLE ? whole : Math.max(READABLE, fittingScale(frame, { ...drawing, height: 0 }));
  const middle = start ? start.x + start.width / 2 : drawing.width / 2;
  return within({ x: frame.width / 2 - middle * scale, y: MARGIN, scale }, frame, drawing);
}

/** Returns the view of the whole drawing, with a scale of at most 1. */
export const fittingView = (frame: Size, drawing: Size): View =>
  within({ x: 0, y: 0, scale: Math.max(SMALLEST, fittingScale(frame, drawing)) }, frame, drawing);

function fittingScale(frame: Size, drawing: Size): number {
  const room = (all: number): number => Math.max(1, all - 2 * MARGIN);
  return Math.min(1, room(frame.width) / drawing.width, room(frame.height) / drawing.height);
}

/** Returns the view after zooming by a factor around a point of the frame. */
export function zoomed(view: View, by: number, at: { readonly x: number; readonly y: number }): View {
  const scale = Math.min(LARGEST, Math.max(SMALLEST, view.scale * by));
  const moved = (from: number, about: number): number => about - ((about - from) * scale) / view.scale;
  return { x: moved(view.x, at.x), y: moved(view.y, at.y), scale };
}

/** Returns the nearest view without empty space beyond the margin. A drawing that fits is centred, at the top. */
export function within({ x, y, scale }: View, frame: Size, drawing: Size): View {
  const along = (at: number, room: number, length: number, rest: number): number => {
    const least = room - length * scale - MARGIN;
    return least >= MARGIN ? rest : Math.min(MARGIN, Math.max(least, at));
  };
  return {
    x: along(x, frame.width, drawing.width, (frame.width - drawing.width * scale) / 2),
    y: along(y, frame.height, drawing.height, MARGIN),
    scale,
  };
}

/**
 * Returns the nearest view that shows a rectangle of the drawing, or the beginning of the rectangle if the rectangle is
 * larger than the frame.
 */
export function viewShowing(view: View, frame: Size, box: Rect): View {
  const along = (at: number, room: number, start: number, length: number): number => {
    const first = start * view.scale + at;
    const over = first + length * view.scale + MARGIN - room;
    if (first < MARGIN) return at + MARGIN - first;
    return over > 0 ? at - Math.min(over, first - MARGIN) : at;
  };
  return {
    x: along(view.x, frame.width, box.x, box.width),
    y: along(view.y, frame.height, box.y, box.height),
    scale: view.scale,
  };
}

/** Returns true if a drawing is larger than its frame. */
export const isLarger = ({ scale }: View, frame: Size, drawing: Size): boolean =>
  drawing.width * scale + MARGIN > frame.width || drawing.height * scale + MARGIN > frame.height;

/** A point of a drawing, in pixels of the drawing. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Rect extends Point {
  readonly width: number;
  readonly height: number;
}

export const middleOf = ({ x, width }: Pick<Rect, 'x' | 'width'>): number => x + width / 2;

export const overlaps = (a: Rect, b: Rect): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** Rounds to one decimal, for SVG paths. */
export const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Returns an SVG path through points, which begins and ends vertically and bends only between two points. */
export function curvedPath(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (!first) return '';
  let [{ x, y }, path] = [first, `M${rounded(first.x)} ${rounded(first.y)}`];
  for (const next of rest) {
    // A line of no length has no direction, which the arrow tip needs.
    if (next.x === x && next.y === y) continue;
    const middle = rounded((y + next.y) / 2);
    const end = `${rounded(next.x)} ${rounded(next.y)}`;
    path += next.x === x ? `L${end}` : `C${rounded(x)} ${middle} ${rounded(next.x)} ${middle} ${end}`;
    ({ x, y } = next);
  }
  return path;
}

/** Returns an SVG path of straight lines with rounded corners. */
export function roundedPath(points: readonly Point[]): string {
  const at = ({ x, y }: Point): string => `${rounded(x)} ${rounded(y)}`;
  const [first, ...rest] = points;
  const last = rest.pop();
  if (!first || !last) return '';
  const bends = rest.map((point, nth) => {
    const next = rest[nth + 1];
    return `Q${at(point)} ${at(next ? { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 } : last)}`;
  });
  return `M${at(first)}${bends.length === 0 ? `L${at(last)}` : bends.join('')}`;
}
