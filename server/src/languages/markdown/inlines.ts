/**
 * Reads the text of a paragraph or a heading (CommonMark, chapter 6) in one pass, except emphasis and references. The
 * result equals that of `parseByRemark`, which decides the details of tags and targets.
 */
import { decodeString } from 'micromark-util-decode-string';
import { type Span, shift, span } from '../../text.ts';
import type { Link, MarkdownBlocks } from './blocks.ts';
import { readHtml } from './html.ts';
import { findTarget } from './link-targets.ts';

/** A piece of text. In a quote, `text` has spaces in place of the `>` of `source`. */
export interface Inlines {
  readonly text: string;
  readonly source: string;
  readonly place: Span;
}

/**
 * Adds the prose, code spans, links and comments of a piece of text, in time proportional to its length. Never throws.
 *
 * @returns the number of UTF-16 code units that remark reads again, because it searches for the end of each construct;
 *   `undefined` if only remark can read the text
 */
export function readInlines(inlines: Inlines, blocks: MarkdownBlocks): number | undefined {
  return new InlineReader(inlines, blocks).read();
}

/** The characters that may begin or end a construct. */
const MARK = /[`<[\]!\\]/g;

/** An address in angle brackets. The group contains an email address. */
const ADDRESS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: an address contains no control characters.
  /<(?:[a-z][a-z\d.+-]{1,31}:[^\x00-\x20\x7f<>]*|([#-'*+\--9=?A-Z^-~]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*))>/iy;

/** The bracket that may begin a link or an image. */
interface Opening {
  readonly isImage: boolean;
  readonly start: number;
  /** The offset after the bracket. */
  readonly end: number;
  /** The state before the bracket. */
  readonly proseFrom: number;
  readonly counts: Counts;
  /** True if a link follows the bracket, so that the bracket may begin an image, but no other link. */
  hasLink: boolean;
}

type Counts = Readonly<Record<'prose' | 'links' | 'codeSpans' | 'comments' | 'unclosedComments', number>>;

/** The reader of one piece of text. Offsets are relative to its start, except in `blocks`. */
class InlineReader {
  readonly #text: string;
  readonly #base: number;
  readonly #inlines: Inlines;
  readonly #blocks: MarkdownBlocks;
  readonly #openings: Opening[] = [];
  /** The strings that do not occur in the rest of the text. */
  readonly #missing = new Set<string>();
  /** The start of the last run of backticks of each length. */
  #lastTicks: ReadonlyMap<number, number> | undefined;
  /** The start of the prose that is not yet in `blocks`. */
  #proseFrom = 0;
  #reread = 0;
  #isSure = true;

  constructor(inlines: Inlines, blocks: MarkdownBlocks) {
    const { text, place } = inlines;
    this.#text = text.slice(place.start, place.end);
    this.#base = place.start;
    this.#inlines = inlines;
    this.#blocks = blocks;
  }

  read(): number | undefined {
    const text = this.#text;
    const marks = new RegExp(MARK);
    for (let match = marks.exec(text); match; match = marks.exec(text)) {
      const at = match.index;
      let next = at + 1;
      if (match[0] === '`') next = this.#readTicks(at);
      else if (match[0] === '<') next = this.#readAngle(at);
      else if (match[0] === '\\') next += isPunctuation(text.charCodeAt(next)) ? 1 : 0;
      else if (match[0] === ']') next = this.#readClosing(at);
      else if (match[0] === '[') this.#open(at, next, false);
      else if (text[next] === '[') this.#open(at, ++next, true);
      marks.lastIndex = next;
    }
    this.#endProse(text.length, text.length);
    return this.#isSure ? this.#reread : undefined;
  }

  #span(start: number, end: number): Span {
    return span(this.#base + start, this.#base + end);
  }

  #endProse(end: number, next: number): void {
    if (this.#proseFrom < end) this.#blocks.prose.push(this.#span(this.#proseFrom, end));
    this.#proseFrom = Math.max(this.#proseFrom, next);
  }

  /** Returns the offset after `what`, searched from `from` on; -1 if it does not occur. */
  #endOf(what: string, from: number): number {
    const at = this.#missing.has(what) ? -1 : this.#text.indexOf(what, from);
    return at < 0 ? this.#miss(what, from) : at + what.length;
  }

  #miss(what: string, from: number): number {
    this.#missing.add(what);
    this.#reread += this.#text.length - from;
    return -1;
  }

  // Code spans.

  /** Reads the backticks at `start`. Returns the offset after them, or after the code span that they begin. */
  #readTicks(start: number): number {
    const text = this.#text;
    const open = endOfTicks(text, start);
    this.#lastTicks ??= findLastTicks(text, start);
    if ((this.#lastTicks.get(open - start) ?? 0) < open) {
      this.#reread += text.length - open;
      return open;
    }
    let from: number;
    let end = open;
    do {
      from = text.indexOf('`', end);
      end = endOfTicks(text, from);
    } while (end - from !== open - start);
    this.#blocks.codeSpans.push(this.#span(start, end));
    this.#endProse(start, end);
    return end;
  }

  // Addresses and HTML.

  /** Reads the address, tag or comment at `start`. Returns the offset after it, or after its `<`. */
  #readAngle(start: number): number {
    ADDRESS.lastIndex = start;
    const address = ADDRESS.exec(this.#text);
    const end = address ? start + address[0].length : this.#endOfHtml(start);
    if (end < 0) return start + 1;
    const place = this.#span(start, end);
    if (address) {
      const inner = span(place.start + 1, place.end - 1);
      const url = `${address[1] === undefined ? '' : 'mailto:'}${address[0].slice(1, -1)}`;
      this.#blocks.links.push({ kind: 'link', url, urlSpan: inner, textSpan: inner, span: place });
    } else readHtml(this.#inlines.source, place, this.#blocks);
    this.#endProse(start, end);
    return end;
  }

  #endOfHtml(start: number): number {
    const text = this.#text;
    const next = text[start + 1];
    if (next === '?') return this.#endOf('?>', start + 2);
    if (next === '!') {
      if (text.startsWith('<!--', start)) return this.#endOf('-->', start + 2);
      if (text.startsWith('<![CDATA[', start)) return this.#endOf(']]>', start + 9);
      return isLetter(text.charCodeAt(start + 2)) ? this.#endOf('>', start + 3) : -1;
    }
    const isClosing = next === '/';
    let at = start + (isClosing ? 2 : 1);
    if (!isLetter(text.charCodeAt(at))) return -1;
    while (isInTagName(text.charCodeAt(at))) at++;
    const end = isClosing ? skipSpace(text, at) : this.#endOfAttributes(at);
    if (text[end] === '>') return end + 1;
    this.#reread += Math.max(end, at) - start;
    return -1;
  }

  /** Returns the offset at which a tag must have its `>`; -1 if an attribute is invalid. */
  #endOfAttributes(from: number): number {
    const text = this.#text;
    if (!isEndOfValue(text.charCodeAt(from))) return -1;
    for (let at = from; ; ) {
      at = skipSpace(text, at);
      if (text[at] === '/') return at + 1;
      if (!isAttributeStart(text.charCodeAt(at))) return at;
      while (isInAttributeName(text.charCodeAt(at))) at++;
      const equals = skipSpace(text, at);
      if (text[equals] !== '=') continue;
      at = this.#endOfValue(skipSpace(text, equals + 1));
      if (!isEndOfValue(text.charCodeAt(at))) return -1;
    }
  }

  /** Returns the end of the value of an attribute; -1 if it is empty or not closed. */
  #endOfValue(start: number): number {
    const text = this.#text;
    const quote = text[start] ?? '>';
    if (quote === '"' || quote === "'") return this.#endOf(quote, start + 1);
    if ('<=>`'.includes(quote)) return -1;
    let at = start + 1;
    while (isInBareValue(text.charCodeAt(at))) at++;
    return at;
  }

  // Links and images.

  #open(start: number, end: number, isImage: boolean): void {
    const { prose, links, codeSpans, comments, unclosedComments } = this.#blocks;
    const counts = {
      prose: prose.length,
      links: links.length,
      codeSpans: codeSpans.length,
      comments: comments.length,
      unclosedComments: unclosedComments.length,
    };
    this.#openings.push({ isImage, start, end, proseFrom: this.#proseFrom, counts, hasLink: false });
  }

  /** Reads the `]` at `at`. Returns the offset after it, or after the link or image that it belongs to. */
  #readClosing(at: number): number {
    const opening = this.#openings.pop();
    if (!opening) return at + 1;
    this.#reread += at - opening.end;
    const isPlain = (opening.hasLink && !opening.isImage) || this.#text[at + 1] !== '(';
    const resource = isPlain ? undefined : this.#readResource(at + 1);
    if (!resource) return at + 1;
    const { end, url } = resource;
    if (opening.isImage) this.#addImage(opening, end, url);
    else this.#addLink(opening, at, end, url);
    return end;
  }

  /** Adds an image in place of everything that its text contains. */
  #addImage({ start, proseFrom, counts }: Opening, end: number, url: string): void {
    this.#proseFrom = proseFrom;
    for (const [list, count] of Object.entries(counts)) this.#blocks[list as keyof Counts].length = count;
    const target = findTarget(this.#text, span(start, end), url, '](');
    this.#blocks.links.push({
      kind: 'image',
      url,
      urlSpan: shift(target.urlSpan, this.#base),
      textSpan: this.#span(start + 2, target.at),
      span: this.#span(start, end),
    });
    this.#endProse(start, end);
  }

  /** Adds a link before the links in its text. */
  #addLink({ start, end: textStart, counts }: Opening, textEnd: number, end: number, url: string): void {
    for (let i = this.#openings.length - 1; i >= 0; i--) {
      const outer = this.#openings[i] as Opening;
      if (outer.hasLink) break;
      outer.hasLink = true;
    }
    const words = span(textStartIn(this.#text, textStart), textEnd);
    let last = textEnd - 1;
    while (isTabOrSpace(this.#text.charCodeAt(last))) last--;
    // Only remark knows whether indentation before the `]` is a part of the text.
    if (last < textEnd - 1 && isLineEnd(this.#text.charCodeAt(last))) this.#isSure = false;
    const { urlSpan } = findTarget(this.#text, span(words.end, end), url, '](');
    const link: Link = {
      kind: 'link',
      url,
      urlSpan: shift(urlSpan, this.#base),
      textSpan: shift(words, this.#base),
      span: this.#span(start, end),
    };
    this.#blocks.links.splice(counts.links, 0, link);
    this.#endProse(words.end, end);
  }

  /** Reads `(target "title")` at `start`. */
  #readResource(start: number): { readonly end: number; readonly url: string } | undefined {
    const text = this.#text;
    const from = skipSpace(text, start + 1);
    if (text[from] === ')') return { end: from + 1, url: '' };
    const isEnclosed = text[from] === '<';
    const targetEnd = isEnclosed ? endOfEnclosed(text, from) : endOfBare(text, from);
    if (targetEnd < 0) return undefined;
    let at = skipSpace(text, targetEnd);
    const quote = text[at];
    if (at > targetEnd && (quote === '"' || quote === "'" || quote === '(')) {
      at = this.#endOfTitle(at + 1, quote === '(' ? ')' : quote);
      if (at < 0) return undefined;
      at = skipSpace(text, at);
    }
    if (text[at] !== ')') {
      this.#reread += at - start;
      return undefined;
    }
    // `findTarget` must skip the `>` of a quote between the bracket and the target.
    const { text: whole, source } = this.#inlines;
    if (whole !== source && /[\r\n]/.test(text.slice(start, from))) this.#isSure = false;
    const target = isEnclosed ? text.slice(from + 1, targetEnd - 1) : text.slice(from, targetEnd);
    return { end: at + 1, url: /[\\&]/.test(target) ? decodeString(target) : target };
  }

  /** Returns the offset after the title whose text begins at `start`; -1 if it is not closed. */
  #endOfTitle(start: number, quote: string): number {
    const text = this.#text;
    const missing = `title${quote}`;
    if (this.#missing.has(missing)) return this.#miss(missing, start);
    for (let at = start; at < text.length; at++) {
      if (text[at] === quote) return at + 1;
      if (text[at] === '\\' && (text[at + 1] === quote || text[at + 1] === '\\')) at++;
    }
    return this.#miss(missing, start);
  }
}

function endOfTicks(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) === TICK) at++;
  return at;
}

function findLastTicks(text: string, start: number): ReadonlyMap<number, number> {
  const last = new Map<number, number>();
  for (let at = start; at >= 0; ) {
    const end = endOfTicks(text, at);
    last.set(end - at, at);
    at = text.indexOf('`', end);
  }
  return last;
}

/** Returns the start of a link's text, which does not include a space between the bracket and a line break. */
function textStartIn(text: string, start: number): number {
  const first = skipTabsAndSpaces(text, start);
  // Two spaces before a line break are a hard break, which is text.
  const isBreak = first > start + 1 && !text.slice(start, first).includes('\t');
  return isLineEnd(text.charCodeAt(first)) && !isBreak ? first : start;
}

/** Returns the end of a target in angle brackets; -1 if it is not closed. */
function endOfEnclosed(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === GREATER_THAN) return at + 1;
    if (code === LESS_THAN || isLineEnd(code)) return -1;
    if (code === BACKSLASH && '<>\\'.includes(text[at + 1] ?? ' ')) at++;
  }
  return -1;
}

/** The maximum depth of parentheses in a target, which is a limit of remark. */
const MAX_PARENTHESES = 32;

/** Returns the end of a target without angle brackets; -1 if it is empty or its parentheses are not balanced. */
function endOfBare(text: string, start: number): number {
  let depth = 0;
  let at = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === CLOSING && depth-- === 0) break;
    if (code === OPENING && depth++ === MAX_PARENTHESES) return -1;
    if (depth === 0 && isSpace(code)) break;
    if (code <= 32 || code === 127) return -1;
    if (code === BACKSLASH && '()\\'.includes(text[at + 1] ?? ' ')) at++;
  }
  return at > start ? at : -1;
}

function skipTabsAndSpaces(text: string, from: number): number {
  let at = from;
  while (isTabOrSpace(text.charCodeAt(at))) at++;
  return at;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

const OPENING = 40;
const CLOSING = 41;
const LESS_THAN = 60;
const GREATER_THAN = 62;
const BACKSLASH = 92;
const TICK = 96;

const isLineEnd = (code: number): boolean => code === 10 || code === 13;

const isTabOrSpace = (code: number): boolean => code === 32 || code === 9;

const isSpace = (code: number): boolean => isTabOrSpace(code) || isLineEnd(code);

const isLetter = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

const isInTagName = (code: number): boolean => isLetter(code) || (code >= 48 && code <= 57) || code === 45;

/** Returns whether a character is a letter, `_` or `:`. */
const isAttributeStart = (code: number): boolean => isLetter(code) || code === 95 || code === 58;

const isInAttributeName = (code: number): boolean => isInTagName(code) || isAttributeStart(code) || code === 46;

/** Returns whether a character may follow the name of a tag or the value of an attribute. */
const isEndOfValue = (code: number): boolean => code === 47 || code === GREATER_THAN || isSpace(code);

const isInBareValue = (code: number): boolean =>
  code >= 0 && !isEndOfValue(code) && !`"'<=\``.includes(String.fromCharCode(code));

const isPunctuation = (code: number): boolean =>
  (code >= 33 && code <= 47) ||
  (code >= 58 && code <= 64) ||
  (code >= 91 && code <= 96) ||
  (code >= 123 && code <= 126);
