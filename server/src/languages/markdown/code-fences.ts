/** Fenced code blocks: the marker lines that open and close them, and their parts. */
import { lineStart, nextLine, type Span, span } from '../../text.ts';
import type { Fence } from './blocks.ts';
import { trimSpan } from './spans.ts';

export interface FenceMarker {
  readonly character: string;
  readonly length: number;
}

/** The marker of a line that opens a fence; `line` begins at the marker. */
export function findOpening(line: string): FenceMarker | undefined {
  const run = /^(?:`{3,}|~{3,})/.exec(line)?.[0];
  if (run === undefined || (run[0] === '`' && line.includes('`', run.length))) return undefined;
  return { character: run[0] ?? '`', length: run.length };
}

/** True for a line that closes the fence that `marker` opened; the caller checks its indentation. */
export function isClosing(line: string, marker: FenceMarker): boolean {
  const run = /^[ \t]*(`+|~+)[ \t\r\n]*$/.exec(line)?.[1];
  return run !== undefined && run[0] === marker.character && run.length >= marker.length;
}

/**
 * The fence at `place`, which begins at its marker. `value` is its content as remark gives it: its number of lines tells
 * whether a last line that looks like a closing marker is one. Undefined where the fence is certainly not closed.
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
  // An unclosed fence in a list ends with the list, so the blanks at its end are not part of it.
  const whole = closed || !nested ? place : trimSpan(text, place);
  const contentStart = Math.min(opening.end, whole.end);
  const contentSpan = span(contentStart, closed ? lastLine : whole.end);
  return describeFence(text, whole, contentSpan, marker, { closed, nested });
}

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
