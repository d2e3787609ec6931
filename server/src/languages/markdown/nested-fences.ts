/** Fences that were meant to hold other fences, and end at the first of those because both have the same length. */
import { nextLine, type Span, span } from '../../text.ts';
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
}

interface OpenFence {
  readonly open: Span;
  readonly indent: number;
  readonly info: string;
  longest: number;
  holds: boolean;
}

/**
 * Reads fences as people do: a line with an info string opens one, also within another, and one without closes what is
 * open. Where that reading comes out even, it gives the fences that hold others; else nothing, since nobody can tell.
 * Where a line looks like the opposite of what it is read as, only such fences count as say that they hold text.
 */
export function findNestingFences(text: string, { start, end }: Span): readonly NestingFence[] {
  let isDoubtful = false;
  const found: NestingFence[] = [];
  const stack: OpenFence[] = [];
  let isAfterBlank = true;
  for (let at = start; at < end; at = nextLine(text, at, end)) {
    const next = nextLine(text, at, end);
    const line = text.slice(at, next);
    const wasAfterBlank = isAfterBlank;
    isAfterBlank = line.trim() === '';
    const indent = line.search(/[^ \t>]/);
    const marker = indent < 0 ? undefined : findOpening(line.slice(indent).trimEnd());
    const [outer] = stack;
    if (!marker || (outer && !isWithin(text, outer, marker, indent))) continue;
    const run = span(at + indent, at + indent + marker.length);
    const info = line.slice(indent + marker.length).trim();
    if (info === '') {
      const isBeforeBlank = text.slice(next, nextLine(text, next, end)).trim() === '';
      if (isBeforeBlank !== wasAfterBlank && isBeforeBlank !== Boolean(outer)) isDoubtful = true;
    }
    if (outer && info === '') {
      const closed = stack.pop();
      if (closed?.holds) found.push({ open: closed.open, close: run, info: closed.info, length: closed.longest + 1 });
      continue;
    }
    if (outer) {
      outer.holds = true;
      outer.longest = Math.max(outer.longest, marker.length);
    }
    stack.push({ open: run, indent, info, longest: marker.length, holds: false });
  }
  if (stack.length > 0) return [];
  return isDoubtful ? found.filter(({ info }) => /^(?:markdown|mdx?|text|txt)\b/i.test(info)) : found;
}

/** Whether the line could end the outermost fence, by its character, its length and its indentation. */
const isWithin = (text: string, { open, indent }: OpenFence, marker: FenceMarker, own: number): boolean =>
  text[open.start] === marker.character && marker.length >= open.end - open.start && own < indent + 4;
