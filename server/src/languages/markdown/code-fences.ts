/** Fenced code blocks and code spans: their marker lines and other parts, and the backticks around new ones. */
import { lineStart, nextLine, type Span, shift, sliceOf, span } from '../../text.ts';
import type { Fence } from './blocks.ts';
import { trimSpan } from './spans.ts';

export interface FenceMarker {
  readonly character: string;
  readonly length: number;
}

/** Returns the marker of a line that opens a fence; undefined for other lines. `line` must begin at the marker. */
export function findOpening(line: string): FenceMarker | undefined {
  const run = /^(?:`{3,}|~{3,})/.exec(line)?.[0];
  if (run === undefined || (run[0] === '`' && line.includes('`', run.length))) return undefined;
  return { character: run[0] ?? '`', length: run.length };
}

/** Returns whether a line closes the fence that `marker` opened. The caller checks the indentation of the line. */
export function isClosing(line: string, marker: FenceMarker): boolean {
  const run = /^[ \t]*(`+|~+)[ \t\r\n]*$/.exec(line)?.[1];
  return run !== undefined && run[0] === marker.character && run.length >= marker.length;
}

/**
 * Returns the fence at `place`, which begins at the marker. `value` is the content from remark; undefined if the fence
 * is not closed. The number of lines in `value` shows whether the last line closes the fence.
 */
export function fenceAt(text: string, place: Span, value: string | undefined, nested: boolean): Fence {
  const opening = span(place.start, nextLine(text, place.start, place.end));
  const marker = findOpening(text.slice(opening.start, opening.end).trimEnd()) ?? { character: '`', length: 3 };
  let lineCount = 0;
  let lastLine = opening.end;
  for (let at = opening.end; at < place.end; at = nextLine(text, at, place.end)) {
    lastLine = at;
    lineCount++;
  }
  const last = text.slice(lastLine, place.end).replace(/^[ \t>]*/, '');
  const isContent = value === undefined || (value !== '' && value.split(/\r\n|\n|\r/).length === lineCount);
  const closed = lineCount > 0 && isClosing(last, marker) && !isContent;
  // An unclosed fence in a list ends with the list, so the white space at the end is not part of the fence.
  const whole = closed || !nested ? place : trimSpan(text, place);
  const contentStart = Math.min(opening.end, whole.end);
  const contentSpan = span(contentStart, closed ? lastLine : whole.end);
  return describeFence(text, whole, contentSpan, marker, { closed, nested });
}

/** Makes the fence at `place` with the content `contentSpan`. Both spans are UTF-16 offsets in `text`. Never throws. */
export function describeFence(
  text: string,
  place: Span,
  contentSpan: Span,
  marker: FenceMarker,
  { closed, nested }: { readonly closed: boolean; readonly nested: boolean },
): Fence {
  const infoStart = Math.min(place.start + marker.length, contentSpan.start);
  const infoSpan = trimSpan(text, span(infoStart, contentSpan.start));
  const info = text.slice(infoSpan.start, infoSpan.end);
  const words = info.toLowerCase().split(/\s+/).filter(Boolean);
  const indent = place.start - lineStart(text, place.start);
  const uniform = isUniform(text, contentSpan, indent);
  return { span: place, infoSpan, info, words, lang: words[0] ?? '', contentSpan, indent, uniform, closed, nested };
}

function isUniform(text: string, { start, end }: Span, indent: number): boolean {
  if (indent === 0) return true;
  const margin = ' '.repeat(indent);
  for (let at = start; at < end; ) {
    const next = nextLine(text, at, end);
    const line = text.slice(at, next);
    if (line.trim() !== '' && !line.startsWith(margin)) return false;
    at = next;
  }
  return true;
}

// Fences that should contain other fences, but end at the first inner fence because both fences have the same length.

/** A fence as its author intended it. */
export interface NestingFence {
  /** The runs of backticks or tildes that should open and close the fence. */
  readonly open: Span;
  readonly close: Span;
  /** The text after the opening run, trimmed. */
  readonly info: string;
  /** The number of marks with which the fence would contain all its inner fences. */
  readonly length: number;
  /** The run at which the fence ends instead, and whether that run should open an inner fence. */
  readonly end: Span;
  readonly endsAtOpening: boolean;
}

interface FenceLine {
  readonly run: Span;
  readonly marker: FenceMarker;
  readonly indent: number;
  readonly info: string;
  /** True if the line above introduces code: it is empty, is a heading, or ends with a colon. */
  readonly isIntroduced: boolean;
  readonly isAfterBlank: boolean;
  /** True if the next line is empty or only closes a fence, or if there is no next line. */
  readonly isBeforeBlank: boolean;
}

interface OpenFence {
  readonly line: FenceLine;
  longest: number;
  /** The first fence line without an info string inside this fence. */
  firstBare?: FenceLine;
  endsAtOpening: boolean;
}

/** The info strings of fences whose content is Markdown, or text that may contain Markdown. */
const HOLDS_TEXT = /^(?:markdown|mdx?|text|txt)\b/i;

/** The run of marks that begins a fence with an info string, after a line break and spaces. */
const NAMED_OPENING = /(?<=(?:^|[\r\n])([ \t>]*))(`{3,}|~{3,})[ \t]*([\w{.][^\r\n`~]*)(?=[\r\n]|$)/g;

/**
 * Reads fences as people do: a line with an info string opens a fence, even inside a fence; other marker lines close
 * the innermost fence. Returns the fences that contain fences, or none if one is unclosed. If it is unclear whether
 * a line opens or closes a fence, returns only fences that contain text and do not contain this line. `body` is an
 * offset span in `text`. Never throws.
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

/** The start of every fence. */
const MARKS = /`{3}|~{3}/g;

function fenceLines(text: string, { start, end }: Span): readonly FenceLine[] {
  const found: FenceLine[] = [];
  let next = start;
  for (const { index } of text.slice(start, end).matchAll(MARKS)) {
    // Only the first marks of a line can begin a fence.
    if (start + index < next) continue;
    const at = lineStart(text, start + index, start);
    next = nextLine(text, at, end);
    const line = text.slice(at, next);
    const indent = line.search(/[^ \t>]/);
    const marker = findOpening(line.slice(indent).trimEnd());
    if (!marker) continue;
    const above = at === start ? '' : text.slice(lineStart(text, at - 1, start), at);
    const lead = above.replace(/^[ \t>]+/, '').trim();
    found.push({
      run: span(at + indent, at + indent + marker.length),
      marker,
      indent,
      info: line.slice(indent + marker.length).trim(),
      isIntroduced: lead === '' || /^#{1,6}\s|[:：*]$/.test(lead),
      isAfterBlank: above.trim() === '',
      isBeforeBlank: /^[ \t]*(?:`{3,}|~{3,}|)$/.test(text.slice(next, nextLine(text, next, end)).trimEnd()),
    });
  }
  return found;
}

const looksLikeClosing = ({ isAfterBlank, isBeforeBlank }: FenceLine): boolean => !isAfterBlank && isBeforeBlank;

const looksLikeOpening = ({ isIntroduced, isBeforeBlank }: FenceLine): boolean => isIntroduced && !isBeforeBlank;

/**
 * Returns whether a line without an info string opens a fence inside a text fence, judging by this and the next fence
 * line.
 */
const opensUnnamed = (outer: OpenFence, line: FenceLine, next: FenceLine | undefined): boolean =>
  HOLDS_TEXT.test(outer.line.info) &&
  line.isIntroduced &&
  !line.isBeforeBlank &&
  next?.info === '' &&
  isWithin(outer.line, next) &&
  !next.isIntroduced &&
  looksLikeClosing(next);

/** Returns whether a line could end the fence `outer`, judging by its character, length and indentation. */
const isWithin = (outer: FenceLine, { marker, indent }: FenceLine): boolean =>
  marker.character === outer.marker.character && marker.length >= outer.marker.length && indent < outer.indent + 4;

/** A line of marks that the author separated, so that the marks do not end a fence. */
const SEPARATED_MARKS = /(?:^|[\r\n])[ \t>]*\\?`(?:[ \\\u200b]*`){2,}[ \t\u200b-\u200d\u2060\ufeff]*(?:[\r\n]|$)/;

/**
 * Returns the span of the run that begins an inner fence with an info string, if the author meant the outer fence's
 * closing line for the inner fence. Skips an inner fence in another language, since a string in code may contain such a
 * line. Never throws.
 */
export function findSwallowedFence(
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
    const inner = content.slice(match.index + whole.length);
    if (inner.trim() === '' || SEPARATED_MARKS.test(inner)) return undefined;
    return shift(span(match.index, match.index + run.length), contentSpan.start);
  }
  return undefined;
}

/** Returns a run of at least `least` backticks that is longer than every run in the text. */
export function fenceFor(text: string, least = 3): string {
  let longest = least - 1;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return '`'.repeat(longest + 1);
}

/** Formats a string as an inline code span. Line breaks become spaces. */
export function codeSpan(text: string): string {
  const line = text.replace(/\r\n|[\r\n]/g, ' ') || ' ';
  const ticks = fenceFor(line, 1);
  // Markdown parsers remove one space at each end of a code span that does not contain only spaces.
  const isStripped = line.startsWith(' ') && line.endsWith(' ') && /[^ ]/.test(line);
  const room = isStripped || line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${ticks}${room}${line}${room}${ticks}`;
}
