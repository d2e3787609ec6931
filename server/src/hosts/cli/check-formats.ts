/** The formats of `check`. */
import type { Severity } from '../../finding.ts';
import { rules } from '../../rules/index.ts';
import { VERSION } from '../environment.ts';
import type { CheckReport } from '../reports/check-report.ts';
import { toCheckstyle, toGitlab, toRdjson } from '../reports/ci.ts';
import { toGithub } from '../reports/github.ts';
import { toJson } from '../reports/json.ts';
import { toJunit } from '../reports/junit.ts';
import { type PrettyOptions, toPretty } from '../reports/pretty.ts';
import { toSarif } from '../reports/sarif.ts';
import { readPage } from './commands/explain.ts';

export const CHECK_FORMATS = ['pretty', 'json', 'sarif', 'github', 'gitlab', 'junit', 'rdjson', 'checkstyle'] as const;
export type CheckFormat = (typeof CHECK_FORMATS)[number];

export async function formatReport(
  report: CheckReport,
  format: CheckFormat,
  options: PrettyOptions & { readonly failOn: Severity; readonly note: (text: string) => void },
): Promise<string> {
  switch (format) {
    case 'pretty':
      return toPretty(report, options);
    case 'json':
      return toJson(report);
    case 'sarif': {
      const pages = new Map<string, string | undefined>();
      for (const { name } of rules) pages.set(name, await readPage(name));
      return toSarif(report, { version: VERSION, rules, pageOf: (rule) => pages.get(rule), note: options.note });
    }
    case 'github':
      return toGithub(report);
    case 'gitlab':
      return toGitlab(report);
    case 'junit':
      return toJunit(report, options.failOn, { note: options.note });
    case 'rdjson':
      return toRdjson(report);
    case 'checkstyle':
      return toCheckstyle(report);
  }
}
