/** A run of a sample, compared with the expectations of the sample. */
import { strict as assert } from 'node:assert';
import { describe, it, test } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import type { RunEnd, RunRequest, RunResult } from '../../../server/src/protocol.ts';
import type { Composing } from '../../../server/src/services/composing/composing.ts';
import { checkRun } from '../../../server/src/services/testing/check-run.ts';
import { testSkill } from '../../../server/src/services/testing/test-skill.ts';
import { readExpectation } from '../../../server/src/testing/expectation.ts';
import type { TestResult } from '../../../server/src/testing/result.ts';
import { compose } from '../composer/composing.ts';
import { skill, wholeText } from '../rules/findings.ts';

const URI = 'file:///w/a.skill.md';
const NO_SPAN = { start: 0, end: 0 };
const MET: RunEnd = { kind: 'met', on: 'output_schema', output: null };
const FAILED: RunEnd = {
  ...{ kind: 'failed', code: 'TIMEOUT', message: '`read_page` failed with `TIMEOUT`.', path: 'plan_1' },
  ...{ uri: URI, span: NO_SPAN },
};
const WAITING: RunEnd = {
  kind: 'waiting',
  question: { name: 'before_write', path: 'call_tools', uri: URI, span: NO_SPAN },
};

interface Fake {
  readonly path?: readonly string[];
  readonly interrupts?: readonly string[];
  readonly end?: RunEnd;
}

/** Returns `NAME: status`, and for a failure the text at its span and its message. */
function checked(expect: string, { path = [], interrupts = [], end = MET }: Fake): readonly string[] {
  const text = skill(...wholeText, 'samples:', `  dusk: {expect: ${expect}}`);
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri: URI, text });
  const [sample] = workspace.analysis.file(URI)?.contract.samples ?? [];
  assert.ok(sample);
  const { name, span, value } = sample;
  const results = checkRun({ name, span, expect: readExpectation(value) }, { path, interrupts, end });
  return results.map(({ name, status, span, message }) =>
    [`${name}: ${status}`, ...(message === undefined ? [] : [text.slice(span.start, span.end), message])].join(' | '),
  );
}

describe('a run with an expected path', () => {
  it('passes if the paths are equal, also if both are empty', () => {
    assert.deepEqual(checked('{path: [Read, Write]}', { path: ['Read', 'Write'] }), ['dusk › path: passed']);
    assert.deepEqual(checked('{path: []}', {}), ['dusk › path: passed']);
  });

  it('shows the first difference at its name', () => {
    assert.deepEqual(checked('{path: [Read, Write]}', { path: ['Read', 'Stop', 'Write'] }), [
      'dusk › path: failed | Write | After `Read`, the expected path continues with `Write`, but the run with `Stop`.',
    ]);
    assert.deepEqual(checked('{path: [Read]}', { path: ['Write'] }), [
      'dusk › path: failed | Read | At the beginning, the expected path continues with `Read`, but the run with `Write`.',
    ]);
    assert.deepEqual(checked('{path: [Read]}', { path: ['Read', 'Write'] }), [
      'dusk › path: failed | [Read] | After `Read`, the run continues with `Write`, but the expected path ends.',
    ]);
  });

  it('shows why a run stopped early', () => {
    const stops =
      'dusk › path: failed | Write | After `Read`, the expected path continues with `Write`, but the run stops.';
    assert.deepEqual(checked('{path: [Read, Write]}', { path: ['Read'], end: FAILED }), [
      `${stops} The run failed with \`TIMEOUT\`: \`read_page\` failed with \`TIMEOUT\`.`,
    ]);
    assert.deepEqual(checked('{path: [Read, Write]}', { path: ['Read'], end: WAITING }), [
      `${stops} The run waits at the interrupt \`before_write\`. Add its answer under \`answers\` of the sample.`,
    ]);
  });

  it('treats `__proto__` and `constructor` as ordinary names', () => {
    const path = ['__proto__', 'constructor'];
    assert.deepEqual(checked('{path: [__proto__, constructor]}', { path }), ['dusk › path: passed']);
  });
});

test('the exit passes only if this exit condition is met', () => {
  assert.deepEqual(checked('{exit: output_schema}', {}), ['dusk › exit output_schema: passed']);
  assert.deepEqual(checked('{exit: caller}', {}), [
    'dusk › exit caller: failed | caller | The run ended with `output_schema` instead of `caller`.',
  ]);
  const unmet: RunEnd = { kind: 'unmet', on: 'tool_budget', message: 'The run called tools 2 times.', output: null };
  assert.deepEqual(checked('{exit: tool_budget}', { end: unmet }), [
    'dusk › exit tool_budget: failed | tool_budget | The run called tools 2 times.',
  ]);
  const problem: RunEnd = { ...WAITING, question: { ...WAITING.question, problem: 'Expected a string.' } };
  assert.deepEqual(checked('{exit: caller}', { end: problem }), [
    'dusk › exit caller: failed | caller | The answer to the interrupt `before_write` is not accepted: Expected a string.',
  ]);
});

test('expected interrupts must fire in a run', () => {
  const expect = '{exit: output_schema, interrupts: [before_write, before_exit]}';
  assert.deepEqual(checked(expect, { interrupts: ['before_write'] }), [
    'dusk › exit output_schema: passed',
    'dusk › fires before_write: passed',
    'dusk › fires before_exit: failed | before_exit | `before_exit` did not fire in the run. These interrupts fired: `before_write`.',
  ]);
});

/** Tests a skill with a fake run. Returns the results of the kind `path`, and the requests for runs. */
async function tested(
  lines: readonly string[],
  result: RunResult | 'superseded',
  kept: Readonly<Record<string, string>> = {},
): Promise<{ readonly results: readonly TestResult[] | undefined; readonly requests: readonly RunRequest[] }> {
  const workspace = new Workspace();
  const names = ['tools: [{name: x, optional: true}]', 'interrupts: [before_exit]'];
  const text = skill(...wholeText, ...names, 'samples:', '  dusk:', ...lines.map((line) => `    ${line}`));
  workspace.apply({ kind: 'text', uri: URI, text });
  const requests: RunRequest[] = [];
  const composing: Composing = {
    compose: async (_, request) => ({ result: compose(request), milliseconds: 0 }),
    run: async (_, request) => {
      requests.push(request);
      return result;
    },
    evaluate: () => assert.fail('no expression is evaluated'),
    count: async (texts) => texts.map(() => 0),
    warm() {},
    dispose() {},
  };
  const tests = await testSkill(workspace.analysis, URI, {
    composing,
    readKept: async (uri) => kept[uri.replace('file:///w/', '')],
    files: { list: async () => [], exists: async () => false },
    snapshots: false,
  });
  return { results: tests?.results.filter(({ kind }) => kind === 'path'), requests };
}

const RAN: RunResult = { ok: true, events: [], end: MET, path: [], interrupts: [], assertions: { run: 0, passed: 0 } };

test('runs only samples that expect a path or an exit, with their stubs, answers and recorded output', async () => {
  assert.deepEqual(await tested(['expect: {interrupts: []}'], RAN), { results: [], requests: [] });
  const lines = ['stubs: {x: {returns: 1}}', 'answers: {before_exit: 2}', 'expect: {path: []}'];
  const { results, requests } = await tested(lines, RAN, { '__outputs__/a.dusk.json': '{"page": 3}' });
  assert.deepEqual(
    results?.map(({ name, status }) => `${name} ${status}`),
    ['dusk › path passed'],
  );
  const [{ stubs, answers, recorded } = assert.fail()] = requests;
  assert.deepEqual(stubs, [{ name: 'x', returns: 1 }]);
  assert.deepEqual(answers, [{ name: 'before_exit', value: 2 }]);
  assert.deepEqual(recorded, { value: { page: 3 }, text: '{"page": 3}' });
});

test('fails at the sample if the recorded output cannot be used, and returns nothing for a superseded run', async () => {
  const { results } = await tested(['expect: {path: []}'], RAN, { '__outputs__/a.dusk.json': '{' });
  assert.deepEqual(
    results?.map(({ name, status, message }) => [name, status, message]),
    [['dusk', 'failed', 'The recorded output of the sample is not valid JSON. Fix it, or rename the file to `.txt`.']],
  );
  assert.equal((await tested(['expect: {path: []}'], 'superseded')).results, undefined);
});
