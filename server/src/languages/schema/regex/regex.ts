/**
 * Regular expressions of schemas: whether they are valid, whether they can take exponential time, and a way of running
 * them that ends (docs/format.md, section 3). JSON Schema takes the ECMA-262 dialect.
 */
import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { findAmbiguity } from './ambiguity.ts';
import { graphOf, type RegexGraph } from './graph.ts';

interface RegexFault {
  readonly kind: 'invalid' | 'catastrophic';
  /** What is wrong, why, and what to do. */
  readonly message: string;
}

/** A regular expression that has been read: its fault, or a test that ends soon for every text. */
export interface Regex {
  readonly fault?: RegexFault;
  /** True also where the text is too long, or the expression too intricate, to be tried safely. */
  readonly test: (text: string) => boolean;
}

/** Longer ones are neither checked nor run. */
const MAX_LENGTH = 2_000;

/** Steps that a test may take at most. */
const MAX_STEPS = 1e8;

const always = (): boolean => true;

/** Reads a regular expression, written without slashes. */
export function parseRegex(source: string): Regex {
  if (source.length > MAX_LENGTH) return { test: always };
  const foreign = FOREIGN.find(({ pattern }) => pattern.test(source));
  const unicode = parsePattern(source, true);
  const parsed = typeof unicode === 'string' ? parsePattern(source, false) : unicode;
  if (foreign) return { fault: { kind: 'invalid', message: `${foreign.message} ${DIALECT}` }, test: always };
  if (typeof parsed === 'string') {
    const message = `Invalid regular expression: ${unicode as string}. ${DIALECT}`;
    return { fault: { kind: 'invalid', message }, test: always };
  }
  const flags = parsed === unicode ? 'u' : '';
  // What boundaries and look-arounds exclude is not followed. An expression that is ambiguous even if they exclude every
  // path is catastrophic; one that is so only if they exclude none may be, and is neither reported nor run.
  const cut = graphOf(parsed, flags, true);
  const ambiguity = findAmbiguity(cut);
  if (ambiguity.verdict === 'ambiguous') {
    return { fault: { kind: 'catastrophic', message: explosion(ambiguity.where) }, test: always };
  }
  const whole = cut.cuts ? findAmbiguity(graphOf(parsed, flags, false)) : ambiguity;
  if (whole.verdict !== 'plain') return { test: always };
  return { test: boundedTest(source, flags, whole.degree + freedom(parsed, cut)) };
}

/** The fault of a regular expression; undefined where it is sound, or where that cannot be told. */
export const findRegexFault = (source: string): RegexFault | undefined => parseRegex(source).fault;

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

const explosion = (where: string): string =>
  `This regular expression can take exponential time: \`${where.length > 60 ? `${where.slice(0, 60)}…` : where}\` reads ` +
  'the same text in many ways, and all of them are tried when a match fails. Keep the repeated parts from overlapping: ' +
  'one repetition instead of two nested ones, or a separator between them.';

function parsePattern(source: string, unicode: boolean): AST.Pattern | string {
  try {
    return new RegExpParser({ ecmaVersion: 2024 }).parsePattern(source, 0, source.length, { unicode });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return message.slice(message.lastIndexOf(': ') + 2).replace(/^./, (first) => first.toLowerCase());
  }
}

/** How often a match may start anew: everywhere in the text unless anchored, and once more per back-reference. */
function freedom(pattern: AST.Pattern, graph: RegexGraph): number {
  const anchored = pattern.alternatives.every(
    ({ elements: [first] }) => first?.type === 'Assertion' && first.kind === 'start',
  );
  return graph.references + (anchored ? 0 : 1);
}

/** A backtracking match takes at most about `n^degree / degree!` steps; longer texts are not tried. */
function boundedTest(source: string, flags: string, degree: number): (text: string) => boolean {
  let factorial = 1;
  for (let i = 2; i <= degree; i++) factorial *= i;
  const longest = degree === 0 ? Number.POSITIVE_INFINITY : (MAX_STEPS * factorial) ** (1 / degree);
  try {
    const regex = new RegExp(source, flags);
    return (text) => text.length > longest || regex.test(text);
  } catch {
    return always;
  }
}
