/** The first half of a client's pipeline, which needs only one file: `open` and `parse`. */
import { parseStrictly, type StrictTree } from '../../languages/yaml/strict.ts';
import { byteLength, type Span, span } from '../../text.ts';
import { type Dialect, type ParseRules, parseKeys, type ReadYaml } from './dialects.ts';
import {
  mayStopAtCrlf,
  type OpenRules,
  openFile,
  plainlyOpened,
  type StopAt,
  withLineBreaks,
  type YamlEnds,
} from './open.ts';
import { isWord } from './plain-scalars.ts';
import { type Field, type FieldValue, isStop, type Reading, type Stop } from './reading.ts';
import { type Ask, firstOf, isChoice, keyOf, type Pick, type Result, resultsOf, resultWith } from './setting.ts';
import { isOrdinary, type Parse, type ParsedKeys, readYaml } from './yaml-dialects.ts';

/** The rules of a client for one file. */
export interface ReadRules {
  readonly open: OpenRules;
  readonly parse: ParseRules;
}

/**
 * Reads a file as a client does. Asks for a setting only if the file makes it matter. Never throws.
 *
 * @param readYamlAs reads YAML with a library; a caller that reads the file with several rules passes a function that
 *   remembers its results
 * @returns the keys and the offset of the body, or the step that stopped, at the exact character
 */
export function readFile(text: string, rules: ReadRules, ask: Ask, readYamlAs?: ReadYaml): Reading {
  const opened = opening(text, rules, ask);
  if ('code' in opened) return opened;
  const { source, yaml, bodyStart } = opened;
  if (!yaml) return { keys: NO_KEYS, bodyStart, isRepaired: true };
  const parsed = resultWith(ask, 'open.yamlEnds', rules.open.yamlEnds ?? 'whole', (ends) =>
    parseKeys(source, withoutEnds(source, yaml, ends), rules.parse, ask, readYamlAs),
  );
  return 'code' in parsed ? parsed : { ...parsed, bodyStart };
}

/** A file after the step `open`, with the text in which line breaks are as the client splits it. */
type OpenedText = ReturnType<typeof openFile> & { readonly source: string };

const opening = (text: string, { open }: ReadRules, ask: Ask): OpenedText => ({
  ...openFile(text, open, ask),
  source: withLineBreaks(text, open, ask),
});

/** The largest number of combinations that are kept for one reading. */
const MOST_PICKS = 64;

/**
 * Returns all readings of a file by a client whose settings have several values, each with at most 64 combinations of
 * choices; undefined if one of the steps has more than 512 combinations. The YAML is parsed once for each place where the
 * client may find it, not for each combination.
 */
export function allReadings(
  text: string,
  rules: ReadRules,
  readYamlAs: ReadYaml = remembering(),
): readonly Result<Reading>[] | undefined {
  const parsed = new Map<string, readonly Result<ParsedKeys | StopAt>[] | undefined>();
  const parse = (source: string, yaml: Span): readonly Result<ParsedKeys | StopAt>[] | undefined => {
    const key = `${yaml.start} ${yaml.end} ${source === text}`;
    if (!parsed.has(key))
      parsed.set(
        key,
        resultsOf((ask) => parseKeys(source, yaml, rules.parse, ask, readYamlAs)),
      );
    return parsed.get(key);
  };
  const found = new Map<string, { readonly value: Reading; readonly picks: (readonly Pick[])[] }>();
  const add = (value: Reading, picks: Result<Reading>['picks']): void => {
    const key = keyOf(value);
    const known = found.get(key) ?? { value, picks: [] };
    found.set(key, known);
    known.picks.push(...picks.slice(0, MOST_PICKS - known.picks.length));
  };
  for (const { value, picks } of resultsOf((ask) => opening(text, rules, ask)) ?? [TOO_MANY]) {
    if (value === undefined) return undefined;
    if ('code' in value) {
      const { source: _, ...stop } = value;
      add(stop, picks);
      continue;
    }
    const { source, yaml, bodyStart } = value;
    if (!yaml) {
      add({ keys: NO_KEYS, bodyStart, isRepaired: true }, picks);
      continue;
    }
    const { yamlEnds = 'whole' } = rules.open;
    const ends = isChoice(yamlEnds) ? yamlEnds.oneOf : [yamlEnds];
    const readings = ends.map((one) => parse(source, withoutEnds(source, yaml, one)));
    const isSame = readings.every((one) => keyOf(one) === keyOf(readings[0]));
    for (const [at, results] of (isSame ? readings.slice(0, 1) : readings).entries()) {
      if (!results) return undefined;
      const because = isChoice(yamlEnds) && !isSame ? yamlEnds.because : undefined;
      const end: readonly Pick[] = because ? [{ setting: 'open.yamlEnds', value: ends[at], because }] : [];
      for (const { value: one, picks: others } of results) {
        const all = picks.flatMap((first) => others.map((last) => [...first, ...end, ...last]));
        add('code' in one ? one : { ...one, bodyStart }, all);
      }
    }
  }
  return [...found.values()];
}

const TOO_MANY = { value: undefined, picks: [] };

const NO_KEYS: ReadonlyMap<string, Field> = new Map();

/** Returns the part of the YAML that a client reads. */
function withoutEnds(text: string, yaml: Span, ends: YamlEnds): Span {
  const { start, end } = yaml;
  const part = text.slice(start, end);
  if (ends === 'whole' || part.trim() === '') return yaml;
  if (ends === 'trimmed') return span(end - part.trimStart().length, start + part.trimEnd().length);
  return span(start, end - (/\r?\n$/.exec(part)?.[0].length ?? 0));
}

/**
 * Returns why a client does not use the frontmatter as it is written, although it goes on: the cause of a repair, or of
 * the use of the body; undefined if it uses it, or stops.
 */
export function causeOfRepair(text: string, rules: ReadRules, ask: Ask, readYamlAs?: ReadYaml): StopAt | undefined {
  const reading = readFile(text, rules, ask, readYamlAs);
  if (isStop(reading) || !reading.isRepaired) return undefined;
  const strict: ReadRules = {
    open: { ...rules.open, absent: 'drop' },
    parse: { ...rules.parse, repair: 'none', afterError: 'drop' },
  };
  const cause = readFile(text, strict, ask, readYamlAs);
  return isStop(cause) ? cause : undefined;
}

/** Returns a function that reads each text with each library once. */
export function remembering(): ReadYaml {
  const known = new Map<string, Map<string, ParsedKeys | StopAt>>();
  const trees = new Map<string, Map<string, StrictTree>>();
  const parse: Parse = (text, place) =>
    once(trees, text, `${place.start} ${place.end}`, () => parseStrictly(text, place));
  return (text, yaml, dialect, duplicates) =>
    once(known, text, `${dialect} ${duplicates} ${yaml.start} ${yaml.end}`, () =>
      readYaml(text, yaml, dialect, duplicates, parse),
    );
}

function once<Result>(known: Map<string, Map<string, Result>>, text: string, key: string, make: () => Result): Result {
  const ofText = known.get(text) ?? new Map<string, Result>();
  known.set(text, ofText);
  const result = ofText.get(key) ?? make();
  ofText.set(key, result);
  return result;
}

/** A line of a plain file: a key, and words. */
const PLAIN_LINE =
  /^([A-Za-z][\w-]*): ([A-Za-z0-9(][ -~¡-\u167f\u1681-\u1fff\u2030-\u205e\u2070-\u2fff\u3001-\ud7ff]*)$/;

/**
 * Returns whether all rules read a file equally: one line for each key, with words that have no meaning in YAML. A file
 * that is not plain may still be read equally.
 */
export function isPlain(text: string): boolean {
  const opened = plainlyOpened(text);
  if (!opened || text[3] !== '\n') return false;
  const lines = text.slice(opened.yaml.start, opened.yaml.end - 1).split('\n');
  const names = new Set<string>();
  for (const line of lines) {
    const [, name = '', value = ''] = PLAIN_LINE.exec(line) ?? [];
    if (!isWord(value) || !isWord(name) || names.has(name)) return false;
    if (/: |:$| #|\s$|[\u0085\u00a0\ufeff]|https?:$/.test(value) || /[[\]{}&*!|>%@`"']/.test(value)) return false;
    names.add(name);
  }
  return lines.length < MOST_KEYS;
}

/** The rules of all clients, with the clients of equal rules together. Make it once with `ruleSetOf`. */
export interface RuleSet {
  readonly groups: readonly { readonly rules: ReadRules; readonly clients: readonly number[] }[];
  /** All clients, without choices. */
  readonly all: StoredReading['clients'];
}

export function ruleSetOf(clients: readonly ReadRules[]): RuleSet {
  const groups = new Map<string, { readonly rules: ReadRules; readonly clients: number[] }>();
  clients.forEach((rules, index) => {
    const { open, parse } = rules;
    const key = keyOf({ open, parse });
    const known = groups.get(key);
    if (known) known.clients.push(index);
    else groups.set(key, { rules: { open, parse }, clients: [index] });
  });
  return { groups: [...groups.values()], all: new Map(clients.map((_, index) => [index, NO_PICKS])) };
}

const NO_PICKS: readonly (readonly Pick[])[] = [[]];

/** One reading of a file, and the clients that read it so. Without offsets, so that most edits of the body change nothing. */
export interface StoredReading {
  /**
   * The clients by their index in the rule set, each with the combinations of choices that lead to this reading. A
   * client that has several readings is in each of them.
   */
  readonly clients: ReadonlyMap<number, readonly (readonly Pick[])[]>;
  readonly reading: StoredKeys | Stop;
}

/** The keys of a reading, at most 200. */
export interface StoredKeys {
  readonly keys: ReadonlyMap<string, StoredField>;
  readonly isRepaired?: true;
  readonly isBodyEmpty: boolean;
  /** The first 2,000 code units of the body, if `description` is not a text that clients can show. */
  readonly body?: string;
}

/**
 * A field whose texts are kept up to the limit of its key (`MOST_TEXT`), and up to 200 code units for others. A longer
 * list or map is kept up to the first 200 values.
 */
export interface StoredField extends Field {
  /** The length of the whole text, if it was cut. */
  readonly length?: { readonly characters: number; readonly bytes: number };
}

const MOST_KEYS = 200;
const MOST_BODY = 2_000;
/** The texts that are kept, in code units, of keys whose texts clients show or limit. */
const MOST_TEXT: ReadonlyMap<string, number> = new Map([
  ['description', 20_000],
  ['when_to_use', 20_000],
  ['compatibility', 2_000],
]);
const mostTextOf = (name: string): number => MOST_TEXT.get(name) ?? 200;

/**
 * Returns the readings of a file by all clients, equal ones together. A client whose settings have more than 512
 * combinations for this file is in none. Never throws.
 */
export function readingsOf(text: string, { groups, all }: RuleSet): readonly StoredReading[] {
  const [first] = groups;
  if (!first) return [];
  if (isPlain(text)) return [{ clients: all, reading: stored(text, readFile(text, first.rules, firstOf)) }];
  const readYamlAs = remembering();
  const common = commonReading(text);
  const found = new Map<
    string,
    { readonly clients: Map<number, readonly (readonly Pick[])[]>; readonly reading: StoredReading['reading'] }
  >();
  for (const { rules, clients } of groups) {
    const isCommon =
      common &&
      dialectsOf(rules).every((dialect) => !dialect.startsWith('lines-')) &&
      !isCut(rules, text) &&
      !mayStopAtCrlf(text, rules.open);
    const results = isCommon ? common : storedReadings(text, allReadings(text, rules, readYamlAs));
    for (const { value, picks } of results ?? []) {
      const key = keyOf(value);
      const known = found.get(key) ?? { clients: new Map(), reading: value };
      found.set(key, known);
      for (const client of clients) known.clients.set(client, picks);
    }
  }
  return [...found.values()];
}

/** Returns whether the client may read a block at the end without its line break, or the first line without its indentation. */
const isCut = ({ open: { yamlEnds = 'whole' } }: ReadRules, text: string): boolean =>
  yamlEnds !== 'whole' && /: *[|>][-+\d]*[ \t]*\r?$|^---\r?\n\s/m.test(text);

const dialectsOf = ({ parse: { dialect } }: ReadRules): readonly Dialect[] =>
  isChoice(dialect) ? dialect.oneOf : [dialect];

/** Returns the reading of a file that all libraries read equally, so that no setting matters; undefined for others. */
function commonReading(text: string): readonly Result<StoredKeys | Stop>[] | undefined {
  const opened = plainlyOpened(text);
  const tree = opened && parseStrictly(text, opened.yaml);
  if (!tree || !isOrdinary(text, opened.yaml, tree)) return undefined;
  const parsed = readYaml(text, opened.yaml, 'yaml', 'error', () => tree);
  if ('code' in parsed) return undefined;
  const isText = (key: string): boolean => typeof parsed.keys.get(key)?.value === 'string';
  // Gemini CLI reads the file again, line by line, if one of them is not text.
  if (!isText('name') || !isText('description')) return undefined;
  return [{ value: stored(text, { ...parsed, bodyStart: opened.bodyStart }), picks: NO_PICKS }];
}

/** Returns stored readings, equal ones together. */
function storedReadings(
  text: string,
  readings: readonly Result<Reading>[] | undefined,
): readonly Result<StoredKeys | Stop>[] | undefined {
  const found = new Map<string, Result<StoredKeys | Stop>>();
  for (const { value, picks } of readings ?? []) {
    const one = stored(text, value);
    const key = keyOf(one);
    found.set(key, { value: one, picks: [...(found.get(key)?.picks ?? []), ...picks].slice(0, MOST_PICKS) });
  }
  return readings && [...found.values()];
}

function stored(text: string, reading: Reading): StoredKeys | Stop {
  if (isStop(reading)) return { code: reading.code, ...(reading.key !== undefined && { key: reading.key }) };
  const { keys, isRepaired, bodyStart } = reading;
  const body = text.slice(bodyStart);
  const description = keys.get('description')?.value;
  const isShown = typeof description === 'string' && description.trim() !== '';
  return {
    keys: new Map([...keys].slice(0, MOST_KEYS).map(([name, field]) => [name.slice(0, 200), storedField(name, field)])),
    ...(isRepaired && { isRepaired }),
    isBodyEmpty: body.trim() === '',
    ...(!isShown && { body: body.slice(0, MOST_BODY) }),
  };
}

function storedField(name: string, field: Field): StoredField {
  const { value, text, isDate } = field;
  const most = mostTextOf(name);
  const whole = typeof value === 'string' ? value : (text ?? '');
  const left = { count: MOST_KEYS };
  return {
    value: cut(value, most, left),
    ...(text !== undefined && { text: text.slice(0, most) }),
    ...(isDate && { isDate }),
    ...(whole.length > most && { length: { characters: [...whole].length, bytes: byteLength(whole) } }),
  };
}

/** Returns a value with its first parts, and the first characters of each. */
function cut(value: FieldValue, most: number, left: { count: number }): FieldValue {
  if (typeof value === 'string') return value.slice(0, most);
  if (typeof value !== 'object' || value === null) return value;
  const isKept = (): boolean => left.count-- > 0;
  if (Array.isArray(value)) return value.filter(isKept).map((item) => cut(item, most, left));
  const entries = Object.entries(value).filter(isKept);
  return Object.fromEntries(entries.map(([key, one]) => [key.slice(0, most), cut(one as FieldValue, most, left)]));
}
