/** Runs `test` of the command line over a small skill. */
import assert from 'node:assert/strict';
import { run } from './cli.ts';

/** Returns a skill with the sample `first visit`, which consists of the lines `sample`. */
export const greet = (...sample: readonly string[]): string =>
  [
    '---',
    'name: greet',
    'description: Greets a guest.',
    'version: 1.0.0',
    'input_schema: {guest: string}',
    'output_schema: {text: string}',
    'framing: greeting',
    'samples:',
    '  first visit:',
    '    parameters: {guest: Ada}',
    ...sample.map((line) => `    ${line}`),
    '---',
    '',
    '## PromptTemplate: greeting',
    '',
    'Greet {{ guest }} in one sentence.',
    '',
  ].join('\n');

export interface TestsJson {
  readonly tests: readonly Readonly<Record<'file' | 'skill' | 'kind' | 'name' | 'status' | 'message', string>>[];
  readonly summary: Readonly<Record<'passed' | 'failed' | 'warned' | 'skipped', number>>;
}

/** Returns the output of `test --format json`, and its exit status. */
export async function testJson(cwd: string, ...words: string[]): Promise<TestsJson & { readonly code: number | null }> {
  const { status, stdout, stderr } = await run(cwd, ['test', '--format', 'json', ...words]);
  assert.equal(stderr, '');
  return { ...(JSON.parse(stdout) as TestsJson), code: status };
}

export const told = ({ tests }: TestsJson): readonly string[] =>
  tests.map(({ kind, name, status }) => `${kind} ${name}: ${status}`);
