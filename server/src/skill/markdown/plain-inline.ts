/** Running text of the plain kind: code between backticks and links with plain targets; emphasis changes nothing here. */
import { type Span, span } from '../../text.ts';
import type { Blocks, Link } from './blocks.ts';

/** What may mean something in running text. */
const MARK = /[`<[!\\]/g;

const TARGET = String.raw`\(([\w./#:?=%~+@,{$}!;'|^-]+)\)`;

/** `[text](target)` whose text holds nothing that means anything, but code and emphasis. */
const LINK = new RegExp(String.raw`\[(?=\S)((?:[^[\]\x60<>!\\\n]|\x60[^\x60\n]+\x60)+)(?<=\S)\]${TARGET}`, 'y');

/** `![text](target)` likewise, without code. */
const IMAGE = new RegExp(String.raw`!\[([^[\]\x60<>!\\\n]*)\]${TARGET}`, 'y');

/** Brackets that are text, since nothing is defined for them. */
const BRACKETS = /\[[^[\]`<>!\\\n]*\](?![([:])/y;

/** `<` that begins neither a tag nor an address. */
const LESS = /<(?=[\s\d=<|($-]|$)/y;

/** A tag without attributes. */
const TAG = /<\/?[A-Za-z][A-Za-z\d-]* *\/?>/y;

/** A comment of which no version of Markdown thinks otherwise. */
const COMMENT = /<!--((?: (?!-)|[^\s>-])(?:[^-\n]|-(?![->]))*)-->/y;

/** An address in angle brackets. */
const ADDRESS = /<([A-Za-z][A-Za-z\d+.-]{1,31}:[^\s<>]*)>/y;

/** `<a_name>`, which is neither. */
const PLACEHOLDER = /<\/?[A-Za-z][A-Za-z\d-]*[_.,|][\w .,|-]*>/y;

const isPunctuation = (character: string | undefined): boolean => /^[!-/:-@[-`{-~]$/.test(character ?? '');

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
      if (!code) return false;
      blocks.codeSpans.push(code);
      endProse(code.start, code.end);
      MARK.lastIndex = code.end - place.start;
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

/** Where the comment, the tag or the address ends that `<` begins; just behind it where it is text, undefined where that is unsure. */
function endOfAngle(text: string, at: number, limit: number, blocks: Blocks): number | undefined {
  if (matchAt(LESS, text, at) || matchAt(PLACEHOLDER, text, at)) return at + 1;
  const comment = matchAt(COMMENT, text, at);
  if (comment) {
    const whole = span(at, at + comment[0].length);
    if (whole.end > limit) return undefined;
    blocks.comments.push({ span: whole, text: comment[1]?.trim() ?? '' });
    return whole.end;
  }
  const tag = matchAt(TAG, text, at);
  if (tag) return at + tag[0].length <= limit ? at + tag[0].length : undefined;
  const address = matchAt(ADDRESS, text, at);
  if (!address || at + address[0].length > limit) return undefined;
  const [whole, url = ''] = address;
  const inner = span(at + 1, at + 1 + url.length);
  blocks.links.push({ kind: 'link', url, urlSpan: inner, textSpan: inner, span: span(at, at + whole.length) });
  return at + whole.length;
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

const BOLD = /\*\*((?=[^\s*])(?:[^*_[\]`<>!\\&\n]|&(?= )|`[^`\n]+`)+?(?<=\S))\*\*(?![*_])(?=[\s\p{P}]|$)/uy;

/** The bold text that an item begins with; `unsure` where it begins with a mark of emphasis that may be none. */
export function findBold(text: string, start: number, end: number): Span | 'unsure' | undefined {
  const first = text[start];
  if (first !== '*' && first !== '_') return undefined;
  const bold = matchAt(BOLD, text, start);
  if (!bold || start + bold[0].length > end) return 'unsure';
  return span(start + 2, start + 2 + (bold[1]?.length ?? 0));
}
