/** The findings of a report with the data that all formats for pipelines need. */
import { type Finding, type Fix, SEVERITIES, type Severity } from '../finding.ts';
import { digestOf } from '../rules/engine/baseline.ts';
import {
  applyEdits,
  byteLength,
  type LineStarts,
  lineStartsOf,
  positionAt,
  type Range,
  rangeOf,
  type Span,
  shift,
  showInvisible,
  sliceOf,
  type TextEdit,
} from '../text.ts';
import type { CheckedFile, CheckReport } from './check-report.ts';
import { printedJson } from './json.ts';
import { attribute } from './junit.ts';
import { docsOf, webPageOf } from './rule-page.ts';

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

// `check --format checkstyle`.

const SEVERITY: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'info', hint: 'info' };

export function toCheckstyle(report: CheckReport): string {
  const files = report.files.flatMap(({ file, text, findings }) => {
    if (findings.length === 0) return [];
    const lines = lineStartsOf(text);
    const errors = findings.map(({ rule, severity, message, span }) => {
      const { startLine, startColumn } = fromOne(lines, span);
      const words = [
        attribute('line', startLine),
        attribute('column', startColumn),
        attribute('severity', SEVERITY[severity]),
        attribute('message', message),
        attribute('source', `skill-composer.${rule}`),
      ];
      return `    <error${words.join('')}/>\n`;
    });
    return [`  <file${attribute('name', file)}>\n${errors.join('')}  </file>\n`];
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<checkstyle version="4.3">\n${files.join('')}</checkstyle>\n`;
}

// `check --format gitlab`: a code quality report.

const GITLAB_SEVERITY: Readonly<Record<Severity, string>> = {
  error: 'major',
  warning: 'minor',
  info: 'info',
  hint: 'info',
};

export const toGitlab = (report: CheckReport): string =>
  printedJson(
    located(report).map(({ file, finding, message, range, digest, nth }) => ({
      description: message,
      check_name: finding.rule,
      // GitLab shows only the first of several equal fingerprints.
      fingerprint: nth === 1 ? digest : `${digest}-${nth}`,
      severity: GITLAB_SEVERITY[finding.severity],
      location: { path: file.file, lines: { begin: range.start.line + 1, end: range.end.line + 1 } },
    })),
  );

// `check --format rdjson`: diagnostics for reviewdog, with fixes as suggestions. Columns are UTF-8 bytes, counted from
// 1.

const RDJSON_SEVERITY: Readonly<Record<Severity, string>> = {
  error: 'ERROR',
  warning: 'WARNING',
  info: 'INFO',
  hint: 'INFO',
};

export function toRdjson(report: CheckReport): string {
  const diagnostics = located(report).map(({ file, lines, finding, message }) => {
    const { rule, severity, span, fixes } = finding;
    const suggestions = fixes.flatMap((fix) => suggestionOf(fix, file.file, report, file.text, lines));
    return {
      message,
      location: { path: file.file, range: byteRange(file.text, lines, span) },
      severity: RDJSON_SEVERITY[severity],
      code: { value: rule, url: webPageOf(rule) ?? docsOf(rule) },
      ...(suggestions.length > 0 && { suggestions }),
    };
  });
  return printedJson({ source: { name: 'skill-composer' }, diagnostics });
}

/** Returns one replacement for all edits of a fix, or an empty list if the fix edits or creates another file. */
function suggestionOf({ edits, creates }: Fix, name: string, report: CheckReport, text: string, lines: LineStarts) {
  const [only, ...others] = edits;
  if (!only || others.length > 0 || creates !== undefined || report.findFile(only.uri)?.file !== name) return [];
  const span = around(only.edits);
  if (!span) return [];
  const moved = only.edits.map((edit) => ({ ...edit, span: shift(edit.span, -span.start) }));
  return [{ range: byteRange(text, lines, span), text: applyEdits(sliceOf(text, span), moved) }];
}

function around(edits: readonly TextEdit[]): Span | undefined {
  if (edits.length === 0) return undefined;
  const starts = edits.map(({ span }) => span.start);
  const ends = edits.map(({ span }) => span.end);
  return { start: Math.min(...starts), end: Math.max(...ends) };
}

const byteRange = (text: string, lines: LineStarts, { start, end }: Span) => ({
  start: bytePosition(text, lines, start),
  end: bytePosition(text, lines, end),
});

function bytePosition(text: string, lines: LineStarts, offset: number) {
  const { line } = positionAt(lines, offset);
  return { line: line + 1, column: byteLength(text.slice(lines[line], offset)) + 1 };
}
