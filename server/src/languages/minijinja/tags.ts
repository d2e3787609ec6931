/**
 * One tag at a time, and how much of the text a defective one costs. A tag that reads well ends where the engine says.
 * A defective one ends at its own closer if that comes before the next tag, else it was never closed and ends with its
 * line; it is then read again within that bound, so that its tree holds nothing of the text behind it.
 */
import type { Tag, TemplateProblem } from './ast.ts';
import { beginTag, type Mode } from './lexer.ts';
import { at, expectEnd, type Parser, problemAt, report } from './state.ts';

/** Reads the tag whose `{{` or `{%` stands at `start`. `offset` in the result is where the text goes on. */
export function parseTag<T>(
  parser: Parser,
  start: number,
  mode: 'output' | 'block',
  read: (parser: Parser) => T,
): { readonly tag: Tag; readonly value: T; readonly defective: boolean; readonly offset: number } {
  const { text } = parser;
  const depth = parser.depth;
  parser.tagStart = start;
  const newer = parser.newer.length;
  const content = start + 2 + (isMark(text, start + 2) ? 1 : 0);
  let value = readWithin(parser, mode, content, text.length, false, read);
  if (parser.failure === undefined) {
    const tag = tagOf(parser, mode, start, content, parser.start, parser.end);
    return { tag, value, defective: false, offset: parser.end };
  }
  const extent = extentOf(parser, start, content, mode);
  const { failure } = parser;
  if (extent.readAgain) {
    parser.wasted += Math.max(0, parser.failedAt - extent.end);
    parser.impatient = parser.wasted > text.length;
    parser.depth = depth;
    parser.newer.length = newer;
    value = readWithin(parser, mode, content, extent.cut, true, read);
    parser.failure = undefined;
  }
  parser.depth = depth;
  parser.failure = undefined;
  report(parser, extent.problem ?? failure);
  const tag = tagOf(parser, mode, start, content, extent.cut, extent.end);
  return { tag, value, defective: true, offset: extent.end };
}

function readWithin<T>(
  parser: Parser,
  mode: Mode,
  from: number,
  limit: number,
  again: boolean,
  read: (parser: Parser) => T,
): T {
  beginTag(parser, mode, from, limit, again);
  const value = read(parser);
  expectEnd(parser);
  return value;
}

export const isMark = (text: string, offset: number): boolean => text[offset] === '-' || text[offset] === '+';

/** A tag from `start` to `end` whose content lies from `content` to `cut`; without a closer `cut` is `end`. */
export function tagOf(
  parser: Parser,
  kind: Tag['kind'],
  start: number,
  content: number,
  cut: number,
  end: number,
): Tag {
  const mark = (offset: number) => (isMark(parser.text, offset) ? (parser.text[offset] as '-' | '+') : '');
  const closed = end > cut;
  return {
    kind,
    span: at(parser, start, end),
    content: at(parser, Math.min(content, cut), cut),
    closed,
    trimBefore: content > start + 2 ? mark(start + 2) : '',
    trimAfter: closed && end - 3 >= content ? mark(end - 3) : '',
  };
}

/** `cut` is where the content ends and `end` where the tag does: the same where it has no closer. */
interface Extent {
  readonly cut: number;
  readonly end: number;
  readonly readAgain: boolean;
  readonly problem?: TemplateProblem;
}

function extentOf(parser: Parser, start: number, content: number, mode: 'output' | 'block'): Extent {
  const { text, failure, failedAt, innerOpener, oddString } = parser;
  if (failure?.kind === 'unclosed-string') return unclosedString(parser, failedAt, mode);
  // Right behind a string that spans lines or tags the defect is its opening quote, not what follows the closing one.
  const odd = oddString !== undefined && text.slice(oddString.end, failedAt).trim() === '';
  if (odd && (innerOpener < 0 || oddString.start < innerOpener)) return unclosedString(parser, oddString.start, mode);
  if (innerOpener >= 0 && innerOpener <= failedAt) return unclosedTag(parser, start, content, innerOpener, mode);
  const end = scanForEnd(text, failedAt, mode);
  if (end.closer > 0) return { cut: end.offset, end: end.offset + end.closer, readAgain: false };
  return unclosedTag(parser, start, content, end.offset, mode);
}

/** How far the closing quote of a string is looked for behind a defect. */
const STRING_LIMIT = 500;

/** The first closer (either kind) or opener behind a defect; quotes that close on their line are skipped. */
function scanForEnd(text: string, from: number, mode: 'output' | 'block'): { offset: number; closer: number } {
  const pattern = /["']|[-+]?[%}]\}|\{[{%#]/g;
  pattern.lastIndex = from;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [found] = match;
    if (found === '"' || found === "'") {
      const line = text.slice(match.index + 1, match.index + STRING_LIMIT).split(/[\r\n]/, 1)[0] ?? '';
      const close = line.indexOf(found);
      if (close >= 0) pattern.lastIndex = match.index + close + 2;
    } else if (found.startsWith('{')) return { offset: match.index, closer: 0 };
    else {
      // `}}` in a block tag may close two dicts, if the tag's own closer follows on the line.
      const ahead = mode === 'block' && found.endsWith('}}') ? nextMark(text, match.index + 2) : undefined;
      if (ahead?.[0] !== '%}') return { offset: match.index, closer: found.length };
      pattern.lastIndex = ahead.index;
    }
  }
  return { offset: text.length, closer: 0 };
}

function nextMark(text: string, from: number): RegExpExecArray | null {
  const pattern = /%\}|\{[{%#]|[\r\n]/g;
  pattern.lastIndex = from;
  return pattern.exec(text);
}

/** `next` is where the next tag begins, or the end of the text. */
function unclosedTag(parser: Parser, start: number, content: number, next: number, mode: 'output' | 'block'): Extent {
  const { text } = parser;
  const line = text.slice(content, next).search(/[\r\n]/);
  const cut = line < 0 ? Math.max(content, next) : content + line;
  const end = Math.max(start + 2, start + text.slice(start, cut).trimEnd().length);
  const [opener, closer] = mode === 'output' ? ['{{', '}}'] : ['{%', '%}'];
  const message =
    line < 0 && next < text.length
      ? `\`${opener}\` is not closed before the next tag: add \`${closer}\`. A tag cannot hold another; inside one, write \`name\` for \`{{ name }}\`.`
      : `\`${opener}\` is never closed: add \`${closer}\`.`;
  // Half a closer is completed, not followed by a whole one.
  const half = end > start + 2 && text[end - 1] === closer[0];
  const edit = { span: at(parser, half ? end - 1 : end, end), newText: half ? closer : ` ${closer}` };
  const fix = { title: `Add \`${closer}\``, edit };
  return {
    cut,
    end: cut,
    readAgain: true,
    problem: problemAt('unclosed-tag', at(parser, start, end), message, { fix }),
  };
}

/** The string that opens at `quote` ends where the tag, its line or the next tag does, whichever comes first. */
function unclosedString(parser: Parser, quote: number, mode: 'output' | 'block'): Extent {
  const { text } = parser;
  const pattern = mode === 'output' ? /[\r\n]|\{[{%#]|[-+]?\}\}/g : /[\r\n]|\{[{%#]|[-+]?%\}/g;
  pattern.lastIndex = quote;
  const match = pattern.exec(text);
  const cut = match?.index ?? text.length;
  const closer = match?.[0].endsWith('}') === true ? match[0].length : 0;
  const end = quote + text.slice(quote, cut).trimEnd().length;
  const mark = text.slice(quote, quote + 1);
  const message = `This string is never closed: add the closing \`${mark}\`.`;
  const fix = { title: `Add the closing \`${mark}\``, edit: { span: at(parser, end, end), newText: mark } };
  const problem = problemAt('unclosed-string', at(parser, quote, end), message, { fix });
  return { cut, end: cut + closer, readAgain: true, problem };
}
