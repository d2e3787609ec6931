/** The card that an arrow key leads to: down to what a skill composes, up to its composers, sideways within its row. */
import { middleOf, type Rect } from '../../kit/geometry.ts';
import type { Direction } from '../../kit/keys.ts';
import type { Card, Drawing } from './drawing.ts';

export function nextCard({ cards, byId, edges }: Drawing, from: Card, direction: Direction): Card | undefined {
  const middle = middleOf(from.rect);
  const distance = ({ rect }: Card): number => Math.abs(middleOf(rect) - middle);
  const closest = (others: readonly Card[]): Card | undefined =>
    others.reduce<Card | undefined>((best, one) => (best && distance(best) <= distance(one) ? best : one), undefined);
  if (direction === 'Down' || direction === 'Up') {
    const isDown = direction === 'Down';
    return closest(
      edges.flatMap(({ edge }) => {
        const other = (isDown ? edge.from : edge.to) === from.id ? byId.get(isDown ? edge.to : edge.from) : undefined;
        return other && other !== from ? [other] : [];
      }),
    );
  }
  const by = direction === 'Right' ? 1 : -1;
  return closest(cards.filter(({ rect }) => isBeside(rect, from.rect) && (middleOf(rect) - middle) * by > 0));
}

const isBeside = (a: Rect, b: Rect): boolean => a.y < b.y + b.height && b.y < a.y + a.height;
