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

/** A path of straight lines with rounded corners. */
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
