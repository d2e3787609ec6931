/** The problems in YAML text: parser errors, the defects that explain them, and quotes that repair a value. */
import { lineStart, type Span, shift, sliceOf, span } from '../../text.ts';
import {
  type BlockLine,
  closingQuote,
  isEmptyLine,
  isEntry,
  linesBelow,
  ownColumn,
  readLine,
  valueExtent,
} from './lines.ts';
import type { YamlEntry, YamlProblem } from './node.ts';
import type { Placeholder } from './placeholders.ts';
import { formatScalar, quotedAsWritten } from './quote.ts';

/**
 * The reason why YAML does not read a value as the intended text. `quotes` is true if quotes around the whole value fix
 * this.
 */
export interface Reason {
  readonly message: string;
  readonly quotes: boolean;
  readonly cause?: 'colon' | 'sign';
}

const QUOTE_IT = 'Put the value in quotes.';

const ANCHOR = `YAML reads \`&\` at the start of a value as an anchor, not as text. ${QUOTE_IT}`;

const RESERVED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '@': `A YAML value cannot begin with \`@\`. ${QUOTE_IT}`,
    '`': `A YAML value cannot begin with a backtick. ${QUOTE_IT}`,
    '%': `A YAML value cannot begin with \`%\`. ${QUOTE_IT}`,
    ',': `A YAML value cannot begin with a comma. ${QUOTE_IT}`,
    ']': `A YAML value cannot begin with \`]\`. ${QUOTE_IT}`,
    '}': `A YAML value cannot begin with \`}\`. ${QUOTE_IT}`,
    '*': `YAML reads \`*\` at the start of a value as an alias, not as text. ${QUOTE_IT}`,
    '&': ANCHOR,
    '!': `YAML reads \`!\` at the start of a value as a tag, not as text. ${QUOTE_IT}`,
  }),
);

/** The message for `{{ … }}` as a value without quotes. */
export const TEMPLATE_IN_YAML = `YAML reads \`{{ … }}\` without quotes as a map, not as text. ${QUOTE_IT}`;

/** The reason for a value with a colon followed by a space. */
export const COLON: Reason = {
  message: `YAML reads a colon followed by a space as the end of a key. ${QUOTE_IT}`,
  quotes: true,
  cause: 'colon',
};

const LAST_COLON = `YAML reads a colon at the end of a line as the end of a key. ${QUOTE_IT}`;

/** The message for a line that is not an entry. Usually the author is still typing a key on that line. */
export const STRAY_LINE =
  'This line is neither `key: value`, nor a list item, nor part of the value above. Add a key, or indent the line if it continues that value.';

/**
 * Returns why YAML cannot read a value as text; undefined if its text does not show a reason. The value is at the start
 * of a line's content or after a key; `first` is its first line. Never throws.
 */
export function findReason(value: string, first: string): Reason | undefined {
  const start = first[0];
  if (start === undefined) return undefined;
  if (first.startsWith('{{')) return { message: TEMPLATE_IN_YAML, quotes: true };
  if (start === '"' || start === "'") return findQuoteReason(value);
  if (start === '[' || start === '{') return bracketReason(first);
  if (start === '|' || start === '>') return headerReason(value, first);
  const reserved = RESERVED.get(start);
  if (reserved) return { message: reserved, quotes: true, cause: 'sign' };
  if (/^-(?:\s|$)/.test(first)) {
    const message =
      'A list cannot begin on the line of its key. Start the list on the next line, or put the value in quotes.';
    return { message, quotes: false };
  }
  if (/^\?\s/.test(first)) return { message: `A YAML value cannot begin with \`? \`. ${QUOTE_IT}`, quotes: true };
  if (/:[ \t\r\n]/.test(first)) return COLON;
  return first.endsWith(':') ? { message: LAST_COLON, quotes: true, cause: 'colon' } : undefined;
}

function findQuoteReason(value: string): Reason | undefined {
  const close = closingQuote(value, 0, value.length);
  if (close === undefined || close === value.length - 1) return undefined;
  const message = 'The value continues after its closing quote. Put the whole value in one pair of quotes.';
  // If an apostrophe closes the quotes too early, the intended value is certain only if the value also ends with a
  // quote.
  const glued = /[^\s:,.]/.test(value[close + 1] ?? '');
  return { message, quotes: !glued || value.endsWith(value[0] as string) };
}

function bracketReason(first: string): Reason {
  if (/[\]}]\s*$/.test(first) && /^[^\]}]*[\]}]+$/.test(first)) {
    return {
      message: 'The value has one closing bracket too many. Remove it, or put the value in quotes.',
      quotes: false,
    };
  }
  const message = `A value that begins with \`${first[0]}\` cannot continue after its closing bracket. ${QUOTE_IT}`;
  return { message, quotes: true, cause: 'sign' };
}

function headerReason(value: string, first: string): Reason | undefined {
  if (/^[|>][-+\d]*$/.test(first)) return undefined;
  const message = `The text of a block must begin on the line after \`${first[0]}\`. Move the text to the next line, or remove the \`${first[0]}\`.`;
  return { message, quotes: value === first && /\s/.test(first) };
}

/**
 * Returns the problem with the value at `place`, a span in `source`, with a fix if quotes repair the value. Never
 * throws.
 */
export function valueProblem(source: string, place: Span, { message, quotes, cause }: Reason): YamlProblem {
  if (!quotes) return problemAt(place, message);
  const value = sliceOf(source, place);
  const [sign] = /^[|>](?:[-+]?[ \t]+(?=\S)|(?=\p{L}))/u.exec(value) ?? [];
  if (sign !== undefined && !/[\r\n]/.test(value)) {
    const edits = [{ span: place, newText: formatScalar(value.slice(sign.length)) }];
    return problemAt(place, message, { title: `Remove the \`${sign[0]}\``, edits });
  }
  // In `'it's'`, only the text inside the outer quotes is quoted again.
  const inner = /^(["']).*\1$/s.test(value) && /^["']\w+["']\w/.test(value) ? value.slice(1, -1) : value;
  const newText = quotedAsWritten(inner);
  const problem = problemAt(place, message, {
    ...{ title: 'Put the value in quotes', edits: [{ span: place, newText }] },
    ...(hasEntryBelow(source, place) && { isGuess: true }),
  });
  return cause ? { ...problem, cause } : problem;
}

/** Returns whether a line below the first line of a value looks like an entry or a list item, and not like text. */
function hasEntryBelow(source: string, { start, end }: Span): boolean {
  for (const line of linesBelow(source, readLine(source, lineStart(source, start)), end))
    if (line.dashes.length > 0 || isEntry(source, line)) return true;
  return false;
}

/** Returns a problem of the kind `syntax`. */
export const problemAt = (place: Span, message: string, fix?: YamlProblem['fix']): YamlProblem => ({
  span: place,
  message,
  kind: 'syntax',
  ...(fix && { fix }),
});

/** Returns a copy of a problem. All spans, including the spans of its fix, are moved by `by` UTF-16 code units. */
export const shiftProblem = (problem: YamlProblem, by: number): YamlProblem => ({
  ...problem,
  span: shift(problem.span, by),
  ...(problem.fix && {
    fix: { ...problem.fix, edits: problem.fix.edits.map((edit) => ({ ...edit, span: shift(edit.span, by) })) },
  }),
});

// Problems in syntactically valid YAML: duplicate keys, aliases, tags, and anchors without an alias.

/** The limit for reported duplicate keys, which is above the number of problems that clients show. */
const MAX_DUPLICATES = 200;

/**
 * Adds a problem for each entry of a map whose key repeats the key of an earlier entry (docs/format.md, section 2).
 * Never throws.
 */
export function addDuplicates(problems: YamlProblem[], entries: readonly YamlEntry[]): void {
  if (entries.length < 2) return;
  const places = new Map<string, Span>();
  for (const { key } of entries) {
    const name = String(key.value);
    const first = places.get(name);
    if (!first) places.set(name, key.span);
    else if (problems.length < MAX_DUPLICATES) {
      const message = `Duplicate key \`${shortened(name)}\`. Only the first value is used.`;
      problems.push({ span: key.span, message, kind: 'duplicate-key', first });
    }
  }
}

/**
 * Returns the problem with an alias that has no anchor before it or, with `isCyclic`, is inside the value of its own
 * anchor. `place` is a span in `source`. Never throws.
 */
export function aliasProblem(source: string, place: Span, name: string, isCyclic: boolean): YamlProblem {
  if (isCyclic) {
    return problemAt(place, `The alias \`*${name}\` is inside the value that it repeats. Remove the alias.`);
  }
  const message = `The alias \`*${name}\` has no anchor \`&${name}\` before it. If this is text, put it in quotes.`;
  return valueProblem(source, place, { message, quotes: true });
}

/** Returns the problem with the alias at which a document exceeds the limit for repeated nodes. */
export const expansionProblem = (place: Span): YamlProblem =>
  problemAt(place, 'The aliases expand to too many values. Write out the values that you need instead.');

/**
 * Returns the problem with a tag that is not for a JSON type: text that begins with `!`, or a type of only YAML. The
 * offset of `error` is in `source`. Never throws.
 */
export function tagProblem(source: string, error: ParserError): YamlProblem {
  const tag = /^\S*/.exec(source.slice(error.start))?.[0] ?? '';
  const tagSpan = span(error.start, error.start + Math.max(1, tag.length));
  const line = readLine(source, lineStart(source, error.start));
  if (tag.startsWith('!!') || line.value.start !== error.start) {
    const message = `The tag \`${shortened(tag)}\` is not supported, because values must have JSON types. Remove the tag.`;
    return problemAt(tagSpan, message);
  }
  const place = valueExtent(source, line, ownColumn(line));
  const first = sliceOf(source, line.value);
  const isText = /^\S+[ \t]+[^\s[{&*|>"'#]/.test(first) || first === tag;
  const message = `YAML reads \`!\` at the start of a value as a tag, not as text. ${isText ? QUOTE_IT : 'Remove the tag.'}`;
  const problem = isText ? valueProblem(source, place, { message, quotes: true }) : problemAt(tagSpan, message);
  return { ...problem, cause: 'tag' };
}

/**
 * Returns the problem with an anchor without an alias that is part of the text, as in `name: &R and D`; undefined
 * otherwise. `place` is the span in `source` of the value after the anchor. Never throws.
 */
export function unusedAnchorProblem(source: string, name: string, place: Span): YamlProblem | undefined {
  const start = source.lastIndexOf('&', place.start - 1);
  const between = source.slice(start + 1, place.start);
  if (start < 0 || !between.startsWith(name) || between.slice(name.length).trim() !== '' || /[\r\n]/.test(between))
    return undefined;
  return valueProblem(source, span(start, place.end), { message: ANCHOR, quotes: true });
}

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);

// Parser errors, and the defects that explain them.

/** An error from the parser. `code` is the parser's error code, or `TOO_DEEP`. */
export interface ParserError {
  readonly code: string;
  readonly message: string;
  readonly start: number;
}

/** An outermost `[…]` or `{…}`. If it is not closed, it ends at the offset at which the parser stopped reading it. */
export interface FlowSpan {
  readonly start: number;
  readonly end: number;
  readonly closed: boolean;
}

/** The results of one pass. Only `text` contains placeholders; offsets in `text` and `source` are the same. */
export interface Pass {
  readonly text: string;
  readonly source: string;
  readonly errors: readonly ParserError[];
  readonly flows: readonly FlowSpan[];
  /** Quoted scalars without their closing quote. */
  readonly openQuotes: readonly Span[];
}

/** One defect, which causes the errors within `region`. In the next pass, `placeholders` replace the defective text. */
export interface Diagnosis {
  readonly problem: YamlProblem;
  readonly placeholders: readonly Placeholder[];
  readonly region: Span;
  /** True if the line itself shows the defect, independent of errors before it. */
  readonly certain: boolean;
}

/** Returns a diagnosis, which is certain by default and may have no placeholders. */
export const diagnosisOf = (
  problem: YamlProblem,
  region: Span,
  placeholders: readonly Placeholder[] = [],
  certain = true,
): Diagnosis => ({ problem, region, placeholders, certain });

/** Returns the line of an offset, or the next line with content if that line is empty or a comment. Never throws. */
export function lineOf(text: string, offset: number): BlockLine {
  let line = readLine(text, lineStart(text, Math.min(offset, text.length)));
  while (isEmptyLine(line) && line.next > line.end) line = readLine(text, line.next);
  return line;
}

/** Returns the span from the start of the line `first` to the offset `end`, which is on that line or below it. */
export const lines = (first: BlockLine, end: number): Span => span(first.start, end);

/** Returns the value of a plain scalar whose source has several lines. Never throws. */
export function folded(source: string): string {
  const parts = source.split(/\r\n|\n|\r/).map((part) => part.trim());
  return parts.reduce(
    (text, part, i) => (i === 0 ? part : text + (part === '' ? '\n' : text.endsWith('\n') ? part : ` ${part}`)),
    '',
  );
}

/**
 * Returns the diagnosis of a value that needs quotes. The next pass reads the value as the intended text. Never throws.
 */
export function valueDiagnosis(pass: Pass, line: BlockLine, place: Span, reason: Reason): Diagnosis {
  const problem = valueProblem(pass.source, place, reason);
  const placeholders: Placeholder[] = [{ span: place, kind: 'scalar', value: folded(sliceOf(pass.source, place)) }];
  return diagnosisOf(problem, lines(line, place.end), placeholders);
}
