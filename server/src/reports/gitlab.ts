/** `check --format gitlab`: a code quality report. */
import type { Severity } from '../finding.ts';
import type { CheckReport } from './check-report.ts';
import { printedJson } from './json.ts';
import { located } from './located.ts';

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
