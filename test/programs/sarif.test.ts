/** Validates SARIF with its published schema and its official validator. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { toSarif } from '../../server/src/reports/sarif.ts';
import { rules } from '../../server/src/rules/engine/index.ts';
import { finding, replace, reportOf } from '../core/cli/hostile-report.ts';
import { runIn } from '../packaged/installed.ts';
import { temporaryFolder } from '../temporary.mjs';

const packages = process.env.SKILL_COMPOSER_SARIF_MULTITOOL ?? '';
const folder = join(packages, 'node_modules', '@microsoft', 'sarif-multitool-linux');
const skip = packages !== '' ? false : 'The validator of SARIF is there for Linux on x64 alone.';

/** The rule that requires the tool to have an address; this tool has none. */
const NO_ADDRESS = 'SARIF2005';

const pageOf = (rule: string): string => readFileSync(`docs/rules/${rule}.md`, 'utf8');
const hostile = (...findings: Parameters<typeof reportOf>[0]): string =>
  toSarif(reportOf(findings), { version: '1.2.3', rules, pageOf, zippedSize: () => 0 });

/** Returns the messages of the schema and the validator for a report, by rule. */
function problemsOf(text: string): readonly string[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  const validate = ajv.compile(JSON.parse(readFileSync(join(folder, 'sarif-2.1.0.json'), 'utf8')));
  validate(JSON.parse(text));
  const place = temporaryFolder();
  const [given, said] = [join(place, 'given.sarif'), join(place, 'said.sarif')];
  writeFileSync(given, text);
  const program = join(folder, 'Sarif.Multitool');
  chmodSync(program, 0o755);
  const words = ['validate', given, '--output', said, '--level', 'Error;Warning', '--kind', 'Fail'];
  // Without this variable, the validator requires a library that many machines do not have.
  const env = { ...process.env, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1' };
  execFileSync(program, words, { env, stdio: 'pipe' });
  const [run] = JSON.parse(readFileSync(said, 'utf8')).runs;
  const told: readonly string[] = run.results
    .map(({ ruleId }: { ruleId: string }) => ruleId)
    .filter((rule: string) => rule !== NO_ADDRESS);
  return [...(validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`), ...new Set(told)];
}

describe('SARIF', { skip }, () => {
  it('is valid for no findings, for the samples with mistakes, and for hostile messages and paths', () => {
    const fix = replace('reed_page', 'read_page');
    const related = [{ uri: 'file:///here', span: { start: 0, end: 4 }, message: finding('error').message }];
    const end = { start: 0, end: 0 };
    const reports = {
      nothing: hostile(),
      mistakes: runIn('samples/mistakes', 'check', '--format=sarif').stdout,
      hostile: hostile(finding('error', 'unknown-tool', { fixes: [fix], related }), finding('hint'), finding('info')),
      empty: hostile(finding('warning', 'unknown-tool', { span: end })),
    };
    for (const [what, text] of Object.entries(reports)) assert.deepEqual([what, problemsOf(text)], [what, []]);
    assert.notDeepEqual(problemsOf(reports.hostile.replaceAll('"ruleIndex"', '"rule"')), [], 'a mistake is seen');
  });
});
