/** The card that an arrow key leads to: along an edge where there is one, else the nearest in that direction. */
import { middleOf } from '../../kit/graph/geometry.ts';
import type { Direction } from '../../kit/keys.ts';
import type { Card, Drawing } from './drawing.ts';

export function nextCard({ cards, byId, links }: Drawing, from: Card, direction: Direction): Card | undefined {
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
