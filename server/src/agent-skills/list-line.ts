/**
 * The entry of a skill in the list that a client shows to its model, and the position of the entry (docs/clients.md,
 * "The form of the list").
 */
import { lengthOf } from '../skill/agent-skill-facts.ts';
import type { Client, ListFormat } from '../vocabulary/client.ts';
import { decoded, folderOf } from '../vocabulary/dialect.ts';
import { placeIn } from './client-folders.ts';
import { nameInClient } from './duplicates.ts';
import { type Subject, textOf } from './subject.ts';

/**
 * The part of an entry that the list shows. `maybe` means that some of the entries with this outcome lose their
 * description or are dropped.
 */
export type ListingOutcome = 'whole' | 'shortened' | 'name-only' | 'dropped' | 'maybe';

/** The outcome for an entry. `shortenedTo` is the number of characters that the description keeps. */
export interface ListedAs {
  readonly outcome: ListingOutcome;
  readonly shortenedTo?: number;
  /** True if the client may write aliases for the start of paths. */
  readonly hasAliases?: boolean;
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
const PLAIN = '{name}: {description}';

/**
 * Returns the entry of a skill in a client's list (docs/clients.md, "The form of the list"); undefined if the list drops
 * the skill. The caller checks that the client lists the skill at all. Never throws.
 */
export function listLine(
  client: Client,
  subject: Subject,
  { outcome, shortenedTo = Infinity, hasAliases = false }: ListedAs,
): ListLine | undefined {
  if (outcome === 'dropped') return undefined;
  const { format } = client.listing;
  const { line = PLAIN, nameOnly } = format;
  const written = writtenDescription(client, subject);
  const prepared = prepare(written, format);
  const hasDescriptions = line.includes('{description}');
  const hasNone = outcome === 'name-only' || !hasDescriptions;
  const kept = hasNone ? 0 : outcome === 'shortened' ? shortenedTo : Infinity;
  const description = cutToBudget(cutToLimit(prepared, client), format, kept);
  const template = description.text === '' ? (nameOnly ?? line) : line;
  // Some clients write other text instead of a missing description.
  const isReplaced = written === '' && !hasNone && nameOnly === undefined;
  const path = shownPath(subject.uri, format);
  const isPathKnown = (path.isExact && !hasAliases) || !template.includes('{path}');
  return {
    text: filled(template, format, {
      name: nameInClient(client, subject),
      description: description.text,
      path: path.text,
      scope: placeIn(client, subject)?.dir.scope ?? 'project',
    }),
    isExact: isFormKnown(format) && isPathKnown && description.isExact && !isReplaced,
    shown: description.isCut ? lengthInSource(written, prepared, description.shown) : lengthOf(written).characters,
    isCut: hasDescriptions && description.isCut,
  };
}

/** Returns whether the text of the client's lines is known exactly. */
export const isFormKnown = ({ line, exact, certainty }: ListFormat): boolean =>
  line !== undefined && exact !== false && certainty !== 'unverified';

/** The position of an entry in a list, counted from 1. */
export interface ListPosition {
  readonly at: number;
  readonly of: number;
}

/** Returns true if the order of the client's list is known and does not depend on the file system. */
export const isOrderKnown = ({ listing: { order } }: Client): boolean =>
  order !== undefined && order.certainty !== 'unverified' && order.value !== 'found';

/** Returns the text by which a client sorts a skill. The skills of a workspace have the same scope. */
export function sortKeyOf(client: Client, subject: Subject): string {
  const order = isOrderKnown(client) ? client.listing.order?.value : undefined;
  if (order === 'folder-path') return decoded(folderOf(subject.uri)).toLowerCase();
  if (order === 'file-path') return decoded(subject.uri);
  return nameInClient(client, subject);
}

/**
 * Returns the position of a skill among the entries of a workspace, in the client's order. Undefined if the client's
 * order is not known, or if the skill is not listed.
 */
export function positionIn(
  client: Client,
  inOrder: readonly { readonly uri: string }[],
  uri: string,
): ListPosition | undefined {
  const index = isOrderKnown(client) ? inOrder.findIndex((one) => one.uri === uri) : -1;
  return index < 0 ? undefined : { at: index + 1, of: inOrder.length };
}

/** Returns the values of the keys that a client joins into one description, as the file contains them. */
export function writtenDescription({ limits, listing }: Client, subject: Subject): string {
  const keys = ['description', ...(limits.description?.value.with ?? [])];
  return keys.flatMap((key) => textOf(subject, key)?.text ?? []).join(listing.format.joiner ?? ' ');
}

/** Changes a description as the client does when it loads the file. */
function prepare(written: string, { trims, folds, removesTags, exact, line }: ListFormat): string {
  const text = removesTags ? withoutTags(written) : written;
  if (folds) return text.trim().replace(/\s+/g, ' ');
  return trims || exact === false || line === undefined ? text.trim() : text;
}

/** Removes everything from a `<` to the next `>`, if there is text between them. */
function withoutTags(text: string): string {
  let kept = '';
  for (let from = 0; ; ) {
    const open = text.indexOf('<', from);
    const close = open < 0 ? -1 : text.indexOf('>', open + 1);
    if (close < 0) return kept + text.slice(from);
    kept += text.slice(from, close === open + 1 ? close + 1 : open);
    from = close + 1;
  }
}

interface Cut {
  readonly text: string;
  /** The number of characters before the ellipsis. */
  readonly shown: number;
  readonly isCut: boolean;
  readonly isExact: boolean;
}

/** Cuts a description at the client's limit. A known ellipsis counts towards the limit. */
function cutToLimit(whole: string, { limits, outcomes, listing }: Client): Cut {
  const { listing: listed, max } = limits.description?.value ?? {};
  const limit = listed ?? (outcomes.description_too_long?.value === 'truncated' ? max : undefined) ?? Infinity;
  const { limit: ellipsis } = listing.format.ellipsis ?? {};
  return cut(
    { text: whole, isCut: false, isExact: true, shown: Infinity },
    limit,
    limit - (ellipsis?.length ?? 0),
    ellipsis,
  );
}

/** Cuts a description so that the list fits into its budget. The length that fits is an estimate. */
function cutToBudget(description: Cut, { ellipsis: { budget = '' } = {} }: ListFormat, most: number): Cut {
  const short = cut(description, most, Math.max(0, most - budget.length), most === 0 ? '' : budget);
  return short === description || most === 0 ? short : { ...short, isExact: false };
}

/** Cuts a text with more than `most` characters after `kept` characters. The ellipsis is undefined if it is not known. */
function cut(whole: Cut, most: number, kept: number, ellipsis: string | undefined): Cut {
  // The number of code units is never less than the number of characters.
  if (whole.text.length <= most || lengthOf(whole.text).characters <= most) return whole;
  const start = [...whole.text.slice(0, 2 * kept)].slice(0, kept).join('');
  return {
    text: `${start}${ellipsis ?? '…'}`,
    shown: Math.min(whole.shown, kept),
    isCut: true,
    isExact: whole.isExact && ellipsis !== undefined,
  };
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

type Placeholder = 'name' | 'description' | 'path' | 'scope';

function filled(template: string, { escapes }: ListFormat, values: Readonly<Record<Placeholder, string>>): string {
  const escaped = (text: string) => text.replace(/[&<>"'`=]/g, (one) => escapes?.characters[one] ?? one);
  return template.replace(/\{(name|description|path|scope)\}/g, (_, key: Placeholder) =>
    escapes?.placeholders.includes(key) ? escaped(values[key]) : values[key],
  );
}

/** Returns the path of the folder of skills that contains a skill, as it is written in the skill's entry. */
export function rootOf(client: Client, subject: Subject): string {
  const { text } = shownPath(subject.uri, client.listing.format);
  return text
    .split('/')
    .slice(0, -1 - (placeIn(client, subject)?.depth ?? 1))
    .join('/');
}

const HOME = /^(?:\/(?:home|Users)\/[^/]+|[a-z]:\\Users\\[^\\]+)(?=[\\/])/i;

/** Returns the path of a file as the client writes it. The user's home is guessed from the usual places. */
function shownPath(uri: string, { path: form }: ListFormat): { readonly text: string; readonly isExact: boolean } {
  if (form === 'url') return { text: uri, isExact: true };
  const path = decoded(uri.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, ''));
  const isWindows = /^\/[a-z]:\//i.test(path);
  const native = isWindows ? path.slice(1).replaceAll('/', '\\') : path;
  if (form === 'slashes') return { text: isWindows ? path.slice(1) : path, isExact: true };
  if (form !== 'home') return { text: native, isExact: form === 'native' };
  const text = native.replace(HOME, '~');
  return { text: text === native ? native : text.replaceAll('\\', '/'), isExact: text === native };
}
