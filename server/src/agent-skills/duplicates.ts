/** Skills that one client finds under one name. */
import type { Client } from '../vocabulary/client.ts';
import { type Reason, reasonOf } from './cell.ts';
import { type ClientPlacement, placeIn, reaches } from './placed.ts';
import { folderName, type Subject, textOf } from './subject.ts';

/** What becomes of a skill that has others of its name. */
export interface Twin {
  readonly fate: 'stays' | 'hidden' | 'unknown';
  readonly reason: Reason;
}

/** The name by which the client knows a skill. */
export const nameFor = ({ identity }: Client, subject: Subject): string =>
  (identity === 'folder' ? undefined : textOf(subject, 'name')?.text.trim()) ?? folderName(subject);

export function twinOf(client: Client, subject: Subject, others: readonly Subject[]): Twin | undefined {
  const own = others.length > 0 ? foundIn(client, subject) : undefined;
  if (!own) return undefined;
  const name = nameFor(client, subject);
  const twins = others.flatMap((other) => {
    const placed = other.uri !== subject.uri && nameFor(client, other) === name ? foundIn(client, other) : undefined;
    // Folders of the same kind in different places are of different projects.
    return placed && !(placed.rank === own.rank && !sameBase(placed, own)) ? [{ other, placed }] : [];
  });
  if (twins.length === 0) return undefined;
  const { precedence, outcomes } = client;
  const fact = outcomes.duplicate_name ?? precedence;
  const first = twins[0]?.other;
  const text = `\`${name}\` is also in \`${first?.folders.slice(-3).join('/') ?? ''}\``;
  // Copies for several clients have the same folder on purpose.
  const isCopy = twins.every(({ other }) => folderName(other) === folderName(subject));
  const cause = { kind: 'duplicate_name', key: 'name' } as const;
  const because = (words: string, bad = false): Reason =>
    reasonOf(client, fact, `${text}, ${words}`, { cause, ...(bad && { bad }), ...(isCopy && { meant: true }) });
  if (precedence.value === 'both') return { fate: 'stays', reason: because('and both are listed') };
  const ranks = twins.map(({ placed }) => placed.rank);
  if (precedence.value === 'unknown' || fact.value === 'unknown' || ranks.includes(own.rank)) {
    return { fate: 'unknown', reason: because('and which of them stays is not known') };
  }
  const wins =
    precedence.value === 'first' ? ranks.every((rank) => own.rank < rank) : ranks.every((rank) => own.rank > rank);
  if (wins) return { fate: 'stays', reason: because('and this one stays') };
  return { fate: 'hidden', reason: because('which stays in place of this one', true) };
}

function foundIn(client: Client, subject: Subject): ClientPlacement | undefined {
  const placed = placeIn(client, subject);
  return placed && !placed.dir.conditional && reaches(placed) ? placed : undefined;
}

const sameBase = (a: ClientPlacement, b: ClientPlacement): boolean => a.base.join('/') === b.base.join('/');
