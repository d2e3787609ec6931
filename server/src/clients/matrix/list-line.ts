/**
 * The entry of a skill in the list that a client shows to its model, and the position of the entry (docs/clients.md,
 * "The form of the list").
 */

import { lengthOf } from '../../skill/agent-skill-facts.ts';
import { decoded, folderOf } from '../../vocabulary/dialect.ts';
import type { Client } from '../facts/client.ts';
import type { EntryRules, Part } from '../pipeline/entry.ts';
import { knownOf } from '../pipeline/pipeline.ts';
import { entriesOf, type KnownFiles, Loader } from '../pipeline/predict.ts';
import { unkeptLength } from './listed-length.ts';
import { nameInClient, stepsOf, surroundingsOf } from './prediction.ts';
import type { RivalFiles } from './rivals.ts';
import type { Subject } from './subject.ts';

/**
 * The part of an entry that the list shows. `first-line`: the first line of the description, without further keys.
 * `maybe`: some of the entries with this outcome lose their description or are dropped.
 */
export type ListingOutcome = 'whole' | 'shortened' | 'first-line' | 'name-only' | 'dropped' | 'maybe';

/** The outcome for an entry. `shortenedTo` is the number of characters that the description keeps. */
export interface ListedAs {
  readonly outcome: ListingOutcome;
  readonly shortenedTo?: number;
}

export interface ListLine {
  /** The entry, with line breaks if the client writes several lines for a skill. */
  readonly text: string;
  /** False if the form of the entry, of its path, or of the cut in it, is not known. */
  readonly isExact: boolean;
  /** The number of characters of the description that the entry shows, counted as the file contains them. */
  readonly shown: number;
  /** False for a client whose list never contains descriptions: it does not cut this one. */
  readonly isCut: boolean;
}

/** The line of a client whose form is not known. */
const PLAIN: Pick<EntryRules, 'line' | 'escaped'> = { line: '{name}: {description}', escaped: [] };

/**
 * Returns the entry of a skill in a client's list (docs/clients.md, "The form of the list"); undefined if the list drops
 * the skill. The caller checks that the client lists the skill at all. Never throws.
 *
 * @param rivals the skills that the client may find together with it; undefined if they are not known
 * @param loader that of `loaderInPlace`, which remembers what it has loaded
 */
export function listLine(
  client: Client,
  subject: Subject,
  listed: ListedAs,
  rivals?: RivalFiles,
  loader: Loader = loaderInPlace(client, subject, rivals?.known),
): ListLine | undefined {
  if (listed.outcome === 'dropped') return undefined;
  const form = formOf(client, listed);
  const part = partOf(client, listed);
  const entries = entriesOf(loader, form, subject.file, part, rivals?.files);
  const [entry] = entries;
  // The caller may ask for a skill that the client does not load for sure.
  if (!entry) return { text: nameInClient(client, subject, loader), isExact: false, shown: 0, isCut: false };
  const { line, written, prepared, shown } = entry;
  const hasDescriptions = form.line?.includes('{description}') === true;
  const isFirstLine = part.kind === 'first-line' && written !== writtenDescription(client, subject, loader).trimEnd();
  const unkept = shown === undefined && part.kind === 'whole' ? unkeptLength(client, subject).characters : 0;
  const isSure = unkept === 0 && entries.length === 1 && isFormKnown(client) && !isGuessed(form, line ?? '');
  return {
    text: line ?? '',
    // A client that shows two names leaves out one that another skill has.
    isExact: isSure && (rivals !== undefined || !entry.hasLabel) && part.kind !== 'start',
    shown: !hasDescriptions
      ? 0
      : shown === undefined
        ? lengthOf(written).characters + unkept
        : lengthInSource(written, prepared, shown),
    isCut: hasDescriptions && ((shown !== undefined && prepared.trim() !== '') || isFirstLine),
  };
}

/** Returns a loader for a client that is started in the folder above its folder with a skill, and finds all skills. */
export const loaderInPlace = (client: Client, subject: Subject, known?: KnownFiles): Loader =>
  new Loader(
    stepsOf(client),
    surroundingsOf(client, subject, () => []),
    known,
  );

/** Returns the form of an entry: a plain line if it is not known, and the line for names in a list that is too long. */
function formOf(client: Client, { outcome }: ListedAs): EntryRules {
  const { entry } = stepsOf(client);
  const { nameOnly } = client.listing.format;
  if (entry.line === null) return { ...entry, ...PLAIN };
  if (outcome !== 'name-only' || entry.short !== undefined || nameOnly === undefined) return entry;
  return { ...entry, short: nameOnly };
}

/** Returns whether a line has parts that depend on the user's home. */
const isGuessed = (entry: EntryRules, line: string): boolean =>
  entry.line?.includes('{root}') === true || (entry.path === 'home' && line.includes('~/'));

function partOf({ listing: { format } }: Client, { outcome, shortenedTo = Infinity }: ListedAs): Part {
  if (outcome === 'name-only') return { kind: 'nothing' };
  if (outcome === 'first-line') return { kind: 'first-line' };
  return outcome === 'shortened'
    ? {
        kind: 'start',
        to: shortenedTo,
        mark: format.ellipsis?.budget ?? '…',
        ...(format.foldsIfCut && { folds: true }),
      }
    : { kind: 'whole' };
}

/** Returns whether the text of the client's lines is known exactly. */
export function isFormKnown(client: Client): boolean {
  const steps = stepsOf(client);
  return steps.entry.line !== null && knownOf(steps, 'entry')?.certainty !== 'unverified';
}

/** The position of an entry in a list that also contains the client's own skills, counted from 1. */
export interface ListPosition {
  readonly at: number;
  readonly of: number;
}

/** Returns true if the order of the client's list is known and does not depend on the file system. */
export const isOrderKnown = ({ listing: { order } }: Client): boolean =>
  order !== undefined && order.certainty !== 'unverified' && order.value !== 'found';

/** Returns the text by which a client sorts a skill. The skills of a workspace have the same scope. */
export function sortKeyOf(client: Client, subject: Subject, name = nameInClient(client, subject)): string {
  const order = isOrderKnown(client) ? client.listing.order?.value : undefined;
  if (order === 'folder-path') return decoded(folderOf(subject.uri)).toLowerCase();
  if (order === 'file-path') return decoded(subject.uri);
  return name;
}

/**
 * Returns the position of a skill in a list of the skills of a workspace and the client's own ones. Undefined if the
 * client's order is not known, or if the skill is not listed.
 */
export function positionIn(
  client: Client,
  inOrder: readonly { readonly uri: string; readonly sortKey: string }[],
  uri: string,
): ListPosition | undefined {
  const index = isOrderKnown(client) ? inOrder.findIndex((one) => one.uri === uri) : -1;
  const { place = 'last', skills = [] } = client.listing.builtIn?.value ?? {};
  const own = inOrder[index];
  if (!own) return undefined;
  const before = skills.filter(({ name }) => place === 'first' || (place === 'in-order' && name < own.sortKey));
  return { at: index + 1 + before.length, of: inOrder.length + skills.length };
}

/** Returns the values of the keys that a client joins into one description, as the file contains them. */
export function writtenDescription(client: Client, subject: Subject, loader = loaderInPlace(client, subject)): string {
  return entriesOf(loader, stepsOf(client).entry, subject.file, { kind: 'whole' })[0]?.written ?? '';
}

/** Returns the number of characters in the source of the first `shown` characters of the prepared text. */
function lengthInSource(source: string, prepared: string, shown: number): number {
  if (source === prepared) return shown;
  const characters = [...source];
  let at = 0;
  for (const character of [...prepared].slice(0, shown)) {
    while (at < characters.length && !isSame(characters[at] as string, character)) at++;
    at++;
  }
  return Math.min(at, characters.length);
}

const isSame = (a: string, b: string): boolean => a === b || (b === ' ' && a.trim() === '');
