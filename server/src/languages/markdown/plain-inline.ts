/** Running text of the plain kind: code between backticks and links with plain targets; emphasis changes nothing here. */
import { type Span, span } from '../../text.ts';
import type { Blocks, Link } from './blocks.ts';
import { matchAt } from './match.ts';
import { endOfAngle } from './plain-angles.ts';

/** What may mean something in running text. */
const MARK = /[`<[!\\]/g;

/** No blank, no bracket, no reference to a sign; what is not ASCII means nothing. */
const IN_TARGET = String.raw`(?:[\w./#:?=%~+@,{$}!;'|^\u00a1-\u167f\u3001-\ufefe-]|&(?![\w#]+;))`;
const TARGET = String.raw`\(((?:${IN_TARGET}|\(${IN_TARGET}*\))+)\)`;

/** A sign with a backslash in front of it that is no bracket and no backtick. */
const ESCAPED = String.raw`\\[!-/:-@^_{-~]`;

/** `[text](target)` whose text holds nothing that means anything, but code and emphasis. */
const LINK = new RegExp(
  String.raw`\[(?=\S)((?:[^[\]\x60<>!\\\n]|${ESCAPED}|\x60[^\x60\n]+\x60)+)(?<=\S)\]${TARGET}`,
  'y',
);

/** `![text](target)` likewise, without code. */
const IMAGE = new RegExp(String.raw`!\[([^[\]\x60<>!\\\n]*)\]${TARGET}`, 'y');

/** Brackets that are text, since nothing is defined for them. */
const BRACKETS = /\[[^[\]`<>\\\n]*\](?![([:])/y;

const isPunctuation = (character: string | undefined): boolean => /^[!-/:-@[-`{-~]$/.test(character ?? '');

/** Characters of running text in which every mark may be looked for to the end. */
const LONG = 10_000;

/** Adds the prose, code and links of a stretch of running text; false where the parser must decide. */
export function readPlainProse(text: string, place: Span, blocks: Blocks): boolean {
  let from = place.start;
  const endProse = (end: number, next: number) => {
    if (from < end) blocks.prose.push(span(from, end));
    from = Math.max(from, next);
  };
  // Only this stretch is searched: a search in the whole text goes on to its end in every item of a list, which took 9 of
  // the 14 ms of an edit in a list of 200 KB.
  const source = text.slice(place.start, place.end);
  const lastTarget = source.lastIndexOf('](');
  MARK.lastIndex = 0;
  for (let match = MARK.exec(source); match; match = MARK.exec(source)) {
    const at = place.start + match.index;
    const mark = match[0];
    if (mark === '`') {
      const code = codeAt(text, at, place.end);
      if (code) {
        blocks.codeSpans.push(code);
        endProse(code.start, code.end);
        MARK.lastIndex = code.end - place.start;
        // What nothing closes is text. It is looked for again for each length of a mark: not in all of a long text.
      } else if (source.length > LONG) return false;
      else MARK.lastIndex = endOfTicks(text, at, place.end) - place.start;
    } else if (mark === '[') {
      const link = matchAt(LINK, text, at);
      const brackets = link ? null : matchAt(BRACKETS, text, at);
      if (link && at + link[0].length <= place.end) {
        const { textSpan, span: whole } = pushLink('link', at, 1, link, blocks);
        for (let tick = text.indexOf('`', at); tick >= 0 && tick < textSpan.end; ) {
          const code = codeAt(text, tick, textSpan.end);
          if (!code) return false;
          blocks.codeSpans.push(code);
          endProse(code.start, code.end);
          tick = text.indexOf('`', code.end);
        }
        endProse(textSpan.end, whole.end);
        MARK.lastIndex = whole.end - place.start;
      } else if (brackets && at + brackets[0].length <= place.end) MARK.lastIndex = match.index + brackets[0].length;
      // Where no target follows, nothing is a link.
      else if (match.index <= lastTarget) return false;
    } else if (mark === '!') {
      if (text[at + 1] !== '[') continue;
      const image = matchAt(IMAGE, text, at);
      if (image && at + image[0].length <= place.end) {
        const { span: whole } = pushLink('image', at, 2, image, blocks);
        endProse(at, whole.end);
        MARK.lastIndex = whole.end - place.start;
      } else if (match.index <= lastTarget) return false;
    } else if (mark === '\\') {
      if (isPunctuation(text[at + 1])) MARK.lastIndex = match.index + 2;
    } else {
      const end = endOfAngle(text, at, place.end, blocks);
      if (end === undefined) return false;
      if (end > at + 1) {
        endProse(at, end);
        MARK.lastIndex = end - place.start;
      }
    }
  }
  endProse(place.end, place.end);
  return true;
}

/** `before` is the length of what stands in front of the text. */
function pushLink(kind: 'link' | 'image', at: number, before: number, match: RegExpExecArray, blocks: Blocks): Link {
  const [whole, words = '', url = ''] = match;
  const textSpan = span(at + before, at + before + words.length);
  const urlSpan = span(textSpan.end + 2, textSpan.end + 2 + url.length);
  const link: Link = { kind, url, urlSpan, textSpan, span: span(at, at + whole.length) };
  blocks.links.push(link);
  return link;
}

/** The code that begins with the backticks at `start`; undefined where nothing closes it before `limit`. */
function codeAt(text: string, start: number, limit: number): Span | undefined {
  const open = endOfTicks(text, start, limit);
  const length = open - start;
  for (let at = text.indexOf('`', open); at >= 0 && at < limit; ) {
    const end = endOfTicks(text, at, limit);
    if (end - at === length) return span(start, end);
    at = text.indexOf('`', end);
  }
  return undefined;
}

function endOfTicks(text: string, start: number, limit: number): number {
  let at = start;
  while (at < limit && text[at] === '`') at++;
  return at;
}
