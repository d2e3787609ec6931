/** A report made by hand, so that the formats are tested without a rule. */

import type { Finding } from '../../../server/src/finding.ts';
import type { CheckReport } from '../../../server/src/hosts/cli/report.ts';
import { parseSkill, type SkillDocument } from '../../../server/src/skill/document.ts';

/** The finding that a test marks in its text: `⟦` and `⟧` stand around the place. */
export function marked(text: string): { readonly text: string; readonly span: { start: number; end: number } } {
  const start = text.indexOf('⟦');
  const plain = text.replace('⟦', '');
  return { text: plain.replace('⟧', ''), span: { start, end: plain.indexOf('⟧') } };
}

export const documentOf = (file: string, text: string): SkillDocument => parseSkill(`file:///w/${file}`, text);

/** A report on one file with one finding, at the mark; `change` overwrites parts of the finding. */
export function reportOn(file: string, markedText: string, change: Partial<Finding> = {}): CheckReport {
  const { text, span } = marked(markedText);
  const document = documentOf(file, text);
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
    files: [{ file, document, findings: [finding] }],
    findPlace: (uri) => (uri === document.uri ? { file, document } : undefined),
  };
}
