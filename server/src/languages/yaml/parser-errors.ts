/** Errors of the YAML parser, and the defects that they are explained by. */
import { lineStart, type Span, sliceOf, span } from '../../text.ts';
import { type BlockLine, isEmptyLine, readLine } from './lines.ts';
import type { YamlProblem } from './node.ts';
import type { Placeholder } from './placeholders.ts';
import { type Reason, valueProblem } from './problems.ts';

/** An error of the parser. `code` is the parser's, or `TOO_DEEP`. */
export interface ParserError {
  readonly code: string;
  readonly message: string;
  readonly start: number;
}

/** An outermost `[…]` or `{…}`; an unclosed one ends where the parser gave it up. */
export interface FlowSpan {
  readonly start: number;
  readonly end: number;
  readonly closed: boolean;
}

/** What one pass found. `text` has placeholders in it, `source` has not; their offsets are the same. */
export interface Pass {
  readonly text: string;
  readonly source: string;
  readonly errors: readonly ParserError[];
  readonly flows: readonly FlowSpan[];
  /** Quoted scalars without their closing quote. */
  readonly openQuotes: readonly Span[];
}

/** One defect. Errors within `region` follow from it; `placeholders` take its place in the next pass. */
export interface Diagnosis {
  readonly problem: YamlProblem;
  readonly placeholders: readonly Placeholder[];
  readonly region: Span;
  /** True where the line itself shows the defect, whatever is wrong before it. */
  readonly certain: boolean;
}

export const diagnosisOf = (
  problem: YamlProblem,
  region: Span,
  placeholders: readonly Placeholder[] = [],
  certain = true,
): Diagnosis => ({ problem, region, placeholders, certain });

/** The line of an offset; where that is empty or a comment, the next one that is not. */
export function lineOf(text: string, offset: number): BlockLine {
  let line = readLine(text, lineStart(text, Math.min(offset, text.length)));
  while (isEmptyLine(line) && line.next > line.end) line = readLine(text, line.next);
  return line;
}

/** From the start of a line to an offset below it. */
export const lines = (first: BlockLine, end: number): Span => span(first.start, end);

/** The text of a plain scalar of several lines. */
export function folded(source: string): string {
  const parts = source.split(/\r\n|\n|\r/).map((part) => part.trim());
  return parts.reduce(
    (text, part, i) => (i === 0 ? part : text + (part === '' ? '\n' : text.endsWith('\n') ? part : ` ${part}`)),
    '',
  );
}

/** A value that needs quotes; the next pass reads it as the text that it was meant to be. */
export function valueDiagnosis(pass: Pass, line: BlockLine, place: Span, reason: Reason): Diagnosis {
  const problem = valueProblem(pass.source, place, reason);
  const placeholders: Placeholder[] = [{ span: place, kind: 'scalar', value: folded(sliceOf(pass.source, place)) }];
  return diagnosisOf(problem, lines(line, place.end), placeholders);
}
