/** `check --format json` (interfaces.md, "Command line"). */
import { rangeOf } from '../../text.ts';
import { type CheckReport, summaryOf } from './report.ts';

export function toJson(report: CheckReport): string {
  const findings = report.files.flatMap(({ file, document, findings }) =>
    findings.map(({ code, rule, severity, message, span, related, fixes }) => ({
      file,
      code,
      rule,
      severity,
      message,
      range: rangeOf(document.lines, span),
      related: related.flatMap((place) => {
        const found = report.findPlace(place.uri);
        if (!found) return [];
        return [{ file: found.file, range: rangeOf(found.document.lines, place.span), message: place.message }];
      }),
      fixes: fixes.map(({ title, safe }) => ({ title, safe })),
      docs: docsOf(rule),
    })),
  );
  return `${JSON.stringify({ version: 1, findings, summary: summaryOf(report) }, undefined, 2)}\n`;
}

/** A rule's page within the package. */
export const docsOf = (rule: string): string => `docs/rules/${rule}.md`;
