/** Reads a client's list, and the bodies that it delivers, from recorded requests. */
import type { LabClient } from './client.ts';
import { type PlacedString, stringsIn } from './model/json.ts';
import type { RecordedRequest } from './model/server.ts';
import type { Situation } from './situations/situation.ts';
import type { Place } from './workspace.ts';

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
  readonly entries: readonly Entry[];
  /** The whole string from the first entry to the last. */
  readonly text: string;
}

/** Returns the list in the string that has the most entries; undefined if none has one. */
export function readList(client: LabClient, strings: readonly PlacedString[], place: Place): List | undefined {
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
      before: tidied(lastParagraphs(whole.slice(Math.max(0, start - AROUND), start)), place),
      after: tidied(whole.slice(end, end + AROUND), place),
      entries: matches.map((match) => ({ name: match.groups?.name ?? '', text: tidied(match[0], place) })),
      text: tidied(whole.slice(start, end), place),
    };
  }
  return best;
}

/** Returns the part of a text after its first empty line, if more than white space follows. */
function lastParagraphs(text: string): string {
  const at = text.indexOf('\n\n');
  const rest = at < 0 ? '' : text.slice(at + 2);
  return rest.trim() === '' ? text : rest;
}

/** Replaces the paths of a run and what differs between runs. */
export function tidied(text: string, { workspace, home }: Place): string {
  return text
    .replaceAll(workspace, '{workspace}')
    .replaceAll(home, '{home}')
    .replace(/\b127\.0\.0\.1:\d+/g, '127.0.0.1:{port}')
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '{uuid}')
    .replace(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?/g, '{time}')
    .replaceAll(new Date().toISOString().slice(0, 10), '{today}');
}

/** Returns true if a text belongs to a situation: it has one of its words, as a whole word. */
export const belongsTo = (text: string, { words }: Situation): boolean =>
  words.some((word) => {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      if (!isWordPart(text[at - 1]) && !isWordPart(text[at + word.length])) return true;
    }
    return false;
  });

// A name such as `s01-plain-2` is not `s01-plain`.
const isWordPart = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character);

/** Returns the lines of an output that belong to a situation. */
export const messagesOf = (output: string, situation: Situation): readonly string[] => [
  ...new Set(
    output
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line.length < 2_000 && belongsTo(line, situation)),
  ),
];

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
