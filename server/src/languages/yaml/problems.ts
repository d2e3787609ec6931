/** The problems of a YAML text: errors of the parser, the defects that explain them, and the quotes that repair a value. */
import { lineStart, type Span, shift, sliceOf, span } from '../../text.ts';
import { type BlockLine, closingQuote, isEmptyLine, ownColumn, readLine, valueExtent } from './lines.ts';
import type { YamlEntry, YamlProblem } from './node.ts';
import type { Placeholder } from './placeholders.ts';
import { quotedAsWritten } from './quote.ts';

/** Why a value is not the text that its author meant. `quotes`: quotes around all of it repair it. */
export interface Reason {
  readonly message: string;
  readonly quotes: boolean;
  readonly cause?: 'colon';
}

const QUOTE_IT = 'Put the value in quotes to make it text.';

const RESERVED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '@': `A value cannot begin with \`@\`: YAML reserves it. ${QUOTE_IT}`,
    '`': `A value cannot begin with a backtick: YAML reserves it. ${QUOTE_IT}`,
    '%': `A value cannot begin with \`%\`: YAML keeps it for directives. ${QUOTE_IT}`,
    ',': `A value cannot begin with a comma: YAML keeps it for lists. ${QUOTE_IT}`,
    ']': `A value cannot begin with \`]\`: no \`[\` is open. ${QUOTE_IT}`,
    '}': `A value cannot begin with \`}\`: no \`{\` is open. ${QUOTE_IT}`,
    '*': `A value that begins with \`*\` is a YAML alias, the repetition of something marked with \`&\` before. ${QUOTE_IT}`,
    '&': `A value that begins with \`&\` is a YAML anchor, a mark that does not belong to the text. ${QUOTE_IT}`,
    '!': `A value that begins with \`!\` is a YAML tag, which does not belong to the text. ${QUOTE_IT}`,
  }),
);

export const MOUSTACHE = `YAML reads \`{{ … }}\` without quotes as a map in a map. ${QUOTE_IT}`;

const COLON = `YAML reads a colon followed by a blank as the end of a key, so this value cannot be read as text. ${QUOTE_IT}`;

const LAST_COLON = `YAML reads a colon at the end of a line as the end of a key, so this value cannot be read as text. ${QUOTE_IT}`;

/** Of a line that is no entry: mostly one on which a key is being typed. */
export const STRAY_LINE =
  'This line is neither `key: value` nor a list item, nor the continuation of a value above. Add the key, or indent it under its own.';

/** What is wrong with a value that begins a line's content or stands behind a key; `first` is its first line. */
export function findReason(value: string, first: string): Reason | undefined {
  const start = first[0];
  if (start === undefined) return undefined;
  if (first.startsWith('{{')) return { message: MOUSTACHE, quotes: true };
  if (start === '"' || start === "'") return findQuoteReason(value);
  if (start === '[' || start === '{') return bracketReason(first);
  if (start === '|' || start === '>') return headerReason(value, first);
  const reserved = RESERVED.get(start);
  if (reserved) return { message: reserved, quotes: true };
  if (/^-(?:\s|$)/.test(first)) {
    const message =
      'A list cannot begin on the line of its key. Start it on the next line, or put the value in quotes.';
    return { message, quotes: false };
  }
  if (/^\?\s/.test(first))
    return { message: `A value cannot begin with \`? \`, which marks a key. ${QUOTE_IT}`, quotes: true };
  if (/:\s/.test(first)) return { message: COLON, quotes: true, cause: 'colon' };
  return first.endsWith(':') ? { message: LAST_COLON, quotes: true, cause: 'colon' } : undefined;
}

function findQuoteReason(value: string): Reason | undefined {
  const close = closingQuote(value, 0, value.length);
  if (close === undefined || close === value.length - 1) return undefined;
  const message =
    'Text stands behind the closing quote, where the value has already ended. Put all of it in one pair of quotes.';
  // After an apostrophe that closes the quotes too early, the meaning is certain only where they close again at the end.
  const glued = /[^\s:,.]/.test(value[close + 1] ?? '');
  return { message, quotes: !glued || value.endsWith(value[0] as string) };
}

function bracketReason(first: string): Reason {
  if (/[\]}]\s*$/.test(first) && /^[^\]}]*[\]}]+$/.test(first)) {
    return {
      message: 'One closing bracket too many stands here. Remove it, or put the value in quotes.',
      quotes: false,
    };
  }
  const message = `A value that begins with \`${first[0]}\` ends at the closing bracket, but text follows. ${QUOTE_IT}`;
  return { message, quotes: true };
}

function headerReason(value: string, first: string): Reason | undefined {
  if (/^[|>][-+\d]*$/.test(first)) return undefined;
  const message = `\`${first[0]}\` begins a block of text, which starts on the next line, but text stands behind it. Move that text to the next line, or put the value in quotes.`;
  return { message, quotes: value === first && /\s/.test(first) };
}

/** The problem of a value; with a fix where quotes repair it. */
export function valueProblem(source: string, place: Span, { message, quotes, cause }: Reason): YamlProblem {
  if (!quotes) return problemAt(place, message);
  const value = sliceOf(source, place);
  // Of `'it's'` only the text within the outer quotes is quoted anew.
  const inner = /^(["']).*\1$/s.test(value) && /^["']\w+["']\w/.test(value) ? value.slice(1, -1) : value;
  const newText = quotedAsWritten(inner);
  const problem = problemAt(place, message, { title: 'Put the value in quotes', edits: [{ span: place, newText }] });
  return cause ? { ...problem, cause } : problem;
}

export const problemAt = (place: Span, message: string, fix?: YamlProblem['fix']): YamlProblem => ({
  span: place,
  message,
  kind: 'syntax',
  ...(fix && { fix }),
});

/** Problems of meaning: aliases, duplicate keys, tags, and anchors that nothing repeats. */
export const shiftProblem = (problem: YamlProblem, by: number): YamlProblem => ({
  ...problem,
  span: shift(problem.span, by),
  ...(problem.fix && {
    fix: { ...problem.fix, edits: problem.fix.edits.map((edit) => ({ ...edit, span: shift(edit.span, by) })) },
  }),
});

/** More than are ever shown. */
const MAX_DUPLICATES = 200;

/** Adds a problem for each key that a map has more than once. */
export function addDuplicates(problems: YamlProblem[], entries: readonly YamlEntry[]): void {
  if (entries.length < 2) return;
  const places = new Map<string, Span>();
  for (const { key } of entries) {
    const name = String(key.value);
    const first = places.get(name);
    if (!first) places.set(name, key.span);
    else if (problems.length < MAX_DUPLICATES) {
      const message = `The key \`${shortened(name)}\` stands here a second time; only the first one counts. Remove one of them.`;
      problems.push({ span: key.span, message, kind: 'duplicate-key', first });
    }
  }
}

/** The problem of an alias whose anchor does not stand before it, or stands around it. Offsets are those of `source`. */
export function aliasProblem(source: string, place: Span, name: string, isCyclic: boolean): YamlProblem {
  if (isCyclic) {
    return problemAt(place, `The alias \`*${name}\` repeats the value that it is itself a part of. Remove it.`);
  }
  const message = `No \`&${name}\` stands before the alias \`*${name}\`, so there is nothing to repeat. If this is text, put it in quotes.`;
  return valueProblem(source, place, { message, quotes: true });
}

export const expansionProblem = (place: Span): YamlProblem =>
  problemAt(place, 'The aliases repeat each other to an immense value. Write out what is needed instead.');

/** The problem of a tag without a JSON type: text that begins with `!`, or a type of YAML alone. */
export function tagProblem(source: string, error: ParserError): YamlProblem {
  const tag = /^\S*/.exec(source.slice(error.start))?.[0] ?? '';
  const tagSpan = span(error.start, error.start + Math.max(1, tag.length));
  const line = readLine(source, lineStart(source, error.start));
  if (tag.startsWith('!!') || line.value.start !== error.start) {
    const message = `The tag \`${shortened(tag)}\` has no meaning for this value: values here are those of JSON. Remove it.`;
    return problemAt(tagSpan, message);
  }
  const place = valueExtent(source, line, ownColumn(line));
  const first = sliceOf(source, line.value);
  const isText = /^\S+[ \t]+[^\s[{&*|>"'#]/.test(first) || first === tag;
  const message = `A value that begins with \`!\` is a YAML tag, which does not belong to the text. ${isText ? 'Put the value in quotes to make it text.' : 'Remove the tag.'}`;
  const reason = { ...(findReason(first, first) ?? { message }), message, quotes: true };
  return isText ? valueProblem(source, place, reason) : problemAt(tagSpan, message);
}

/** In `name: &R and D` the text is missing what YAML reads as an anchor. */
export function unusedAnchorProblem(source: string, name: string, place: Span): YamlProblem | undefined {
  const start = source.lastIndexOf('&', place.start - 1);
  const between = source.slice(start + 1, place.start);
  if (start < 0 || !between.startsWith(name) || between.slice(name.length).trim() !== '' || /[\r\n]/.test(between))
    return undefined;
  const reason = findReason('&', '&');
  return reason && valueProblem(source, span(start, place.end), reason);
}

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);

// Errors of the parser, and the defects that they are explained by.

/** An error of the parser. `code` is the parser's, or `TOO_DEEP`. */
export interface ParserError {
  readonly code: string;
  readonly message: string;
  readonly start: number;
}

/** An outermost `[…]` or `{…}`; an unclosed one ends where the parser gave it up. */
export interface FlowSpan {
  readonly start: number;
  readonly end: number;
  readonly closed: boolean;
}

/** What one pass found. `text` has placeholders in it, `source` has not; their offsets are the same. */
export interface Pass {
  readonly text: string;
  readonly source: string;
  readonly errors: readonly ParserError[];
  readonly flows: readonly FlowSpan[];
  /** Quoted scalars without their closing quote. */
  readonly openQuotes: readonly Span[];
}

/** One defect. Errors within `region` follow from it; `placeholders` take its place in the next pass. */
export interface Diagnosis {
  readonly problem: YamlProblem;
  readonly placeholders: readonly Placeholder[];
  readonly region: Span;
  /** True where the line itself shows the defect, whatever is wrong before it. */
  readonly certain: boolean;
}

export const diagnosisOf = (
  problem: YamlProblem,
  region: Span,
  placeholders: readonly Placeholder[] = [],
  certain = true,
): Diagnosis => ({ problem, region, placeholders, certain });

/** The line of an offset; where that is empty or a comment, the next one that is not. */
export function lineOf(text: string, offset: number): BlockLine {
  let line = readLine(text, lineStart(text, Math.min(offset, text.length)));
  while (isEmptyLine(line) && line.next > line.end) line = readLine(text, line.next);
  return line;
}

/** From the start of a line to an offset below it. */
export const lines = (first: BlockLine, end: number): Span => span(first.start, end);

/** The text of a plain scalar of several lines. */
export function folded(source: string): string {
  const parts = source.split(/\r\n|\n|\r/).map((part) => part.trim());
  return parts.reduce(
    (text, part, i) => (i === 0 ? part : text + (part === '' ? '\n' : text.endsWith('\n') ? part : ` ${part}`)),
    '',
  );
}

/** A value that needs quotes; the next pass reads it as the text that it was meant to be. */
export function valueDiagnosis(pass: Pass, line: BlockLine, place: Span, reason: Reason): Diagnosis {
  const problem = valueProblem(pass.source, place, reason);
  const placeholders: Placeholder[] = [{ span: place, kind: 'scalar', value: folded(sliceOf(pass.source, place)) }];
  return diagnosisOf(problem, lines(line, place.end), placeholders);
}
