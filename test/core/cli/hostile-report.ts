/** Reports whose messages and path break a format that does not escape them. */
import type { Finding, Fix, Severity } from '../../../server/src/finding.ts';
import type { CheckReport } from '../../../server/src/reports/check-report.ts';

const HOSTILE = 'a%b\r\n::error::c, "d" <e> & ]]> \u001b[31m \u0000 \ud800 | `f` ü';
export const HOSTILE_PATH = 'skills/ä %, "x":<y>&.skill.md';
const TEXT = 'name: ünfug\ntools: [reed_page]\ntools: [reed_page]\n';

export const at = (marked: string, from = 0) => {
  const start = TEXT.indexOf(marked, from);
  return { start, end: start + marked.length };
};

export function finding(severity: Severity, rule = 'unknown-tool', more: Partial<Finding> = {}): Finding {
  const base = { rule, code: rule, severity, message: HOSTILE, span: at('reed_page'), related: [], fixes: [] };
  return { ...base, ...more };
}

export function reportOf(findings: readonly Finding[], file = HOSTILE_PATH): CheckReport {
  return {
    files: [
      { file: 'clean.skill.md', text: '', findings: [] },
      { file, text: TEXT, findings },
    ],
    findFile: (uri) => (uri === 'file:///here' ? { file, text: TEXT } : undefined),
  };
}

export const replace = (marked: string, newText: string): Fix => ({
  title: 'Replace it',
  safe: true,
  edits: [{ uri: 'file:///here', edits: [{ span: at(marked), newText }] }],
});
