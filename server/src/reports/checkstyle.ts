/** `check --format checkstyle`. */
import type { Severity } from '../finding.ts';
import { lineStartsOf } from '../text.ts';
import type { CheckReport } from './check-report.ts';
import { attribute } from './junit.ts';
import { fromOne } from './located.ts';

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
