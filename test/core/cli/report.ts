/** A handwritten report, so that the formats are tested without a rule. */

import type { Finding } from '../../../server/src/finding.ts';
import type { CheckReport } from '../../../server/src/reports/check-report.ts';

/** The finding that a test marks in its text with `⟦` and `⟧`. */
function marked(text: string): { readonly text: string; readonly span: { start: number; end: number } } {
  const start = text.indexOf('⟦');
  const plain = text.replace('⟦', '');
  return { text: plain.replace('⟧', ''), span: { start, end: plain.indexOf('⟧') } };
}

/** Returns a report on one file with one finding at the mark. `change` overwrites parts of the finding. */
export function reportOn(file: string, markedText: string, change: Partial<Finding> = {}): CheckReport {
  const { text, span } = marked(markedText);
  const finding: Finding = {
    rule: 'unknown-tool',
    code: 'unknown-tool',
    severity: 'error',
    message: 'There is no tool `reed_page`.',
    span,
    related: [],
    fixes: [],
    ...change,
  };
  return {
    files: [{ file, text, findings: [finding] }],
    findFile: (uri) => (uri === `file:///w/${file}` ? { file, text } : undefined),
  };
}
