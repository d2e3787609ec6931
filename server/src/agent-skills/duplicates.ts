/** Finds skills that have the same name in a client. */
import type { Client } from '../vocabulary/client.ts';
import { type Reason, reasonOf } from './cell.ts';
import { type ClientPlacement, placeIn, reaches } from './client-folders.ts';
import { readText } from './read-keys.ts';
import { folderName, type Subject } from './subject.ts';

/** The outcome for a skill that shares its name with others. */
export interface DuplicateSkill {
  readonly outcome: 'stays' | 'hidden' | 'unknown';
  readonly reason: Reason;
}

/** Returns the name of a skill in a client. */
export function nameInClient(client: Client, subject: Subject): string {
  const written = client.identity === 'folder' ? undefined : readText(client, subject, 'name')?.text.trim();
  const { replaces } = client.limits.name?.value ?? {};
  const name =
    written !== undefined && replaces ? written.replace(replacements(replaces.characters), replaces.by) : written;
  return name ?? folderName(subject);
}

const replacements = (characters: string): RegExp => new RegExp(characters, 'gu');

export function findDuplicate(
  client: Client,
  subject: Subject,
  others: readonly Subject[],
): DuplicateSkill | undefined {
  const own = others.length > 0 ? foundIn(client, subject) : undefined;
  if (!own) return undefined;
  const name = nameInClient(client, subject);
  const duplicates = others.flatMap((other) => {
    const placed =
      other.uri !== subject.uri && nameInClient(client, other) === name ? foundIn(client, other) : undefined;
    // Folders of the same kind with different parents belong to different projects.
    return placed && !(placed.rank === own.rank && !sameBase(placed, own)) ? [{ other, placed }] : [];
  });
  if (duplicates.length === 0) return undefined;
  const { precedence, outcomes } = client;
  const fact = outcomes.duplicate_name ?? precedence;
  const first = duplicates[0]?.other;
  const text = `\`${name}\` is also in \`${first?.folders.slice(-3).join('/') ?? ''}\``;
  // Copies of a skill for several clients intentionally have the same folder name.
  const isCopy = duplicates.every(({ other }) => folderName(other) === folderName(subject));
  const cause = { kind: 'duplicate_name', key: 'name' } as const;
  const because = (words: string, bad = false): Reason =>
    reasonOf(client, fact, `${text}, ${words}`, {
      cause,
      ...(bad && { isLoss: bad }),
      ...(isCopy && { isIntended: true }),
    });
  if (precedence.value === 'both') return { outcome: 'stays', reason: because('and both are listed') };
  const ranks = duplicates.map(({ placed }) => placed.rank);
  if (precedence.value === 'unknown' || fact.value === 'unknown' || ranks.includes(own.rank)) {
    return { outcome: 'unknown', reason: because('and it is not known which one the client uses') };
  }
  const wins =
    precedence.value === 'first' ? ranks.every((rank) => own.rank < rank) : ranks.every((rank) => own.rank > rank);
  if (wins) return { outcome: 'stays', reason: because('and the client uses this one') };
  return { outcome: 'hidden', reason: because('and the client uses that one instead', true) };
}

function foundIn(client: Client, subject: Subject): ClientPlacement | undefined {
  const placed = placeIn(client, subject);
  return placed && !placed.dir.conditional && reaches(placed) ? placed : undefined;
}

const sameBase = (a: ClientPlacement, b: ClientPlacement): boolean => a.base.join('/') === b.base.join('/');
