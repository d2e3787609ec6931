/**
 * Checks regular expressions that users write (docs/format.md, section 3), detects expressions that are slow in
 * other engines, and runs expressions without backtracking. The dialect is ECMA-262, as in JSON Schema.
 */
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { RE2JS } from 're2js';
import type { Span } from '../../../text.ts';
import { findAmbiguity, graphOf } from './ambiguity.ts';

/** A problem in a regular expression. */
export interface RegexFault {
  /** `unread`: valid, but not supported here. `slow`: linear here, but exponential in backtracking engines. */
  readonly kind: 'invalid' | 'unread' | 'slow';
  readonly message: string;
}

/** A parsed regular expression. */
export interface Regex {
  /** Returns true if the text matches, if the expression is not supported, or if the text is too long. */
  readonly test: (text: string) => boolean;
  /** Returns the span of the first match in the text, or undefined. */
  readonly find: (text: string) => Span | undefined;
  /** Returns true if a string of this length, in UTF-16 code units, is short enough to be matched. */
  readonly canTest: (length: number) => boolean;
  /** Returns the maximum number of steps for a string of this length. The cost of the first call includes compiling. */
  readonly cost: (length: number) => number;
}

/** The limit for the length of an expression, in UTF-16 code units. */
const MAX_LENGTH = 2_000;

/** The maximum number of steps of the engine for one string. */
const MAX_STEPS = 2e7;

/**
 * Parses a regular expression without slashes (docs/format.md, section 3). Never throws: an invalid expression matches
 * any string.
 */
export function parseRegex(source: string): Regex {
  const reading = read(source);
  if ('fault' in reading) return { test: () => true, find: () => undefined, canTest: () => false, cost: () => 1 };
  const { translated, size } = reading;
  let engine: RE2JS | undefined;
  const tries = (length: number): boolean => size * length <= MAX_STEPS;
  return {
    canTest: tries,
    cost: (length) => size * (length + (engine ? 10 : 1_000)),
    test: (text) => {
      if (!tries(text.length)) return true;
      engine ??= RE2JS.compile(translated);
      return engine.test(text);
    },
    find: (text) => {
      if (!tries(text.length)) return undefined;
      engine ??= RE2JS.compile(translated);
      const matcher = engine.matcher(text);
      return matcher.find() ? { start: matcher.start(), end: matcher.end() } : undefined;
    },
  };
}

/**
 * Returns the problems with a regular expression, which may be both slow in other engines and not supported here. Never
 * throws.
 */
export function findRegexFaults(source: string): readonly RegexFault[] {
  const reading = read(source);
  const message = reading.pattern && findSlowness(reading.pattern, reading.flags);
  return [...(message ? [{ kind: 'slow', message } as const] : []), ...('fault' in reading ? [reading.fault] : [])];
}

/**
 * Returns the syntax tree of a regular expression; undefined if the expression is invalid or not supported. Never
 * throws.
 */
export function readPattern(source: string): AST.Pattern | undefined {
  const reading = read(source);
  return 'fault' in reading ? undefined : reading.pattern;
}

interface Parsed {
  readonly pattern?: AST.Pattern;
  readonly flags: string;
}

type ReadRegex = Parsed & ({ readonly fault: RegexFault } | { readonly translated: string; readonly size: number });

function read(source: string): ReadRegex {
  if (source.length > MAX_LENGTH) {
    return { flags: '', fault: unread(`it is longer than ${MAX_LENGTH} characters`) };
  }
  const foreign = FOREIGN.find(({ pattern }) => pattern.test(source));
  if (foreign) return { flags: '', fault: { kind: 'invalid', message: `${foreign.message} ${DIALECT}` } };
  const unicode = parsePattern(source, true);
  const pattern = typeof unicode === 'string' ? parsePattern(source, false) : unicode;
  if (typeof pattern === 'string') {
    const message = `Invalid regular expression: ${unicode as string}. ${DIALECT}`;
    return { flags: '', fault: { kind: 'invalid', message } };
  }
  const flags = pattern === unicode ? 'u' : '';
  try {
    const { source: translated, size } = translate(pattern, flags === 'u');
    return { pattern, flags, translated, size };
  } catch (error) {
    if (!(error instanceof UntranslatableError)) throw error;
    return { pattern, flags, fault: unread(error.message) };
  }
}

const unread = (why: string): RegexFault => ({
  kind: 'unread',
  message:
    `Values are not checked against this regular expression: ${why}. ` +
    'Rewrite it without look-arounds, back-references and large counts.',
});

const DIALECT = 'Schemas use JavaScript (ECMA-262) regular expressions.';

/** Syntax of other dialects that JavaScript rejects or reads differently. */
const FOREIGN = [
  {
    pattern: /^\(\?[imsx]+\)/,
    message: 'Inline flags such as `(?i)` are not supported. Write both cases: `[aA]`.',
  },
  { pattern: /\(\?P[<=>]/, message: 'The syntax `(?P<name>…)` is not supported. Write `(?<name>…)`.' },
  { pattern: /^(?:[^\\]|\\.)*\\A/s, message: '`\\A` is not supported. Write `^` for the start of the string.' },
  { pattern: /^(?:[^\\]|\\.)*\\[zZ]/s, message: '`\\Z` is not supported. Write `$` for the end of the string.' },
];

function parsePattern(source: string, unicode: boolean): AST.Pattern | string {
  try {
    return new RegExpParser({ ecmaVersion: 2024 }).parsePattern(source, 0, source.length, { unicode });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return message.slice(message.lastIndexOf(': ') + 2).replace(/^./, (first) => first.toLowerCase());
  }
}

/** Returns the message for an expression that can take exponential time in a backtracking engine. */
function findSlowness(pattern: AST.Pattern, flags: string): string | undefined {
  if (!nestsChoices(pattern)) return undefined;
  const ambiguity = findAmbiguity(graphOf(pattern, flags));
  if (ambiguity === undefined) return undefined;
  const where = ambiguity.length > 60 ? `${ambiguity.slice(0, 60)}…` : ambiguity;
  return (
    `This regular expression is slow in many engines: \`${where}\` can match the same text in many ways. ` +
    'Use one repetition instead of nested ones, or add a separator between them.'
  );
}

/**
 * Returns true if a repetition contains another repetition or alternatives. Without such a repetition, an expression
 * matches a string in only one way.
 */
function nestsChoices(pattern: AST.Pattern): boolean {
  const open: AST.Quantifier[] = [];
  let found = false;
  visitRegExpAST(pattern, {
    onQuantifierEnter: (quantifier) => {
      found ||= open.length > 0;
      if (quantifier.max > 1) open.push(quantifier);
    },
    onQuantifierLeave: (quantifier) => {
      if (open.at(-1) === quantifier) open.pop();
    },
    onAlternativeEnter: ({ parent }) => {
      found ||= open.length > 0 && parent.alternatives.length > 1;
    },
  });
  return found;
}

// Translates an ECMAScript expression for an engine without backtracking (RE2). The output uses only syntax with the
// same meaning in ECMAScript and in RE2: code points, classes as ranges, groups, counted repetitions, and the ends of
// the text.

interface Translation {
  readonly source: string;
  /**
   * The number of positions that read a character after repetitions are expanded. This number is the cost of one step
   * of the engine.
   */
  readonly size: number;
}

/** The reason why an expression cannot be translated. */
class UntranslatableError extends Error {}

/**
 * The limits for the engine: positions in one expanded repetition, positions in the whole expression, and nesting
 * depth.
 */
const MAX_REPEATED = 1_000;
const MAX_SIZE = 4_000;
const MAX_DEPTH = 200;

const ANY = '[\\x{0}-\\x{10FFFF}]';
const NONE = '[^\\x{0}-\\x{10FFFF}]';

/** The classes of ECMAScript as ranges. The engine's own classes contain fewer space characters, or depend on flags. */
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

/** The short names of general categories. The engine supports no other category names. */
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

/** Translates an expression. Throws `UntranslatableError` with the source of the unsupported part and the reason. */
function translate(pattern: AST.Pattern, byCodePoint: boolean): Translation {
  const codePoint = ({ value, raw }: AST.Character): string => {
    if (!byCodePoint && value >= 0xd800 && value <= 0xdfff) throw notTranslated(raw, 'is half of a surrogate pair');
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
    if (times > MAX_REPEATED) throw notTranslated(raw, 'has too many repetitions');
    return { source: `(?:${source}){${min},${isOpen ? '' : max}}`, size: times };
  }

  function write(element: AST.Element, depth: number): Translation {
    if (depth > MAX_DEPTH) throw notTranslated(element.raw, 'is nested too deeply');
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
        throw notTranslated(element.raw, 'is a back-reference');
      case 'Character':
        return { source: codePoint(element), size: 1 };
      case 'CharacterSet':
        return { source: element.kind === 'any' ? DOT : `[${setRanges(element)}]`, size: 1 };
      case 'CharacterClass':
        return { source: characterClass(element), size: 1 };
      default:
        throw notTranslated(element.raw, 'is syntax from a newer edition of ECMA-262');
    }
  }

  function characterClass({ elements, negate, raw }: AST.CharacterClass): string {
    if (elements.length === 0) return negate ? ANY : NONE;
    const ranges = elements.map((element) => {
      if (element.type === 'Character') return codePoint(element);
      if (element.type === 'CharacterClassRange') return `${codePoint(element.min)}-${codePoint(element.max)}`;
      if (element.type === 'CharacterSet') return setRanges(element);
      throw notTranslated(raw, 'is syntax from a newer edition of ECMA-262');
    });
    return `[${negate ? '^' : ''}${ranges.join('')}]`;
  }

  const result = either(pattern.alternatives, 0);
  if (result.size > MAX_SIZE) throw notTranslated(pattern.raw, 'is too large');
  return result;
}

function setRanges(set: Exclude<AST.CharacterSet, AST.AnyCharacterSet>): string {
  if (set.kind !== 'property') return RANGES[set.kind][set.negate ? 'not' : 'is'];
  const { key, value, negate, raw } = set;
  const name = LONG_CATEGORIES.get(value ?? key) ?? value ?? key;
  const isKnown = key === 'Script' || key === 'sc' ? SCRIPT.test(name) : CATEGORY.test(name);
  if (!isKnown) throw notTranslated(raw, 'is an unsupported property');
  return `\\${negate ? 'P' : 'p'}{${name}}`;
}

function assertion(element: AST.Assertion): string {
  if (element.kind === 'start') return '\\A';
  if (element.kind === 'end') return '\\z';
  if (element.kind === 'word') return element.negate ? '\\B' : '\\b';
  throw notTranslated(element.raw, `is a ${element.kind === 'lookahead' ? 'look-ahead' : 'look-behind'}`);
}

const sum = (parts: readonly Translation[]): number => parts.reduce((total, { size }) => total + size, 0);

const notTranslated = (raw: string, why: string): UntranslatableError =>
  new UntranslatableError(`\`${raw.length > 60 ? `${raw.slice(0, 60)}…` : raw}\` ${why}`);
