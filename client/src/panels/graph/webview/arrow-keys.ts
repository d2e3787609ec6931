/** Where an arrow key leads from a card: down to what it composes, up to who composes it, sideways within its line. */
import type { Card, Picture } from './drawing.ts';

export type Direction = 'Up' | 'Down' | 'Left' | 'Right';

export function nextCard({ cards, byId, lines }: Picture, from: Card, direction: Direction): Card | undefined {
  const middle = middleOf(from);
  const closest = (others: readonly Card[]): Card | undefined =>
    others.reduce<Card | undefined>(
      (best, one) => (best && Math.abs(middleOf(best) - middle) <= Math.abs(middleOf(one) - middle) ? best : one),
      undefined,
    );
  if (direction === 'Down' || direction === 'Up') {
    const isDown = direction === 'Down';
    return closest(
      lines.flatMap(({ edge }) => {
        const other = (isDown ? edge.from : edge.to) === from.id ? byId.get(isDown ? edge.to : edge.from) : undefined;
        return other && other !== from ? [other] : [];
      }),
    );
  }
  const by = direction === 'Right' ? 1 : -1;
  return closest(cards.filter((card) => isBeside(card, from) && (middleOf(card) - middle) * by > 0));
}

const middleOf = ({ rect }: Card): number => rect.x + rect.width / 2;

const isBeside = ({ rect: a }: Card, { rect: b }: Card): boolean => a.y < b.y + b.height && b.y < a.y + a.height;
