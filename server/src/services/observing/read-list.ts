/** Reads a client's list, and the bodies that it delivers, from recorded requests. */
import { dirname, join } from 'node:path';
import { type PlacedString, stringsIn } from './model/json-values.ts';
import type { RecordedRequest } from './model/server.ts';
import type { ListForm, Place } from './observed-client.ts';

/** The number of characters around a list that are kept: enough for its frame, and no more of the prompt. */
const AROUND = 160;

/** An entry of a list, as it was sent. */
export interface Entry {
  readonly name: string;
  readonly text: string;
}

export interface List {
  readonly place: string;
  readonly before: string;
  readonly after: string;
  /** Everything after the last entry, of which `after` is the beginning. */
  readonly rest: string;
  readonly entries: readonly Entry[];
  /** The whole string from the first entry to the last. */
  readonly text: string;
}

/** Returns the list in the string that has the most entries; undefined if none has one. */
export function readList(client: ListForm, strings: readonly PlacedString[], place: Place): List | undefined {
  let best: List | undefined;
  for (const { path, text: whole } of strings) {
    const region = client.region ? client.region.exec(whole)?.groups?.list : whole;
    const matches = region === undefined ? [] : [...region.matchAll(client.entry)];
    const [first, last] = [matches[0], matches.at(-1)];
    if (!first || !last || region === undefined || matches.length <= (best?.entries.length ?? 0)) continue;
    const offset = whole.indexOf(region);
    const [start, end] = [offset + first.index, offset + last.index + last[0].length];
    best = {
      place: path,
      before: tidied(frameBefore(whole.slice(Math.max(0, start - AROUND), start)), place),
      after: tidied(withoutPart(frameAfter(whole.slice(end, end + AROUND)), place), place),
      rest: whole.slice(end),
      entries: matches.map((match) => ({ name: match.groups?.name ?? '', text: tidied(match[0], place) })),
      text: tidied(whole.slice(start, end), place),
    };
  }
  return best;
}

/** Returns a text without the beginning of a path of the run at its end, where the text was cut. */
function withoutPart(text: string, { workspace, home, installed }: Omit<Place, 'start'>): string {
  const paths = [workspace, home, installed ?? ''];
  const at = text.lastIndexOf(' ') + 1;
  const start = text.slice(at).search(/[\\/]/);
  const tail = start < 0 ? '' : text.slice(at + start);
  return tail !== '' && paths.some((path) => path !== tail && path.startsWith(tail)) ? text.slice(0, at + start) : text;
}

/** Returns the last paragraph of a text, with the white space after it, without a line that begins earlier. */
function frameBefore(text: string): string {
  const at = text.trimEnd().lastIndexOf('\n\n');
  if (at >= 0) return text.slice(at + 2);
  const line = text.indexOf('\n');
  return line < 0 || text.slice(line).trim() === '' ? text : text.slice(line + 1);
}

/** Returns the start of a text up to the end of its first closing tag, or to its first empty line. */
function frameAfter(text: string): string {
  const tag = /^\s*<\/[\w-]+>/.exec(text)?.[0];
  if (tag !== undefined) return tag;
  const at = text.trimStart() === text ? text.indexOf('\n\n') : text.indexOf('\n\n', text.search(/\S/));
  return at < 0 ? text : text.slice(0, at);
}

/**
 * Replaces the paths of a run and what differs between runs. A path is also found in a URL, with characters as `%2F`, and
 * in JSON with `\\`.
 */
export function tidied(text: string, { workspace, home, installed }: Omit<Place, 'start'>): string {
  const paths = [
    [workspace, '{workspace}'],
    [home, '{home}'],
    [join(dirname(workspace), 'elsewhere'), '{elsewhere}'],
    ...(installed === undefined ? [] : [[installed, '{installed}'] as const]),
  ] as const;
  let tidy = text;
  for (const [path, name] of paths) {
    const forms = new Set([path, encodeURI(path), encodeURIComponent(path), path.replaceAll('\\', '\\\\')]);
    // `…/work-2` is another folder.
    for (const form of forms) tidy = tidy.replace(new RegExp(`${escaped(form)}(?![\\w-])`, 'g'), name);
  }
  return tidy
    .replace(/[◐◓◑◒] {2}[^…\n]*…/g, '')
    .replace(/\b127\.0\.0\.1:\d+/g, '127.0.0.1:{port}')
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '{uuid}')
    .replace(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?/g, '{time}')
    .replaceAll(new Date().toISOString().slice(0, 10), '{today}');
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Keys of IDs and kinds, which a model does not read as text. */
const FORMAL = new Set(['id', 'role', 'type', 'tool_call_id', 'tool_use_id', 'call_id', 'status', 'name', 'arguments']);

/** Returns the strings of a request that an earlier one does not have, with their places. */
export function newStrings(request: RecordedRequest, before: RecordedRequest | undefined, place: Place) {
  const known = new Set(before ? stringsIn(before.body).map(({ text }) => text) : []);
  return stringsIn(request.body)
    .filter(({ path, text }) => !known.has(text) && !FORMAL.has(path.slice(path.lastIndexOf('.') + 1)))
    .filter(({ path }) => !path.startsWith('tools.'))
    .map(({ path, text }) => ({ place: path, text: tidied(text, place) }));
}

/** Keys of a result itself, which are not its text. */
const FORMAL_OF_RESULT = new Set([...FORMAL, 'is_error', 'cache_control']);

/**
 * Returns every string of the results that a request has after those of an earlier one, whatever its form. A string is
 * new if its result is new, although an earlier result may have the same text.
 */
export function newResults(
  { body, resultPaths }: RecordedRequest,
  before: RecordedRequest | undefined,
  place: Place,
): readonly string[] {
  const added = resultPaths.slice(before?.results ?? 0);
  return stringsIn(body).flatMap(({ path, text }) => {
    const owner = added.find((one) => path.startsWith(`${one}.`));
    if (owner === undefined || text.trim() === '') return [];
    const keys = path.slice(owner.length + 1).split('.');
    if (keys.at(-1) === 'type' || FORMAL_OF_RESULT.has(keys[0] ?? '')) return [];
    return [tidied(text, place)];
  });
}
