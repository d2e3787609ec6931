/** The formats of `check`, and the values of its options that name formats or rules: apart from `words.ts`, since they bring all rules. */
import { resolve } from 'node:path';
import { SEVERITIES, type Severity } from '../../finding.ts';
import { rules } from '../../rules/index.ts';
import { VERSION } from '../environment.ts';
import type { CheckReport } from '../reports/check-report.ts';
import { toCheckstyle, toGitlab, toRdjson } from '../reports/ci.ts';
import { toGithub } from '../reports/github.ts';
import { toJson } from '../reports/json.ts';
import { toJunit } from '../reports/junit.ts';
import { type PrettyOptions, toPretty } from '../reports/pretty.ts';
import { toSarif } from '../reports/sarif.ts';
import { UserError } from '../user-error.ts';
import { readPage, ruleCalled } from './commands/explain.ts';
import { CHECK_FORMATS, type CheckFormat, parseWord } from './words.ts';

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

export interface Output {
  readonly format: CheckFormat;
  readonly path: string;
}

/** `FORMAT=FILE`, repeated. */
export function parseOutputs(words: readonly string[]): readonly Output[] {
  const outputs = words.map((word) => {
    const equals = word.indexOf('=');
    const path = word.slice(equals + 1);
    if (equals < 0 || path === '')
      throw new UserError(`\`--out ${word}\` names no file: write \`--out sarif=skills.sarif\`.`);
    const format = parseWord(word.slice(0, equals), CHECK_FORMATS, '--out');
    if (path === '-') throw new UserError(`\`--out ${word}\` names no file: \`--format ${format}\` prints the result.`);
    return { format, path };
  });
  const twice = outputs.find(({ path }, at) => outputs.findIndex((one) => resolve(one.path) === resolve(path)) !== at);
  if (twice) throw new UserError(`\`--out\` names \`${twice.path}\` twice, and one result would replace the other.`);
  return outputs;
}

/** `NAME=SEVERITY`, repeated; a rule may be called by its number. The last word on a rule counts. */
export function parseOverrides(words: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    words.map((word) => {
      const equals = word.indexOf('=');
      if (equals < 0)
        throw new UserError(`\`--rule ${word}\` sets no severity: write \`--rule ${word || 'NAME'}=off\`.`);
      const severity = parseWord(word.slice(equals + 1), [...SEVERITIES, 'off'], `--rule ${word.slice(0, equals)}=`);
      return [ruleCalled(word.slice(0, equals), '--rule').name, severity];
    }),
  );
}
