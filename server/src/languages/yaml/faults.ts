/** What the YAML parser complains about, and what is made of it. */
import { type Span, sliceOf, span } from '../../text.ts';
import { type BlockLine, isEmptyLine, lineStart, readLine } from './lines.ts';
import type { Mask } from './masks.ts';
import type { YamlProblem } from './node.ts';
import { type Reason, valueProblem } from './problems.ts';

/** A complaint of the parser. `code` is the parser's, or `TOO_DEEP`. */
export interface Fault {
  readonly code: string;
  readonly message: string;
  readonly start: number;
}

/** An outermost `[…]` or `{…}`; one that is not closed ends where the parser gave it up. */
export interface FlowPlace {
  readonly start: number;
  readonly end: number;
  readonly closed: boolean;
}

/** What one pass saw. `text` has masks in it, `source` has not; their offsets are the same. */
export interface Pass {
  readonly text: string;
  readonly source: string;
  readonly faults: readonly Fault[];
  readonly flows: readonly FlowPlace[];
  /** Quoted scalars without their closing quote. */
  readonly openQuotes: readonly Span[];
}

/** One defect. Faults within `region` are its cascade; `masks` make it harmless for the next pass. */
export interface Diagnosis {
  readonly problem: YamlProblem;
  readonly masks: readonly Mask[];
  readonly region: Span;
  /** True where the line itself shows the defect, whatever went wrong before it. */
  readonly certain: boolean;
}

/** The line of an offset; where that is empty or a comment, the next one that is not. */
export function lineOf(text: string, offset: number): BlockLine {
  let line = readLine(text, lineStart(text, Math.min(offset, text.length)));
  while (isEmptyLine(line) && line.next > line.end) line = readLine(text, line.next);
  return line;
}

/** From the start of a line to an offset below it. */
export const lines = (first: BlockLine, end: number): Span => span(first.start, end);

/** The text that lines of a plain scalar add up to. */
export function folded(source: string): string {
  const parts = source.split(/\r\n|\n|\r/).map((part) => part.trim());
  return parts.reduce(
    (text, part, i) => (i === 0 ? part : text + (part === '' ? '\n' : text.endsWith('\n') ? part : ` ${part}`)),
    '',
  );
}

/** A value that quotes around it mend; until then it counts as the text that it was meant to be. */
export function valueDiagnosis(pass: Pass, line: BlockLine, place: Span, reason: Reason): Diagnosis {
  const problem = valueProblem(pass.source, place, reason);
  const masks: Mask[] = [{ span: place, kind: 'scalar', value: folded(sliceOf(pass.source, place)) }];
  return { problem, masks, region: lines(line, place.end), certain: true };
}
