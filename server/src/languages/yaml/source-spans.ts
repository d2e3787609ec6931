/** Maps offsets in a scalar's value to spans in the file and back, through escapes, folded lines and indentation. */
import { type Span, span } from '../../text.ts';
import type { YamlScalar } from './node.ts';

/** The span in the file for each UTF-16 code unit of a value. */
class Units {
  value = '';
  readonly starts: number[] = [];
  readonly ends: number[] = [];

  add(units: string, start: number, end: number): void {
    for (let i = 0; i < units.length; i++) {
      this.starts.push(start);
      this.ends.push(end);
    }
    this.value += units;
  }
}

/**
 * Returns a function that maps the UTF-16 offsets `from` and `to` in a scalar's value (or source, if the value is not a
 * string) to a span in the file. Returns the scalar's whole span if the exact span is unknown. The scalar is read once,
 * on the first call. Never throws.
 */
export function sourceSpans(text: string, scalar: YamlScalar): (from: number, to: number) => Span {
  let units: Units | null | undefined;
  return (from, to) => {
    if (units === undefined) units = findUnits(text, scalar) ?? null;
    if (!units || from < 0 || to < from || to > units.value.length) return scalar.span;
    const start = units.starts[from] ?? units.ends.at(-1) ?? contentStart(scalar);
    return span(start, from === to ? start : Math.max(start, units.ends[to - 1] ?? start));
  };
}

/** Returns a single span like the function that `sourceSpans` returns. */
export const sourceSpan = (text: string, scalar: YamlScalar, from: number, to: number): Span =>
  sourceSpans(text, scalar)(from, to);

/**
 * Returns the span of the text that follows the first `characters` Unicode code points of a string. Excludes trailing
 * white space. Returns undefined if there is no such text, or if its span in the file is unknown. Never throws.
 */
export function spanAfter(text: string, scalar: YamlScalar, characters: number): Span | undefined {
  if (typeof scalar.value !== 'string') return undefined;
  const { value } = scalar;
  const from = [...value].slice(0, characters).join('').length;
  const to = value.trimEnd().length;
  if (from >= to) return undefined;
  const found = sourceSpan(text, scalar, from, to);
  return found === scalar.span ? undefined : found;
}

/**
 * Returns the offset in a scalar's value for an offset in the file; undefined outside the scalar's text. Never throws.
 */
export function valueOffset(text: string, scalar: YamlScalar, fileOffset: number): number | undefined {
  const { start, end } = scalar.span;
  if (fileOffset < start || fileOffset > end) return undefined;
  const units = findUnits(text, scalar);
  if (!units) return undefined;
  const { starts, ends, value } = units;
  if (value === '') return fileOffset === contentStart(scalar) ? 0 : undefined;
  if (fileOffset < (starts[0] as number) || fileOffset > Math.max(ends.at(-1) as number)) return undefined;
  let low = 0;
  let high = value.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) < fileOffset) low = middle + 1;
    else high = middle;
  }
  return low;
}

const contentStart = ({ span: { start }, style }: YamlScalar): number =>
  style === 'single' || style === 'double' ? start + 1 : start;

/** Returns the code units of a scalar; undefined if they do not add up to the scalar's value. */
function findUnits(text: string, scalar: YamlScalar): Units | undefined {
  const { span: place, style } = scalar;
  const value = typeof scalar.value === 'string' ? scalar.value : scalar.source;
  const units =
    style === 'literal' || style === 'folded'
      ? blockUnits(text, place, style === 'folded', value)
      : flowUnits(text, place, style);
  return units.value === value ? units : undefined;
}

/** Returns the code units of a plain or quoted scalar, with folded line breaks and resolved escapes. */
function flowUnits(text: string, { start, end }: Span, style: 'plain' | 'single' | 'double'): Units {
  const units = new Units();
  const last = style === 'plain' ? end : end - 1;
  let at = style === 'plain' ? start : start + 1;
  while (at < last) {
    const character = text[at] as string;
    const fold = /[ \t\r\n]/.test(character) ? /^[ \t]*(?:\r\n|\n|\r)\s*/.exec(text.slice(at, last)) : null;
    if (fold) {
      const breaks = fold[0].match(/\r\n|\n|\r/g)?.length ?? 1;
      units.add(breaks === 1 ? ' ' : '\n'.repeat(breaks - 1), at, at + fold[0].length);
      at += fold[0].length;
    } else if (style === 'single' && character === "'") {
      units.add("'", at, at + 2);
      at += 2;
    } else if (style === 'double' && character === '\\') {
      at = addEscape(units, text, at);
    } else {
      units.add(character, at, at + 1);
      at++;
    }
  }
  return units;
}

const ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '0': '\0',
    a: '\x07',
    b: '\b',
    t: '\t',
    '\t': '\t',
    n: '\n',
    v: '\v',
    f: '\f',
    r: '\r',
    e: '\x1b',
    N: '\x85',
    _: '\xa0',
    L: '\u2028',
    P: '\u2029',
  }),
);

const HEX_LENGTHS: ReadonlyMap<string, number> = new Map(Object.entries({ x: 2, u: 4, U: 8 }));

/** Adds the characters of the escape at `at`; returns the offset after the escape. */
function addEscape(units: Units, text: string, at: number): number {
  const letter = text[at + 1] ?? '';
  const hex = HEX_LENGTHS.get(letter);
  if (hex) {
    const code = Number.parseInt(text.slice(at + 2, at + 2 + hex), 16);
    units.add(code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '', at, at + 2 + hex);
    return at + 2 + hex;
  }
  const lineBreak = /^(?:\r\n|\n|\r)[ \t]*/.exec(text.slice(at + 1, at + 200));
  if (lineBreak) return at + 1 + lineBreak[0].length;
  units.add(ESCAPES.get(letter) ?? letter, at, at + 2);
  return at + 2;
}

/** Returns the code units of a literal or folded block. */
function blockUnits(text: string, place: Span, isFolded: boolean, value: string): Units {
  const units = new Units();
  const lines = [...text.slice(place.start, place.end).matchAll(/[^\r\n]*(?:\r\n|\n|\r|$)/g)];
  const contents = lines.slice(1).filter((line) => line[0] !== '');
  const indent = indentOf(lines[0]?.[0] ?? '', contents, value);
  let wasIndented = false;
  let gap: { start: number; breaks: number } | undefined;
  for (const line of contents) {
    const start = place.start + line.index;
    const content = line[0].replace(/[\r\n]+$/, '');
    const from = start + Math.min(indent, content.length);
    const end = start + content.length;
    const isIndented = /[ \t]/.test(text[from] ?? '') && from < end;
    if (content.length <= indent && from === end) {
      gap = gap ? { ...gap, breaks: gap.breaks + 1 } : { start, breaks: 1 };
      continue;
    }
    if (gap) addGap(units, gap, from, isFolded && !wasIndented && !isIndented);
    for (let at = from; at < end; at++) units.add(text[at] as string, at, at + 1);
    gap = { start: end, breaks: 1 };
    wasIndented = isIndented;
  }
  const missing = value.length - units.value.length;
  // All line breaks that chomping keeps are mapped to the end of the last line.
  if (missing > 0 && value.endsWith('\n'.repeat(missing))) units.add('\n'.repeat(missing), place.end, place.end);
  return units;
}

function addGap(units: Units, { start, breaks }: { start: number; breaks: number }, end: number, folds: boolean): void {
  if (!folds || units.value === '') units.add('\n'.repeat(breaks), start, end);
  else units.add(breaks === 1 ? ' ' : '\n'.repeat(breaks - 1), start, end);
}

/**
 * Returns the indentation of a block: the indentation of its first line. If the header contains a number, the spaces
 * that are part of the value are subtracted.
 */
function indentOf(header: string, contents: readonly (readonly string[])[], value: string): number {
  const first = contents.map((line) => line[0] ?? '').find((line) => line.trim() !== '') ?? '';
  const own = /^ */.exec(first)?.[0].length ?? 0;
  if (!/\d/.test(header.split('#')[0] ?? '')) return own;
  return own - (/^\n* */.exec(value)?.[0].replaceAll('\n', '').length ?? 0);
}
