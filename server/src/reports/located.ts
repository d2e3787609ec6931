/** The findings of a report with the data that all formats for pipelines need. */
import { type Finding, SEVERITIES } from '../finding.ts';
import { digestOf } from '../rules/engine/baseline.ts';
import { type LineStarts, lineStartsOf, positionAt, type Range, rangeOf, type Span, showInvisible } from '../text.ts';
import type { CheckedFile, CheckReport } from './check-report.ts';

export interface Located {
  readonly file: CheckedFile;
  readonly lines: LineStarts;
  readonly finding: Finding;
  /** The message as all formats show it. */
  readonly message: string;
  /** The range, zero-based, in UTF-16 code units. */
  readonly range: Range;
  /**
   * The hash of the rule, the path and the line's text. The hash does not change if the line moves. `nth` distinguishes
   * equal digests.
   */
  readonly digest: string;
  /** The position among findings with the same digest, counted from 1. */
  readonly nth: number;
}

/** Returns the findings in the order of the report. */
export function located(report: CheckReport): readonly Located[] {
  const seen = new Map<string, number>();
  return report.files.flatMap((file) => {
    const lines = lineStartsOf(file.text);
    return file.findings.map((finding) => {
      const digest = digestOf(finding, file.file, file.text, lines);
      const nth = (seen.get(digest) ?? 0) + 1;
      seen.set(digest, nth);
      return {
        file,
        lines,
        finding,
        message: showInvisible(finding.message),
        range: rangeOf(lines, finding.span),
        digest,
        nth,
      };
    });
  });
}

/** Sorts the findings by severity, errors first, and keeps the order within a severity. */
export const bySeverity = (all: readonly Located[]): readonly Located[] =>
  SEVERITIES.flatMap((severity) => all.filter(({ finding }) => finding.severity === severity));

/** Returns a span as lines and columns, which are counted from 1. Columns are UTF-16 code units. */
export function fromOne(lines: LineStarts, { start, end }: Span) {
  const [from, to] = [positionAt(lines, start), positionAt(lines, end)];
  return {
    startLine: from.line + 1,
    startColumn: from.character + 1,
    endLine: to.line + 1,
    endColumn: to.character + 1,
  };
}

/** Returns a path as a URI reference relative to the working folder. */
export const asReference = (file: string): string =>
  file
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
