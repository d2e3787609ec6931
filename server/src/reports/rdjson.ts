/**
 * `check --format rdjson`: diagnostics for reviewdog, with fixes as suggestions. Columns are UTF-8 bytes, counted from 1.
 */
import type { Fix, Severity } from '../finding.ts';
import {
  applyEdits,
  byteLength,
  type LineStarts,
  positionAt,
  type Span,
  shift,
  sliceOf,
  type TextEdit,
} from '../text.ts';
import type { CheckReport } from './check-report.ts';
import { printedJson } from './json.ts';
import { located } from './located.ts';
import { docsOf, webPageOf } from './rule-page.ts';

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
