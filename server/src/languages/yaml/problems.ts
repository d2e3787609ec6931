/** Why YAML cannot read a value as it is written, and the quotes that repair it. */
import { type Span, sliceOf } from '../../text.ts';
import { closingQuote } from './lines.ts';
import type { YamlProblem } from './node.ts';
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
