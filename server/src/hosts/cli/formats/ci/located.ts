/** The findings of a report with what every format for pipelines needs of them. */
import { type Finding, SEVERITIES } from '../../../../finding.ts';
import { digestOf } from '../../../../rules/known.ts';
import {
  type LineStarts,
  lineStartsOf,
  positionAt,
  type Range,
  rangeOf,
  type Span,
  visibleLines,
} from '../../../../text.ts';
import type { CheckedFile, CheckReport } from '../report.ts';

export interface Located {
  readonly file: CheckedFile;
  readonly lines: LineStarts;
  readonly finding: Finding;
  /** Of the finding, as people can read it: some readers refuse a text with a control character. */
  readonly message: string;
  /** Zero-based, in UTF-16 units. */
  readonly range: Range;
  /** Of rule, path and the marked line's text: the same wherever the line has moved to. Equal ones are counted by `nth`. */
  readonly digest: string;
  /** From 1. */
  readonly nth: number;
}

/** In the order of the report. */
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
        message: visibleLines(finding.message),
        range: rangeOf(lines, finding.span),
        digest,
        nth,
      };
    });
  });
}

/** Errors first, then as they were. */
export const bySeverity = (all: readonly Located[]): readonly Located[] =>
  SEVERITIES.flatMap((severity) => all.filter(({ finding }) => finding.severity === severity));

/** A place from 1, as most formats count. */
export function fromOne(lines: LineStarts, { start, end }: Span) {
  const [from, to] = [positionAt(lines, start), positionAt(lines, end)];
  return {
    startLine: from.line + 1,
    startColumn: from.character + 1,
    endLine: to.line + 1,
    endColumn: to.character + 1,
  };
}

/** A path as the reference of a URI, relative to the working folder. */
export const asReference = (file: string): string =>
  file
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
