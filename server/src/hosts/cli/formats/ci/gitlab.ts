/** `check --format gitlab`: a report of code quality. */
import type { Severity } from '../../../../finding.ts';
import { printedJson } from '../json.ts';
import type { CheckReport } from '../report.ts';
import { located } from './located.ts';

const SEVERITY: Readonly<Record<Severity, string>> = { error: 'major', warning: 'minor', info: 'info', hint: 'info' };

export const toGitlab = (report: CheckReport): string =>
  printedJson(
    located(report).map(({ file, finding, message, range, digest, nth }) => ({
      description: message,
      check_name: finding.rule,
      // Of equal fingerprints only the first is shown.
      fingerprint: nth === 1 ? digest : `${digest}-${nth}`,
      severity: SEVERITY[finding.severity],
      location: { path: file.file, lines: { begin: range.start.line + 1, end: range.end.line + 1 } },
    })),
  );
