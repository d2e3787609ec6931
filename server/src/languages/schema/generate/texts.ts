/**
 * Strings for a schema: strings of a format, strings that a pattern matches, and other strings with the name of the
 * field (docs/composer.md, "Generated values").
 */
import type { AST } from '@eslint-community/regexpp';
import { type JsonObject, numberUnder, own } from '../model.ts';
import { parseRegex, readPattern } from '../regex/regex.ts';

/** The maximum length of a generated string, in code points. */
const MAX_TEXT = 10_000;

/** The number of different strings that are tried for a format or a name. */
const MAX_VARIANTS = 30;

/**
 * Yields strings that probably match all schemas, the most readable ones first. `name` is the name of the field. The
 * caller must validate each string.
 */
export function* textsFor(parts: readonly JsonObject[], name: string): Generator<string> {
  const strings = (keyword: string): readonly string[] =>
    parts.flatMap((part) => {
      const value = own(part, keyword);
      return typeof value === 'string' ? [value] : [];
    });
  const bounds = (keyword: string): readonly number[] => parts.flatMap((part) => numberUnder(part, keyword) ?? []);
  const least = Math.max(0, ...bounds('minLength'));
  const most = Math.min(MAX_TEXT, ...bounds('maxLength'));
  if (least > most) return;
  const length: TextLength = { least, most };
  const formats = strings('format').filter((format) => FORMATS.has(format));
  for (const format of formats) yield* formatted(format, length);
  const [pattern, ...others] = strings('pattern');
  const title = strings('title')
    .find((text) => text.trim() !== '')
    ?.trim();
  const words = title ?? name.replaceAll(/[_-]+/g, ' ').trim();
  if (formats.length === 0) yield* named(words, length, pattern !== undefined);
  if (pattern === undefined) return;
  const matches = others.flatMap((other) => firstOf(matchingTexts(other, { least: 0, most })));
  const additions = [
    ...formats.flatMap((format) => FORMATS.get(format)?.(0, '') ?? []),
    ...matches,
    ...(matches.length > 1 ? [matches.join('')] : []),
  ];
  for (const text of matchingTexts(pattern, length)) {
    yield text;
    yield* extended(text, least, additions);
  }
}

const firstOf = (texts: Generator<string>): readonly string[] => {
  const { value, done } = texts.next();
  return done ? [] : [value];
};

/** Yields strings with more characters before or after the text, for an expression that allows them. */
function* extended(text: string, least: number, others: readonly string[]): Generator<string> {
  for (const other of others) {
    yield* [text + other, other + text, text + other.slice(text.length), other.slice(0, -text.length) + text];
    yield (text + other).padEnd(least, 'x');
    yield `name${text}`;
  }
  const fill = 'x'.repeat(Math.max(1, least - text.length));
  yield* [text + fill, fill + text];
}

/** Yields strings with the words of a name, in quotation marks that distinguish them from real text. */
function* named(words: string, { least, most }: TextLength, hasPattern: boolean): Generator<string> {
  const fit = (text: string): string => [...text].slice(0, most).join('');
  const quoted = (inner: string): string => {
    const padded = inner.padEnd(least - 2, ' …');
    return most >= 3 ? `«${[...padded].slice(0, most - 2).join('')}»` : fit(padded);
  };
  yield quoted(words);
  if (hasPattern) {
    for (const separator of [' ', '-', '_', '']) {
      const joined = words.toLowerCase().replaceAll(' ', separator);
      yield* [joined, joined.toUpperCase()];
    }
    return;
  }
  for (let count = 2; count <= MAX_VARIANTS; count++) {
    // The number comes first if the end would be cut off.
    yield quoted([...words].length + 5 > most ? `${count} ${words}` : `${words} ${count}`);
  }
  // Digits, letters and the empty string are different strings of at most one character.
  for (const letter of '123456789abcdefghijklmnopqrstuvwxyz') yield letter.repeat(Math.max(1, least));
  yield '';
}

/** Yields strings of a format, first one that fits the length. */
function* formatted(format: string, { least, most }: TextLength): Generator<string> {
  const make = FORMATS.get(format);
  if (!make) return;
  for (let count = 0; count < MAX_VARIANTS; count++) yield make(count, '');
  const plain = make(0, '').length;
  // The filling adds the missing characters; a host name consists of labels of at most 63 characters.
  for (const extra of [least - plain, most - plain]) {
    if (extra > 0 && extra < MAX_TEXT) yield make(0, 'x'.repeat(extra));
    if (extra > 0 && extra < 200) yield make(0, `${LABELS.slice(0, extra - 1)}x`);
  }
  yield* SHORT.get(format) ?? [];
}

/** The start of a host name that is longer than one label. */
const LABELS = `${'x'.repeat(40)}.`.repeat(5);

const two = (count: number): string => String(count).padStart(2, '0');
const numbered = (count: number): string => (count === 0 ? '' : String(count + 1));
const hex = (count: number): string => count.toString(16).padStart(12, '0');

const date = (count: number): string => `2025-03-${two(31 - count)}`;
const email = (count: number, fill: string): string => `name${numbered(count)}${fill}@example.com`;
const host = (count: number, fill: string): string => `${fill}example${numbered(count)}.com`;
const uri = (count: number, fill: string): string => `https://example.com/${numbered(count)}${fill}`;
const path = (count: number, fill: string): string => `/example${numbered(count)}${fill}`;

/**
 * For each format a function that returns a string from a number and filling characters. Dates are constant because the
 * composer has no clock.
 */
const FORMATS: ReadonlyMap<string, (count: number, fill: string) => string> = new Map(
  Object.entries({
    date,
    'date-time': (count: number, fill: string) => `${date(count)}T12:00:00${fraction(fill)}Z`,
    'iso-date-time': (count: number, fill: string) => `${date(count)}T12:00:00${fraction(fill)}Z`,
    time: (count: number, fill: string) => `12:00:${two(count)}${fraction(fill)}Z`,
    'iso-time': (count: number, fill: string) => `12:00:${two(count)}${fraction(fill)}Z`,
    duration: (count: number) => `P${count + 1}D`,
    email,
    'idn-email': email,
    hostname: host,
    'idn-hostname': host,
    ipv4: (count: number) => `192.0.2.${count + 1}`,
    ipv6: (count: number) => `2001:db8::${(count + 1).toString(16)}`,
    uri,
    url: uri,
    iri: uri,
    'uri-reference': path,
    'iri-reference': path,
    'uri-template': (count: number, fill: string) => `https://example.com/{id${numbered(count)}${fill}}`,
    uuid: (count: number) => `00000000-0000-4000-8000-${hex(count)}`,
    'json-pointer': path,
    'json-pointer-uri-fragment': (count: number, fill: string) => `#${path(count, fill)}`,
    'relative-json-pointer': (count: number, fill: string) => `${count}${fill === '' ? '' : `/${fill.slice(1)}`}`,
    regex: (count: number, fill: string) => `.*${numbered(count)}${fill}`,
    byte: (count: number, fill: string) => `${hex(count)}${fill.slice(0, fill.length - (fill.length % 4))}`,
  }),
);

const fraction = (fill: string): string => (fill.length < 2 ? '' : `.${'0'.repeat(fill.length - 1)}`);

/** Shorter strings of a format. */
const SHORT: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    email: ['a@example.com', 'a@b.co', 'a@b.c', 'a@b'],
    'idn-email': ['a@b.c'],
    'iso-time': ['12:00:00'],
    'iso-date-time': ['2025-03-31T12:00:00'],
    hostname: ['a.com', 'a'],
    'idn-hostname': ['a'],
    ipv4: ['1.1.1.1', '10.0.0.1', '127.0.0.1', '172.16.0.1', '192.168.0.1'],
    ipv6: ['2001::1', '::1', '::'],
    uri: ['a://b.co', 'a:b', 'a:'],
    url: ['http://a.co', 'http://a.b'],
    iri: ['a:b'],
    'uri-reference': ['/a', 'a', ''],
    'iri-reference': ['/a', 'a', ''],
    'uri-template': ['{id}', 'a', ''],
    'json-pointer': ['/a', '/', ''],
    'json-pointer-uri-fragment': ['#/a', '#'],
    regex: ['.', ''],
    byte: ['AAAA', ''],
  }),
);

/** Returns true if the schemas demand a format whose strings are known. */
export const hasKnownFormat = (parts: readonly JsonObject[]): boolean =>
  parts.some((part) => FORMATS.has(String(own(part, 'format'))));

/** The limits of the length of a string, in code points. */
export interface TextLength {
  readonly least: number;
  readonly most: number;
}

/** The maximum number of strings, and the maximum length of a string. */
const MAX_TEXTS = 120;
const MAX_LENGTH = 10_000;

/** The characters that a string prefers, in this order. */
const PREFERRED = [
  'abcdefghijklmnopqrstuvwxyz',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  '1234567890',
  '-_ ./:@#!"$%&\'()*+,;<=>?[\\]^`{|}~',
  '«»…éäßñçøłžαβγδЯБгджאבגابتअआइกขค中文字あいうアイウ한글ÀÉ٠१①½€£\u00a0\t\n\r\u200b\ud83d\ude42',
].flatMap((row) => [...row]);

/**
 * Yields different strings that probably match the expression, the simplest ones first. The caller must test each of them:
 * assertions such as `\b` are not respected. Yields nothing for an expression that is not supported. Never throws.
 */
function* matchingTexts(source: string, length: TextLength): Generator<string> {
  const pattern = readPattern(source);
  if (!pattern) return;
  const writer = new Writer(length);
  const made = new Set<string>();
  for (let variant = 0; variant < MAX_TEXTS; variant++) {
    const text = writer.textOf(pattern.alternatives, variant);
    if (text === undefined || made.has(text)) continue;
    made.add(text);
    yield text;
  }
}

type Alternatives = readonly AST.Alternative[];

/** Writes one string for each variant. A variant selects alternatives, characters and the number of repetitions. */
class Writer {
  readonly #length: TextLength;
  readonly #characters = new Map<string, readonly string[]>();
  readonly #shortest = new Map<AST.Element, number>();
  /** The number of characters that the string contains for each class. */
  readonly #used = new Map<string, number>();
  #variant = 0;
  /** The number of characters that repetitions still have to add. */
  #missing = 0;
  #left = 0;

  constructor(length: TextLength) {
    this.#length = length;
  }

  textOf(alternatives: Alternatives, variant: number): string | undefined {
    this.#variant = variant;
    const shortest = Math.min(...alternatives.map((one) => this.#lengthOf(one)));
    this.#missing = Math.max(0, this.#length.least - shortest);
    this.#left = MAX_LENGTH;
    this.#used.clear();
    if (shortest > Math.min(this.#length.most, MAX_LENGTH)) return undefined;
    const text = this.#choose(alternatives);
    return this.#left < 0 ? undefined : text;
  }

  #choose(alternatives: Alternatives): string {
    const { most } = this.#length;
    const count = alternatives.length;
    const rotated = alternatives.map((_, at) => alternatives[(at + this.#variant) % count] as AST.Alternative);
    const lengths = rotated.map((one) => this.#lengthOf(one));
    // Each third variant uses the shortest alternative, because the first one may be too long.
    const isShort = this.#variant % 3 === 2 || most < Math.min(...lengths);
    const chosen = isShort ? lengths.indexOf(Math.min(...lengths)) : 0;
    return (rotated[chosen]?.elements ?? []).map((element) => this.#write(element)).join('');
  }

  #write(element: AST.Element): string {
    if (this.#left < 0) return '';
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return this.#choose(element.alternatives);
      case 'Quantifier':
        return this.#repeat(element);
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
        return this.#character(element);
      default:
        return '';
    }
  }

  #repeat({ element, min, max }: AST.Quantifier): string {
    const unit = Math.max(1, this.#shortestOf(element));
    // Some variants repeat more often than necessary.
    const extra = this.#missing > 0 ? Math.ceil(this.#missing / unit) : Math.floor(this.#variant / 4) % 6;
    const times = Math.min(max, min + extra);
    this.#missing -= (times - min) * unit;
    let text = '';
    for (let count = 0; count < times && this.#left >= 0; count++) text += this.#write(element);
    return text;
  }

  #character(element: AST.Character | AST.CharacterSet | AST.CharacterClass): string {
    this.#left--;
    if (element.type === 'Character') return String.fromCodePoint(element.value);
    const all = this.#charactersOf(element);
    const used = this.#used.get(element.raw) ?? 0;
    this.#used.set(element.raw, used + 1);
    // Every second variant uses consecutive characters, the others repeat a character.
    return all[((this.#variant % 2 === 0 ? used : 0) + (this.#variant >> 1)) % all.length] ?? '';
  }

  /** Returns characters that match a class, of one kind if possible. The linear-time engine tests them. */
  #charactersOf({ raw, ...element }: AST.CharacterSet | AST.CharacterClass): readonly string[] {
    const known = this.#characters.get(raw);
    if (known) return known;
    const { test } = parseRegex(`^(?:${raw})$`);
    const ends = 'elements' in element ? element.elements.flatMap(endsOf) : [];
    const all = [...PREFERRED, ...ends].filter((character) => test(character));
    const kind = KINDS.find((one) => all.some((character) => one.test(character)));
    const chosen = kind ? all.filter((character) => kind.test(character)) : all;
    const sorted = [...chosen, ...all.filter((character) => !chosen.includes(character))];
    this.#characters.set(raw, sorted);
    return sorted;
  }

  #lengthOf({ elements }: AST.Alternative): number {
    return elements.reduce((total, element) => total + this.#shortestOf(element), 0);
  }

  #shortestOf(element: AST.Element): number {
    const known = this.#shortest.get(element);
    if (known !== undefined) return known;
    const length = this.#measure(element);
    this.#shortest.set(element, length);
    return length;
  }

  #measure(element: AST.Element): number {
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup':
        return Math.min(...element.alternatives.map((one) => this.#lengthOf(one)));
      case 'Quantifier':
        return element.min === 0 ? 0 : element.min * this.#shortestOf(element.element);
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
        return 1;
      default:
        return 0;
    }
  }
}

const KINDS = [/[a-z]/, /[A-Z]/, /\d/, /[\p{L}\p{N}]/u];

/** Returns the characters at both ends of a range, and a single character. */
function endsOf(element: AST.CharacterClassElement | AST.ClassSetOperand): readonly string[] {
  if (element.type === 'Character') return [String.fromCodePoint(element.value)];
  if (element.type !== 'CharacterClassRange') return [];
  return [element.min.value, element.max.value].map((value) => String.fromCodePoint(value));
}
