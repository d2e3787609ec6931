/** Running text of the plain kind: code between backticks and links with plain targets; emphasis changes nothing here. */
import { type Span, span } from '../../text.ts';
import type { Blocks } from './blocks.ts';

/** What may mean something in running text. */
const MARK = /[`<[!\\]/g;

/** `[text](target)` in which nothing else means anything. */
const LINK = /\[([^\s[\]`<>!\\*_&](?:[^[\]`<>!\\*_&\n]*[^\s[\]`<>!\\*_&])?)\]\(([\w./#:?=%~+-]+)\)/y;

/** Brackets that are text, since nothing is defined for them. */
const BRACKETS = /\[[^[\]`<>!\\\n]*\](?![([:])/y;

/** `<` that begins neither a tag nor an address. */
const LESS = /<(?=[\s\d=])/y;

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
  MARK.lastIndex = 0;
  for (let match = MARK.exec(source); match; match = MARK.exec(source)) {
    const at = place.start + match.index;
    const mark = match[0];
    if (mark === '`') {
      const code = codeAt(text, at, place.end);
      if (!code) return false;
      blocks.codeSpans.push(code);
      endProse(code.start, code.end);
      MARK.lastIndex = code.end - place.start;
    } else if (mark === '[') {
      const link = matchAt(LINK, text, at);
      if (link && at + link[0].length <= place.end) {
        const [whole, words = '', url = ''] = link;
        const textSpan = span(at + 1, at + 1 + words.length);
        const urlSpan = span(textSpan.end + 2, textSpan.end + 2 + url.length);
        blocks.links.push({ kind: 'link', url, urlSpan, textSpan, span: span(at, at + whole.length) });
        endProse(textSpan.end, at + whole.length);
        MARK.lastIndex = match.index + whole.length;
      } else {
        const brackets = matchAt(BRACKETS, text, at);
        if (!brackets || at + brackets[0].length > place.end) return false;
        MARK.lastIndex = match.index + brackets[0].length;
      }
    } else if (mark === '!') {
      if (text[at + 1] === '[') return false;
    } else if (mark === '\\' || !matchAt(LESS, text, at)) return false;
  }
  endProse(place.end, place.end);
  return true;
}

/** The code that begins with the backticks at `start`; undefined where nothing closes it before `limit`. */
function codeAt(text: string, start: number, limit: number): Span | undefined {
  let open = start;
  while (open < limit && text[open] === '`') open++;
  const length = open - start;
  for (let at = text.indexOf('`', open); at >= 0 && at < limit; ) {
    let end = at;
    while (end < limit && text[end] === '`') end++;
    if (end - at === length) return span(start, end);
    at = text.indexOf('`', end);
  }
  return undefined;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const BOLD = /\*\*([\p{L}\p{N}](?:[\p{L}\p{N} ,:'/-]*[\p{L}\p{N}:])?)\*\*(?=[\s:.,;]|$)/uy;

/** The bold text that an item begins with; `unsure` where it begins with a mark of emphasis that may be none. */
export function findBold(text: string, start: number, end: number): Span | 'unsure' | undefined {
  const first = text[start];
  if (first !== '*' && first !== '_') return undefined;
  const bold = matchAt(BOLD, text, start);
  if (!bold || start + bold[0].length > end) return 'unsure';
  return span(start + 2, start + 2 + (bold[1]?.length ?? 0));
}
