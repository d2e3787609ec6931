/** `check --format json`. */

import type { Analysis } from '../../analysis/analysis.ts';
import { mapPlaces } from '../../features/preview/with-ranges.ts';
import { lineStartsOf, rangeOf, visibleJson } from '../../text.ts';
import { type CheckReport, summaryOf } from './check-report.ts';
import { docsOf } from './rule-page.ts';

export function toJson(report: CheckReport): string {
  const findings = findingsIn(report).map((finding) => ({ ...finding, docs: docsOf(finding.rule) }));
  return printedJson({ version: 1, findings, summary: summaryOf(report) });
}

export type FindingView = ReturnType<typeof findingsIn>[number];

/** The findings of all files, as programs read them; agents have no pages of rules. */
export const findingsIn = (report: CheckReport) =>
  report.files.flatMap(({ file, text, findings }) => {
    const lines = lineStartsOf(text);
    return findings.map(({ code, rule, severity, message, span, related, fixes }) => ({
      file,
      code,
      rule,
      severity,
      message,
      range: rangeOf(lines, span),
      related: related.flatMap((place) => {
        const found = report.findFile(place.uri);
        if (!found) return [];
        const range = rangeOf(lineStartsOf(found.text), place.span);
        return [{ file: found.file, range, message: place.message }];
      }),
      fixes: fixes.map(({ title, safe }) => ({ title, safe })),
    }));
  });

/** A result with its places as files and ranges. */
export const placed = (analysis: Analysis, fileOf: (uri: string) => string, result: unknown): unknown =>
  mapPlaces(result, (uri, span) => ({ file: fileOf(uri), range: rangeOf(analysis.file(uri)?.lines ?? [0], span) }));

/** The one way to JSON on a terminal or in a file: it parses to the value, and nothing in it steers a terminal. */
export const printedJson = (value: unknown): string => `${visibleJson(JSON.stringify(value, undefined, 2))}\n`;
