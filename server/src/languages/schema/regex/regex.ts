/**
 * Regular expressions of users: whether they are valid, whether other engines may take too long for them, and a way of
 * running them that cannot backtrack (docs/format.md, section 3). JSON Schema takes the ECMA-262 dialect.
 */
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { RE2JS } from 're2js';
import type { Span } from '../../../text.ts';
import { findAmbiguity } from './ambiguity.ts';
import { graphOf } from './graph.ts';
import { translate, Untranslatable } from './translate.ts';

export interface RegexFault {
  /** `unread`: valid, and no text is tried. `slow`: tried in linear time here, and not by engines that backtrack. */
  readonly kind: 'invalid' | 'unread' | 'slow';
  /** What is wrong, why, and what to do. */
  readonly message: string;
}

/** A regular expression that has been read. */
export interface Regex {
  /** True also where the expression is not run, or the text is too long for it. */
  readonly test: (text: string) => boolean;
  /** The first match; undefined where there is none, or the text is not tried. */
  readonly find: (text: string) => Span | undefined;
  /** Whether a text of this length is tried. */
  readonly tries: (length: number) => boolean;
  /** Steps that the engine takes at most for a text of this length; making the engine counts for the first one. */
  readonly cost: (length: number) => number;
}

/** Longer ones are not read. */
const MAX_LENGTH = 2_000;

/** Steps of the engine for one text. */
const MAX_STEPS = 2e7;

/** Reads a regular expression, written without slashes. */
export function parseRegex(source: string): Regex {
  const reading = read(source);
  if ('fault' in reading) return { test: () => true, find: () => undefined, tries: () => false, cost: () => 1 };
  const { translated, size } = reading;
  let engine: RE2JS | undefined;
  const tries = (length: number): boolean => size * length <= MAX_STEPS;
  return {
    tries,
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

/** The fault of a regular expression; undefined where it is sound, or where that cannot be told. */
export function findRegexFault(source: string): RegexFault | undefined {
  const reading = read(source);
  const fault = 'fault' in reading ? reading.fault : undefined;
  const slow = reading.pattern && findSlowness(reading.pattern, reading.flags);
  if (!slow) return fault;
  return { kind: 'slow', message: fault ? `${slow} ${fault.message}` : slow };
}

interface Parsed {
  readonly pattern?: AST.Pattern;
  readonly flags: string;
}

type Reading = Parsed & ({ readonly fault: RegexFault } | { readonly translated: string; readonly size: number });

function read(source: string): Reading {
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
    if (!(error instanceof Untranslatable)) throw error;
    return { pattern, flags, fault: unread(error.message) };
  }
}

const unread = (why: string): RegexFault => ({
  kind: 'unread',
  message:
    `No value is checked against this regular expression: ${why}. Here it would be run in linear time, which look-arounds, ` +
    'back-references and large counts do not allow. Write it without them to have values checked.',
});

const DIALECT = 'Schemas take JavaScript (ECMA-262) regular expressions.';

/** What other dialects write, and JavaScript refuses or reads as something else. */
const FOREIGN = [
  {
    pattern: /^\(\?[imsx]+\)/,
    message: 'Inline flags such as `(?i)` are not supported; write both cases out, `[aA]`.',
  },
  { pattern: /\(\?P[<=>]/, message: 'A named group is written `(?<name>…)`, without the `P`.' },
  { pattern: /^(?:[^\\]|\\.)*\\A/s, message: 'The start of the text is written `^`, not `\\A`.' },
  { pattern: /^(?:[^\\]|\\.)*\\[zZ]/s, message: 'The end of the text is written `$`, not `\\Z`.' },
];

function parsePattern(source: string, unicode: boolean): AST.Pattern | string {
  try {
    return new RegExpParser({ ecmaVersion: 2024 }).parsePattern(source, 0, source.length, { unicode });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return message.slice(message.lastIndexOf(': ') + 2).replace(/^./, (first) => first.toLowerCase());
  }
}

/** What an engine that backtracks may take exponential time for. */
function findSlowness(pattern: AST.Pattern, flags: string): string | undefined {
  if (!nestsChoices(pattern)) return undefined;
  const ambiguity = findAmbiguity(graphOf(pattern, flags));
  if (ambiguity === undefined) return undefined;
  const where = ambiguity.length > 60 ? `${ambiguity.slice(0, 60)}…` : ambiguity;
  return (
    `Many engines take very long for this regular expression: \`${where}\` reads the same text in many ways, and all of ` +
    'them are tried when a match fails. Keep the repeated parts from overlapping: one repetition instead of two nested ' +
    'ones, or a separator between them.'
  );
}

/** True where a repetition holds another or alternatives, without which there is one way to read a text. */
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
