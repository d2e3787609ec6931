/**
 * Runs the step of `action.yml`: turns the inputs of the action, which are environment variables, into a call of the
 * command line.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { INPUT_PATHS = '', INPUT_FAIL_ON, INPUT_CHANGED, INPUT_SARIF, GITHUB_OUTPUT } = process.env;
const cli = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'dist', 'cli.cjs');
const sarif = INPUT_SARIF || 'skills.sarif';
const paths = INPUT_PATHS.split('\n')
  .map((path) => path.trim())
  .filter((path) => path !== '');

if (/[\r\n]/.test(sarif)) {
  console.log('::error::The input `sarif` has a line break: it is the path of one file.');
  process.exit(2);
}
// GitHub reads the outputs of a step even if the step fails.
if (GITHUB_OUTPUT) appendFileSync(GITHUB_OUTPUT, `sarif=${sarif}\n`);

const words = [
  'check',
  '--format=github',
  `--out=sarif=${sarif}`,
  `--fail-on=${INPUT_FAIL_ON || 'error'}`,
  ...(INPUT_CHANGED ? [`--changed=${INPUT_CHANGED}`] : []),
  '--',
  ...paths,
];
const { status, error } = spawnSync(process.execPath, [cli, ...words], { stdio: 'inherit' });
if (error) throw error;
process.exitCode = status ?? 2;
