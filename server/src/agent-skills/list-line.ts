/**
 * The entry of a skill in the list that a client shows to its model, and the position of the entry (docs/clients.md,
 * "The form of the list").
 */
import { lengthOf } from '../skill/agent-skill-facts.ts';
import type { Client, ListFormat } from '../vocabulary/client.ts';
import { decoded, folderOf } from '../vocabulary/dialect.ts';
import { placeIn } from './client-folders.ts';
import { nameInClient } from './duplicates.ts';
import { isEmptyDescription, readText } from './read-keys.ts';
import { folderName, type Subject } from './subject.ts';

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
const PLAIN = '{name}: {description}';

/**
 * Returns the entry of a skill in a client's list (docs/clients.md, "The form of the list"); undefined if the list drops
 * the skill. The caller checks that the client lists the skill at all. Never throws.
 */
export function listLine(
  client: Client,
  subject: Subject,
  { outcome, shortenedTo = Infinity }: ListedAs,
): ListLine | undefined {
  if (outcome === 'dropped') return undefined;
  const { format } = client.listing;
  const { line = PLAIN, nameOnly } = format;
  const written = writtenDescription(client, subject);
  const source = outcome === 'first-line' ? firstLineOf(client, subject) : written;
  const prepared = prepare(source, format);
  const hasDescriptions = line.includes('{description}');
  const hasNone = outcome === 'name-only' || !hasDescriptions;
  const kept = hasNone ? 0 : outcome === 'shortened' ? shortenedTo : Infinity;
  const description = cutToBudget(cutToLimit(prepared, client), format, kept);
  const template = description.text === '' ? (nameOnly ?? line) : line;
  // Some clients write other text instead of a missing description.
  const isReplaced = written === '' && !hasNone && nameOnly === undefined && !isEmptyDescription(client, subject);
  const path = shownPath(client, subject);
  const isPathKnown = path.isExact || !template.includes('{path}');
  const label = labelOf(client, subject);
  return {
    text: filled(template, format, {
      name: nameInClient(client, subject),
      label,
      description: description.text,
      path: path.text,
      scope: placeIn(client, subject)?.dir.scope ?? 'project',
    }),
    // The client leaves out a label that is the name of another skill.
    isExact: isFormKnown(format) && isPathKnown && label === '' && description.isExact && !isReplaced,
    shown: description.isCut ? lengthInSource(source, prepared, description.shown) : lengthOf(source).characters,
    isCut: hasDescriptions && (description.isCut || source.trimEnd().length < written.trimEnd().length),
  };
}

/** Returns the `name` of a skill whose client identifies it by its folder, as the entry shows it beside the folder. */
function labelOf(client: Client, subject: Subject): string {
  const { label } = client.listing.format;
  const name = label === undefined ? undefined : readText(client, subject, 'name')?.text.trim();
  return name === undefined || name === folderName(subject) || !new RegExp(label ?? '', 'u').test(name)
    ? ''
    : ` (${name})`;
}

/** Returns whether the text of the client's lines is known exactly. */
export const isFormKnown = ({ line, exact, certainty }: ListFormat): boolean =>
  line !== undefined && exact !== false && certainty !== 'unverified';

/** The position of an entry in a list that also contains the client's own skills, counted from 1. */
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
export function writtenDescription(client: Client, subject: Subject): string {
  const { limits, listing } = client;
  const keys = ['description', ...(limits.description?.value.with ?? [])];
  const texts = keys.flatMap((key) => {
    const text = readText(client, subject, key)?.text;
    const isCut = listing.format.cutsLastBreak && subject.facts.keys.at(-1)?.name === key;
    return (isCut ? text?.replace(/\n$/, '') : text) ?? [];
  });
  return texts.length > 0 ? texts.join(listing.format.joiner ?? ' ') : textFromBody(client, subject);
}

/** Returns the text of the body that a client shows instead of a missing description. */
function textFromBody(client: Client, subject: Subject): string {
  const { fromBody } = client.listing.format;
  const { opening } = subject.facts;
  if (!fromBody || !opening || isEmptyDescription(client, subject)) return '';
  const { part, most = Infinity, empty = '' } = fromBody;
  const text = opening[part].replace(/^#{1,6}\s+/, '');
  if (text === '') return empty;
  return text.length > most ? `${text.slice(0, most - 3)}...` : text;
}

const firstLineOf = (client: Client, subject: Subject): string =>
  (readText(client, subject, 'description')?.text ?? '').split('\n', 1)[0] ?? '';

/** Changes a description as the client does when it loads the file. */
function prepare(written: string, { trims, folds, removesTags, exact, line }: ListFormat): string {
  const text = removesTags ? withoutTags(written) : written;
  if (folds) return text.trim().replace(folds === 'breaks' ? /[\r\n\t]+/g : /\s+/g, ' ');
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

type Placeholder = 'name' | 'label' | 'description' | 'path' | 'scope';

function filled(template: string, { escapes }: ListFormat, values: Readonly<Record<Placeholder, string>>): string {
  const escaped = (text: string) => text.replace(/[&<>"'`=]/g, (one) => escapes?.characters[one] ?? one);
  return template.replace(/\{(name|label|description|path|scope)\}/g, (_, key: Placeholder) =>
    escapes?.placeholders.includes(key) ? escaped(values[key]) : values[key],
  );
}

const HOME = /^(?:\/(?:home|Users)\/[^/]+|[a-z]:\\Users\\[^\\]+)(?=[\\/])/i;

/** The path of a file in an entry. */
interface ShownPath {
  readonly text: string;
  readonly isExact: boolean;
}

/**
 * Returns the path of a skill's file as the client writes it. The number of an alias depends on the folders in the
 * user's home: 0 is the client's own folder.
 */
function shownPath(client: Client, subject: Subject): ShownPath {
  const { format } = client.listing;
  if (format.path !== 'alias') return pathOf(subject.uri, format);
  const parts = [...subject.folders, subject.fileName];
  return { text: `r1/${parts.slice(-1 - (placeIn(client, subject)?.depth ?? 1)).join('/')}`, isExact: false };
}

/** Returns a path in a client's form. The user's home is guessed from the usual places. */
function pathOf(uri: string, { path: form }: ListFormat): ShownPath {
  const path = decoded(uri.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, ''));
  const isWindows = /^\/[a-z]:\//i.test(path);
  const native = isWindows ? path.slice(1).replaceAll('/', '\\') : path;
  if (form === 'alias') return { text: isWindows ? path.slice(1) : path, isExact: true };
  if (form !== 'home') return { text: native, isExact: form === 'native' };
  const text = native.replace(HOME, '~');
  return { text: text === native ? native : text.replaceAll('\\', '/'), isExact: text === native };
}
