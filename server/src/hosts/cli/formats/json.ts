/** `check --format json`. */
import { lineStartsOf, rangeOf } from '../../../text.ts';
import { type CheckReport, summaryOf } from './report.ts';

export function toJson(report: CheckReport): string {
  const findings = report.files.flatMap(({ file, text, findings }) => {
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
      docs: docsOf(rule),
    }));
  });
  return `${JSON.stringify({ version: 1, findings, summary: summaryOf(report) }, undefined, 2)}\n`;
}

/** A rule's page within the package. */
export const docsOf = (rule: string): string => `docs/rules/${rule}.md`;
