/** Fences that were meant to hold other fences, and end at the first of those because both have the same length. */
import { nextLine, type Span, shift, sliceOf, span } from '../../text.ts';
import type { Fence } from './blocks.ts';
import { type FenceMarker, findOpening } from './code-fences.ts';

/** A fence as its author reads it. */
export interface NestingFence {
  /** The runs of backticks or tildes that were meant to open and to close it. */
  readonly open: Span;
  readonly close: Span;
  /** What follows the opening run, trimmed. */
  readonly info: string;
  /** The length at which it would hold all that is in it. */
  readonly length: number;
  /** The run at which it ends instead, and whether one within it was meant to begin there. */
  readonly end: Span;
  readonly endsAtOpening: boolean;
}

interface FenceLine {
  readonly run: Span;
  readonly marker: FenceMarker;
  readonly indent: number;
  readonly info: string;
  /** Whether the line above leads to code: an empty one, a heading, or one that ends in a colon. */
  readonly isLedTo: boolean;
  readonly isAfterBlank: boolean;
  /** Whether nothing follows, or a line that only closes. */
  readonly isBeforeBlank: boolean;
}

interface OpenFence {
  readonly line: FenceLine;
  longest: number;
  /** The first line within it that has no info string. */
  firstBare?: FenceLine;
  endsAtOpening: boolean;
}

/** Fences whose content is read as Markdown, or as text that may hold some. */
const HOLDS_TEXT = /^(?:markdown|mdx?|text|txt)\b/i;

/** The run of marks that begins a fence with an info string, after a line break and blanks. */
const NAMED_OPENING = /(?<=(?:^|[\r\n])([ \t>]*))(`{3,}|~{3,})[ \t]*([\w{.][^\r\n`]*)/g;

/**
 * Reads fences as people do: a line with an info string opens one, also within another, and one without closes what is
 * open. Where that reading comes out even, it gives the fences that hold others; else nothing, since nobody can tell.
 * Where a line looks like the opposite of what it is read as, only such fences count as say that they hold text, and none
 * around that line.
 */
export function findNestingFences(text: string, body: Span): readonly NestingFence[] {
  let lastDoubt = -1;
  const found: NestingFence[] = [];
  const stack: OpenFence[] = [];
  const lines = fenceLines(text, body);
  for (const [index, line] of lines.entries()) {
    const [outer] = stack;
    if (outer && !isWithin(outer.line, line)) continue;
    const isOpening = line.info !== '' || !outer || (stack.length === 1 && opensUnnamed(outer, line, lines[index + 1]));
    if (!isOpening) {
      if (looksLikeOpening(line)) lastDoubt = line.run.start;
      const closed = stack.pop();
      if (stack.length === 0 && closed?.firstBare && lastDoubt < closed.line.run.start) {
        found.push(nestingOf(closed, closed.firstBare, line));
      }
    } else {
      if (line.info === '' && looksLikeClosing(line)) lastDoubt = line.run.start;
      stack.push({ line, longest: line.marker.length, endsAtOpening: false });
    }
    if (outer && stack.length > 0) {
      outer.longest = Math.max(outer.longest, line.marker.length);
      if (line.info === '' && !outer.firstBare) Object.assign(outer, { firstBare: line, endsAtOpening: isOpening });
    }
  }
  if (stack.length > 0) return [];
  return lastDoubt >= 0 ? found.filter(({ info }) => HOLDS_TEXT.test(info)) : found;
}

const nestingOf = (
  { line, longest, endsAtOpening }: OpenFence,
  { run }: FenceLine,
  close: FenceLine,
): NestingFence => ({
  open: line.run,
  close: close.run,
  info: line.info,
  length: longest + 1,
  end: run,
  endsAtOpening,
});

function fenceLines(text: string, { start, end }: Span): readonly FenceLine[] {
  const found: FenceLine[] = [];
  let above = '';
  for (let at = start; at < end; at = nextLine(text, at, end)) {
    const next = nextLine(text, at, end);
    const line = text.slice(at, next);
    const indent = line.search(/[^ \t>]/);
    const marker = indent < 0 ? undefined : findOpening(line.slice(indent).trimEnd());
    if (marker) {
      const lead = above.replace(/^[ \t>]+/, '').trim();
      found.push({
        run: span(at + indent, at + indent + marker.length),
        marker,
        indent,
        info: line.slice(indent + marker.length).trim(),
        isLedTo: lead === '' || /^#{1,6}\s|[:：*]$/.test(lead),
        isAfterBlank: above.trim() === '',
        isBeforeBlank: /^[ \t]*(?:`{3,}|~{3,}|)$/.test(text.slice(next, nextLine(text, next, end)).trimEnd()),
      });
    }
    above = line;
  }
  return found;
}

const looksLikeClosing = ({ isAfterBlank, isBeforeBlank }: FenceLine): boolean => !isAfterBlank && isBeforeBlank;

const looksLikeOpening = ({ isLedTo, isBeforeBlank }: FenceLine): boolean => isLedTo && !isBeforeBlank;

/** Whether a line without an info string opens a fence within one of text: it looks so, and the next looks like its end. */
const opensUnnamed = (outer: OpenFence, line: FenceLine, next: FenceLine | undefined): boolean =>
  HOLDS_TEXT.test(outer.line.info) &&
  line.isLedTo &&
  !line.isBeforeBlank &&
  next?.info === '' &&
  isWithin(outer.line, next) &&
  !next.isLedTo &&
  looksLikeClosing(next);

/** Whether a line could end the outermost fence, by its character, its length and its indentation. */
const isWithin = (outer: FenceLine, { marker, indent }: FenceLine): boolean =>
  marker.character === outer.marker.character && marker.length >= outer.marker.length && indent < outer.indent + 4;

/** A line of marks that an author kept apart, so that they end nothing. */
const PARTED_MARKS = /(?:^|[\r\n])[ \t>]*\\?`(?:[ \\\u200b]*`){2,}[ \t]*(?:[\r\n]|$)/;

/**
 * The run that begins a fence with an info string and some content, within a fence that ends where that one was meant to.
 * Of one language in another nothing is said, since a string of code may hold such a line.
 */
export function findSwallowed(
  text: string,
  { span: place, contentSpan, info, lang, indent, closed }: Fence,
): Span | undefined {
  const outer = closed ? findOpening(text.slice(place.start, contentSpan.start).trimEnd()) : undefined;
  if (!outer) return undefined;
  const content = sliceOf(text, contentSpan);
  for (const match of content.matchAll(NAMED_OPENING)) {
    const [whole, margin = '', run = '', words = ''] = match;
    const isOwn = run[0] === outer.character && run.length >= outer.length && margin.length < indent + 4;
    const isSame = lang === '' || HOLDS_TEXT.test(info) || words.split(/\s/, 1)[0]?.toLowerCase() === lang;
    if (!isOwn || !isSame) continue;
    const held = content.slice(match.index + whole.length);
    if (held.trim() === '' || PARTED_MARKS.test(held)) return undefined;
    return shift(span(match.index, match.index + run.length), contentSpan.start);
  }
  return undefined;
}
