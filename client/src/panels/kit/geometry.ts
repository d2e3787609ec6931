/** Points and rectangles of a drawing, in its own pixels. */

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

/** With one decimal, as paths are written. */
export const rounded = (value: number): number => Math.round(value * 10) / 10;
