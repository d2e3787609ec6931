/** Running text: code spans and links with simple targets; see the contract in `quick-markdown.ts`. */
import { type Span, span } from '../../../text.ts';
import type { Blocks } from '../blocks.ts';
import { matchAt } from './match.ts';

/** What may mean something in running text. Emphasis changes neither prose nor links. */
const MARK = /[`<[!\\]/g;

/** No blank, no bracket, no character reference. */
const IN_TARGET = String.raw`(?:[\w./#:?=%~+@,{$}!;'|^\u00a1-\u167f\u3001-\ufefe-]|&(?![\w#]+;))`;

const ESCAPED = String.raw`\\[!-/:-@^_{-~]`;

/** `[text](target)` whose text holds code, emphasis and escapes only. */
const LINK = new RegExp(
  String.raw`\[(?=\S)((?:[^[\]\x60<>!\\\n]|${ESCAPED}|\x60[^\x60\n]+\x60)+)(?<=\S)\]` +
    String.raw`\(((?:${IN_TARGET}|\(${IN_TARGET}*\))+)\)`,
  'y',
);

/** `<` that begins neither a tag nor an address. */
const LESS_THAN = /<(?![^\s<>]*@)(?=[\s\d=<|($~,\u0080-\uffff-]|$)/y;

const isPunctuation = (character: string | undefined): boolean => /^[!-/:-@[-`{-~]$/.test(character ?? '');

/** In a longer stretch, looking for the end of every unclosed code span would take quadratic time. */
const MAX_UNCLOSED = 10_000;

/** Adds the prose, code spans and links of a stretch of running text; false where the parser must decide. */
export function readProse(text: string, place: Span, blocks: Blocks): boolean {
  let from = place.start;
  const endProse = (end: number, next: number) => {
    if (from < end) blocks.prose.push(span(from, end));
    from = Math.max(from, next);
  };
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
      } else if (source.length > MAX_UNCLOSED) return false;
      else MARK.lastIndex = endOfTicks(text, at, place.end) - place.start;
    } else if (mark === '[') {
      const link = matchAt(LINK, text, at);
      if (link && at + link[0].length <= place.end) {
        const [whole, words = '', url = ''] = link;
        const textSpan = span(at + 1, at + 1 + words.length);
        const urlSpan = span(textSpan.end + 2, textSpan.end + 2 + url.length);
        const end = at + whole.length;
        blocks.links.push({ kind: 'link', url, urlSpan, textSpan, span: span(at, end) });
        for (let tick = text.indexOf('`', at); tick >= 0 && tick < textSpan.end; ) {
          const code = codeAt(text, tick, textSpan.end);
          if (!code) return false;
          blocks.codeSpans.push(code);
          endProse(code.start, code.end);
          tick = text.indexOf('`', code.end);
        }
        endProse(textSpan.end, end);
        MARK.lastIndex = end - place.start;
      } else if (match.index <= lastTarget) return false;
    } else if (mark === '!') {
      if (text[at + 1] === '[' && match.index <= lastTarget) return false;
    } else if (mark === '\\') {
      if (isPunctuation(text[at + 1])) MARK.lastIndex = match.index + 2;
    } else if (!matchAt(LESS_THAN, text, at)) return false;
  }
  endProse(place.end, place.end);
  return true;
}

/** The code span whose backticks begin at `start`; undefined where nothing closes it before `limit`. */
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
