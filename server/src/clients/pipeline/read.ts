/** The first half of a client's pipeline, which needs only one file: `open` and `parse`. */
import { byteLength, type Span, span } from '../../text.ts';
import { type ParseRules, parseKeys, rulesFor, YamlText } from './dialects.ts';
import {
  type Opened,
  type OpenRules,
  openFile,
  type StopAt,
  type UnopenedFile,
  unopened,
  withLineBreaks,
  type YamlEnds,
} from './open.ts';
import { isWord } from './plain-scalars.ts';
import { type Field, type FieldValue, isStop, type Reading, type Stop } from './reading.ts';
import {
  type Ask,
  areEqual,
  firstOf,
  hasNoPicks,
  isChoice,
  type MutableResult,
  NO_PICKS,
  type Pick,
  type Result,
  resultFor,
  resultsOf,
  resultWith,
  sure,
} from './setting.ts';

/** The rules of a client for one file. */
export interface ReadRules {
  readonly open: OpenRules;
  readonly parse: ParseRules;
}

/** The largest number of combinations that are kept for one reading. */
const MOST_PICKS = 64;

/** Reads one file as clients do. Clients share the results that do not depend on the client. */
export class FileReader {
  readonly source: UnopenedFile;
  readonly #yaml = new Map<string, YamlText>();
  readonly #parsed = new Map<ParseRules, ParsedYaml[]>();

  constructor(text: string) {
    this.source = unopened(text);
  }

  /**
   * Reads the file as a client does. Asks for a setting only if the file makes it matter. Never throws.
   *
   * @returns the keys and the offset of the body, or the step that stopped, at the exact character
   */
  read(rules: ReadRules, ask: Ask): Reading {
    const opened = this.#open(rules, ask);
    if ('code' in opened) return opened;
    const { text, yaml, bodyStart } = opened;
    if (!yaml) return { keys: NO_KEYS, bodyStart, isRepaired: true };
    const parsed = resultWith(ask, 'open.yamlEnds', rules.open.yamlEnds ?? 'whole', (ends) =>
      parseKeys(this.#yamlIn(text, yaml, ends), rules.parse, ask),
    );
    return 'code' in parsed ? parsed : { ...parsed, bodyStart };
  }

  /**
   * Returns why a client does not use the frontmatter as it is written, although it goes on: the cause of a repair, or of
   * the use of the body; undefined if it uses it, or stops.
   */
  causeOfRepair(rules: ReadRules, ask: Ask): StopAt | undefined {
    const reading = this.read(rules, ask);
    if (isStop(reading) || !reading.isRepaired) return undefined;
    const strict: ReadRules = {
      open: { ...rules.open, absent: 'drop' },
      parse: { ...rules.parse, repair: 'none', afterError: 'drop' },
    };
    const cause = this.read(strict, ask);
    return isStop(cause) ? cause : undefined;
  }

  /**
   * Returns all readings by a client whose settings have several values, each with at most 64 combinations of choices;
   * undefined if one of the steps has more than 512 combinations. The YAML is parsed once for each place where the client
   * may find it, not for each combination.
   */
  readings(rules: ReadRules): readonly Result<Reading>[] | undefined {
    const opened = resultsOf((ask) => this.#open(rules, ask));
    const [first, ...others] = opened ?? [];
    if (first && others.length === 0 && hasNoPicks(first)) return this.#readingsOf(first.value, rules);
    const all = opened?.map(({ value, picks }) => ({ picks, results: this.#readingsOf(value, rules) }));
    const found: MutableResult<Reading>[] = [];
    for (const { picks, results } of all ?? [TOO_MANY]) {
      if (!results) return undefined;
      for (const { value, picks: last } of results)
        addPicks(
          found,
          value,
          picks.flatMap((one) => last.map((other) => [...one, ...other])),
        );
    }
    return found;
  }

  /** Returns all readings of an opened file. Clients that parse in the same way have the same ones. */
  #readingsOf(opened: OpenedText | StopAt, { open, parse }: ReadRules): readonly Result<Reading>[] | undefined {
    if ('code' in opened) return sure(opened);
    const { text, yaml, bodyStart } = opened;
    if (!yaml) return sure({ keys: NO_KEYS, bodyStart, isRepaired: true });
    const { yamlEnds = 'whole' } = open;
    if (!isChoice(yamlEnds)) return this.#parse(this.#yamlIn(text, yaml, yamlEnds), bodyStart, parse);
    const readings = yamlEnds.oneOf.map((ends) => this.#parse(this.#yamlIn(text, yaml, ends), bodyStart, parse));
    if (readings.every((one) => areEqual(one, readings[0]))) return readings[0];
    const found: MutableResult<Reading>[] = [];
    for (const [at, results] of readings.entries()) {
      if (!results) return undefined;
      const end = { setting: 'open.yamlEnds', value: yamlEnds.oneOf[at], because: yamlEnds.because };
      for (const { value, picks } of results)
        addPicks(
          found,
          value,
          picks.map((one) => [end, ...one]),
        );
    }
    return found;
  }

  /** Returns the YAML that a client reads. Most clients read the same, because the ends rarely make a difference. */
  #yamlIn(text: string, yaml: Span, ends: YamlEnds): YamlText {
    const whole = this.#yamlAt(text, yaml);
    const isSame = ends === 'whole' || (hasPlainEnds(text, yaml) && whole.isOrdinary);
    return isSame ? whole : this.#yamlAt(text, withoutEnds(text, yaml, ends));
  }

  /** Returns the YAML in a part of the file, or of the file with other line breaks. */
  #yamlAt(text: string, place: Span): YamlText {
    const key = `${place.start} ${place.end} ${text === this.source.text}`;
    const known = this.#yaml.get(key) ?? new YamlText(text, place);
    this.#yaml.set(key, known);
    return known;
  }

  #open({ open }: ReadRules, ask: Ask): OpenedText | StopAt {
    const opened = openFile(this.source, open, ask);
    if ('code' in opened) return opened;
    const { text, plain } = this.source;
    return { ...opened, text: opened === plain ? text : withLineBreaks(this.source, open, ask) };
  }

  #parse(yaml: YamlText, bodyStart: number, own: ParseRules): readonly Result<Reading>[] | undefined {
    const rules = rulesFor(yaml, own);
    const parsed = this.#parsed.get(rules) ?? [];
    this.#parsed.set(rules, parsed);
    const known = parsed.find((one) => one.yaml === yaml && one.bodyStart === bodyStart);
    if (known) return known.results;
    const results = resultsOf((ask) => parseKeys(yaml, rules, ask))?.map(({ value, picks }) => ({
      value: 'code' in value ? value : { ...value, bodyStart },
      picks: picks.slice(0, MOST_PICKS),
    }));
    parsed.push({ yaml, bodyStart, results });
    return results;
  }
}

/** The readings of a part of the file by some rules. */
interface ParsedYaml {
  readonly yaml: YamlText;
  readonly bodyStart: number;
  readonly results: readonly Result<Reading>[] | undefined;
}

/** A file after the step `open`, with the text in which line breaks are as the client splits it. */
type OpenedText = Opened & { readonly text: string };

function addPicks<Value>(results: MutableResult<Value>[], value: Value, added: Result<Value>['picks']): void {
  const { picks } = resultFor(results, value);
  picks.push(...added.slice(0, MOST_PICKS - picks.length));
}

const TOO_MANY = { results: undefined, picks: [] };

const NO_KEYS: ReadonlyMap<string, Field> = new Map();

/** A line with a key without indentation and its value. */
const KEY_LINE = /^[A-Za-z][\w-]*: [^\s|>](?:.*\S)?\n$/;

/** Returns whether YAML begins with a letter, and its last line is a key with its value. */
function hasPlainEnds(text: string, { start, end }: Span): boolean {
  const lastLine = Math.max(start, text.lastIndexOf('\n', end - 2) + 1);
  return /[A-Za-z]/.test(text.charAt(start)) && KEY_LINE.test(text.slice(lastLine, end));
}

/** Returns the part of the YAML that a client reads. */
function withoutEnds(text: string, yaml: Span, ends: YamlEnds): Span {
  const { start, end } = yaml;
  const part = text.slice(start, end);
  if (ends === 'whole' || part.trim() === '') return yaml;
  if (ends === 'trimmed') return span(end - part.trimStart().length, start + part.trimEnd().length);
  return span(start, end - (/\r?\n$/.exec(part)?.[0].length ?? 0));
}

/** A line of a plain file: a key, and words. */
const PLAIN_LINE =
  /^([A-Za-z][\w-]*): ([A-Za-z0-9(][ -~¡-\u167f\u1681-\u1fff\u2030-\u205e\u2070-\u2fff\u3001-\ud7ff]*)$/;

/**
 * Returns whether all rules read a file equally: one line for each key, with words that have no meaning in YAML. A file
 * that is not plain may still be read equally.
 */
export function isPlain({ text, plain }: UnopenedFile): boolean {
  if (!plain || text[3] !== '\n') return false;
  const lines = text.slice(plain.yaml.start, plain.yaml.end - 1).split('\n');
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
  const groups: { readonly rules: ReadRules; readonly clients: number[] }[] = [];
  clients.forEach(({ open, parse }, index) => {
    const alike = groups.filter(({ rules }) => areEqual(rules.parse, parse));
    const known = alike.find(({ rules }) => areEqual(rules.open, open));
    if (known) known.clients.push(index);
    // Equal rules are one object, so that their results are computed once.
    else groups.push({ rules: { open, parse: alike[0]?.rules.parse ?? parse }, clients: [index] });
  });
  return { groups, all: new Map(clients.map((_, index) => [index, NO_PICKS])) };
}

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
  const file = new FileReader(text);
  if (isPlain(file.source)) return [{ clients: all, reading: stored(text, file.read(first.rules, firstOf)) }];
  // Readings of the same keys are one object, because this makes comparisons quick.
  const ofKeys = new Map<ReadonlyMap<string, Field>, Map<string, StoredReading['reading']>>();
  const storedOf = (reading: Reading): StoredReading['reading'] => {
    if (isStop(reading)) return stored(text, reading);
    const same = ofKeys.get(reading.keys) ?? new Map<string, StoredReading['reading']>();
    ofKeys.set(reading.keys, same);
    const place = `${reading.bodyStart} ${reading.isRepaired}`;
    const known = same.get(place) ?? stored(text, reading);
    same.set(place, known);
    return known;
  };
  const kept = new Map<readonly Result<Reading>[], readonly Result<StoredReading['reading']>[]>();
  const keptOf = (results: readonly Result<Reading>[]): readonly Result<StoredReading['reading']>[] => {
    const known = kept.get(results);
    if (known) return known;
    const made: MutableResult<StoredReading['reading']>[] = [];
    for (const { value, picks } of results) addPicks(made, storedOf(value), picks);
    kept.set(results, made);
    return made;
  };
  const found: {
    readonly clients: Map<number, Result<unknown>['picks']>;
    readonly reading: StoredReading['reading'];
  }[] = [];
  const foundFor = new Map<StoredReading['reading'], (typeof found)[number]>();
  for (const { rules, clients } of groups) {
    for (const { value, picks } of keptOf(file.readings(rules) ?? [])) {
      let one = foundFor.get(value) ?? found.find(({ reading }) => areEqual(reading, value));
      if (!one) {
        one = { clients: new Map(), reading: value };
        found.push(one);
      }
      foundFor.set(value, one);
      for (const client of clients) one.clients.set(client, picks);
    }
  }
  return found;
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
