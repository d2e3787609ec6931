/**
 * Where a broken tag ends: at its own closer if that comes before the next tag, else with its line. In the second case
 * it is read again up to there, so that its tree holds nothing of the text behind it.
 */
import type { TemplateProblem } from './ast.ts';
import { problemAt } from './problem.ts';
import { delimitersOf, type TagParser } from './tag-parser.ts';

export type TagMode = 'output' | 'block';

/** `cut` is where the content ends and `end` where the tag does: the same where it has no closer. */
export interface Extent {
  readonly cut: number;
  readonly end: number;
  readonly readAgain: boolean;
  readonly problem?: TemplateProblem;
}

export function extentOf(parser: TagParser, start: number, content: number, mode: TagMode): Extent {
  const { text, failure, failedAt, innerOpener, oddString } = parser;
  if (failure?.kind === 'unclosed-string') return unclosedString(parser, failedAt, mode);
  // A failure right behind a string that spans lines or tags means that its opening quote is never closed.
  const odd = oddString !== undefined && text.slice(oddString.end, failedAt).trim() === '';
  if (odd && (innerOpener < 0 || oddString.start < innerOpener)) return unclosedString(parser, oddString.start, mode);
  if (innerOpener >= 0 && innerOpener <= failedAt) return unclosedTag(parser, start, content, innerOpener, mode);
  const end = scanForEnd(text, failedAt, mode);
  if (end.closer > 0) return { cut: end.offset, end: end.offset + end.closer, readAgain: false };
  return unclosedTag(parser, start, content, end.offset, mode);
}

/** How far the closing quote of a string is looked for behind a problem. */
const STRING_LIMIT = 500;

/** The first closer (either kind) or opener behind a problem; quotes that close on their line are skipped. */
function scanForEnd(text: string, from: number, mode: TagMode): { offset: number; closer: number } {
  const pattern = /["']|[-+]?[%}]\}|\{[{%#]/g;
  for (let match = matchFrom(pattern, text, from); match !== null; match = pattern.exec(text)) {
    const [found] = match;
    if (found === '"' || found === "'") {
      const line = text.slice(match.index + 1, match.index + STRING_LIMIT).split(/[\r\n]/, 1)[0] ?? '';
      const close = line.indexOf(found);
      if (close >= 0) pattern.lastIndex = match.index + close + 2;
    } else if (found.startsWith('{')) return { offset: match.index, closer: 0 };
    else {
      // `}}` in a block tag may close two dicts, if the tag's own closer follows on the line.
      const ahead =
        mode === 'block' && found.endsWith('}}') ? matchFrom(/%\}|\{[{%#]|[\r\n]/g, text, match.index + 2) : undefined;
      if (ahead?.[0] !== '%}') return { offset: match.index, closer: found.length };
      pattern.lastIndex = ahead.index;
    }
  }
  return { offset: text.length, closer: 0 };
}

/** The first match of a global pattern at or after `from`. */
export function matchFrom(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

/** `next` is where the next tag begins, or the end of the text. */
function unclosedTag(parser: TagParser, start: number, content: number, next: number, mode: TagMode): Extent {
  const { text } = parser;
  const line = text.slice(content, next).search(/[\r\n]/);
  const cut = line < 0 ? Math.max(content, next) : content + line;
  const end = Math.max(start + 2, start + text.slice(start, cut).trimEnd().length);
  const [opener, closer] = delimitersOf(mode);
  const message =
    line < 0 && next < text.length
      ? `\`${opener}\` is not closed before the next tag: add \`${closer}\`. A tag cannot hold another; inside one, write \`name\` for \`{{ name }}\`.`
      : `\`${opener}\` is never closed: add \`${closer}\`.`;
  // The fix completes half a closer.
  const half = end > start + 2 && text[end - 1] === closer[0];
  const edit = { span: parser.at(half ? end - 1 : end, end), newText: half ? closer : ` ${closer}` };
  const fix = { title: `Add \`${closer}\``, edit };
  return {
    cut,
    end: cut,
    readAgain: true,
    problem: problemAt('unclosed-tag', parser.at(start, end), message, { fix }),
  };
}

/** The string that opens at `quote` ends where the tag, its line or the next tag does, whichever comes first. */
function unclosedString(parser: TagParser, quote: number, mode: TagMode): Extent {
  const { text } = parser;
  const pattern = mode === 'output' ? /[\r\n]|\{[{%#]|[-+]?\}\}/g : /[\r\n]|\{[{%#]|[-+]?%\}/g;
  const match = matchFrom(pattern, text, quote);
  const cut = match?.index ?? text.length;
  const closer = match?.[0].endsWith('}') === true ? match[0].length : 0;
  const end = quote + text.slice(quote, cut).trimEnd().length;
  const mark = text.slice(quote, quote + 1);
  const message = `This string is never closed: add the closing \`${mark}\`.`;
  const fix = { title: `Add the closing \`${mark}\``, edit: { span: parser.at(end, end), newText: mark } };
  const problem = problemAt('unclosed-string', parser.at(quote, end), message, { fix });
  return { cut, end: cut + closer, readAgain: true, problem };
}
