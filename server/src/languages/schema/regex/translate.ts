/**
 * Writes an ECMAScript expression anew for an engine that cannot backtrack (RE2). Only what both read alike is written:
 * code points, classes as ranges, groups, counted repetitions, and the ends of the text.
 */
import type { AST } from '@eslint-community/regexpp';

interface Translation {
  readonly source: string;
  /** Places that read a character once repetitions are written out: what one step of the engine costs. */
  readonly size: number;
}

/** What keeps an expression from being translated. */
export class Untranslatable extends Error {}

/** What the engine takes: the places of one repetition when it is written out, and those of all together. */
const MAX_REPEATED = 1_000;
const MAX_SIZE = 4_000;
const MAX_DEPTH = 200;

const ANY = '[\\x{0}-\\x{10FFFF}]';
const NONE = '[^\\x{0}-\\x{10FFFF}]';

/** The classes of ECMAScript, as ranges: those of the engine hold fewer spaces, or take flags into account. */
const RANGES = {
  digit: { is: '0-9', not: '\\x{0}-/:-\\x{10FFFF}' },
  word: { is: '0-9A-Z_a-z', not: '\\x{0}-/:-@\\x{5B}-\\x{5E}\\x{60}\\x{7B}-\\x{10FFFF}' },
  space: {
    is: '\\x{9}-\\x{D}\\x{20}\\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}',
    not:
      '\\x{0}-\\x{8}\\x{E}-\\x{1F}\\x{21}-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}\\x{200B}-\\x{2027}\\x{202A}-\\x{202E}' +
      '\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}\\x{3001}-\\x{FEFE}\\x{FF00}-\\x{10FFFF}',
  },
} as const;

const DOT = '[^\\x{A}\\x{D}\\x{2028}\\x{2029}]';

/** General categories; the engine has their short names alone. */
const CATEGORY = /^(?:L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/;
const LONG_CATEGORIES: ReadonlyMap<string, string> = new Map([
  ['Letter', 'L'],
  ['Uppercase_Letter', 'Lu'],
  ['Lowercase_Letter', 'Ll'],
  ['Number', 'N'],
  ['Decimal_Number', 'Nd'],
  ['Punctuation', 'P'],
]);
const SCRIPT = /^(?:Arabic|Cyrillic|Devanagari|Greek|Han|Hangul|Hebrew|Hiragana|Katakana|Latin|Thai)$/;

/** Throws `Untranslatable`, with what stands in the way as the author wrote it, and why. */
export function translate(pattern: AST.Pattern, byCodePoint: boolean): Translation {
  const codePoint = ({ value, raw }: AST.Character): string => {
    if (!byCodePoint && value >= 0xd800 && value <= 0xdfff) throw unread(raw, 'is half of a character');
    return `\\x{${value.toString(16)}}`;
  };

  function either(alternatives: readonly AST.Alternative[], depth: number): Translation {
    const parts = alternatives.map(({ elements }) => sequence(elements, depth));
    return { source: parts.map(({ source }) => source).join('|'), size: sum(parts) };
  }

  function sequence(elements: readonly AST.Element[], depth: number): Translation {
    const parts = elements.map((element) => write(element, depth + 1));
    return { source: parts.map(({ source }) => source).join(''), size: sum(parts) };
  }

  function repeat({ element, min, max, raw }: AST.Quantifier, depth: number): Translation {
    const { source, size } = write(element, depth);
    const isOpen = max === Number.POSITIVE_INFINITY;
    const times = Math.max(size, 1) * Math.max(isOpen ? min : max, 1);
    if (times > MAX_REPEATED) throw unread(raw, 'repeats too often');
    return { source: `(?:${source}){${min},${isOpen ? '' : max}}`, size: times };
  }

  function write(element: AST.Element, depth: number): Translation {
    if (depth > MAX_DEPTH) throw unread(element.raw, 'is nested too deeply');
    switch (element.type) {
      case 'Group':
      case 'CapturingGroup': {
        const { source, size } = either(element.alternatives, depth + 1);
        return { source: `(?:${source})`, size };
      }
      case 'Quantifier':
        return repeat(element, depth + 1);
      case 'Assertion':
        return { source: assertion(element), size: 0 };
      case 'Backreference':
        throw unread(element.raw, 'refers back to a group');
      case 'Character':
        return { source: codePoint(element), size: 1 };
      case 'CharacterSet':
        return { source: element.kind === 'any' ? DOT : `[${setRanges(element)}]`, size: 1 };
      case 'CharacterClass':
        return { source: characterClass(element), size: 1 };
      default:
        throw unread(element.raw, 'is of a newer edition');
    }
  }

  function characterClass({ elements, negate, raw }: AST.CharacterClass): string {
    if (elements.length === 0) return negate ? ANY : NONE;
    const ranges = elements.map((element) => {
      if (element.type === 'Character') return codePoint(element);
      if (element.type === 'CharacterClassRange') return `${codePoint(element.min)}-${codePoint(element.max)}`;
      if (element.type === 'CharacterSet') return setRanges(element);
      throw unread(raw, 'is of a newer edition');
    });
    return `[${negate ? '^' : ''}${ranges.join('')}]`;
  }

  const result = either(pattern.alternatives, 0);
  if (result.size > MAX_SIZE) throw unread(pattern.raw, 'is too large');
  return result;
}

function setRanges(set: Exclude<AST.CharacterSet, AST.AnyCharacterSet>): string {
  if (set.kind !== 'property') return RANGES[set.kind][set.negate ? 'not' : 'is'];
  const { key, value, negate, raw } = set;
  const name = LONG_CATEGORIES.get(value ?? key) ?? value ?? key;
  const isKnown = key === 'Script' || key === 'sc' ? SCRIPT.test(name) : CATEGORY.test(name);
  if (!isKnown) throw unread(raw, 'is a property that is not known here');
  return `\\${negate ? 'P' : 'p'}{${name}}`;
}

function assertion(element: AST.Assertion): string {
  if (element.kind === 'start') return '\\A';
  if (element.kind === 'end') return '\\z';
  if (element.kind === 'word') return element.negate ? '\\B' : '\\b';
  throw unread(element.raw, `looks ${element.kind === 'lookahead' ? 'ahead' : 'behind'}`);
}

const sum = (parts: readonly Translation[]): number => parts.reduce((total, { size }) => total + size, 0);

const unread = (raw: string, why: string): Untranslatable =>
  new Untranslatable(`\`${raw.length > 60 ? `${raw.slice(0, 60)}…` : raw}\` ${why}`);
