/** The cases in `evals/` that can be tested without a model. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { readEvals, withModelOutput } from '../../../server/src/testing/evals.ts';

const told = (json: unknown): readonly string[] =>
  readEvals(JSON.stringify(json), true).results.map(({ name, status }) => `${name}: ${status}`);

for (const key of ['assertions', 'expectations']) {
  test(`accepts a case with \`${key}\` that need a model`, () => {
    const evals = [{ id: 3, prompt: 'Audit it.', expected_output: 'A report.', [key]: ['Names each package'] }];
    assert.deepEqual(told({ skill_name: 'audit', evals }), [
      'case 3: passed',
      'case 3 › A report.: skipped',
      'case 3 › Names each package: skipped',
    ]);
  });
}

test('finds trigger requests in any list in a file', () => {
  const request = (query: string) => ({ query, should_trigger: true });
  for (const json of [[request('a')], { sets: { train: [request('a')] } }, { evals: [request('a')] }]) {
    const { triggers } = readEvals(JSON.stringify(json), false);
    assert.deepEqual(
      triggers.map(({ request }) => request),
      ['a'],
    );
  }
  assert.deepEqual(readEvals(JSON.stringify({ tags: ['a'], evals: [{ id: 1, prompt: 'b' }] }), false).triggers, []);
});

test('reports an empty prompt at its location', () => {
  const text = '{"evals": [{"id": 1, "prompt": " ", "expected_output": "A report."}]}';
  const results = readEvals(text, true).results.map(({ status, span }) => [status, text.slice(span.start, span.end)]);
  assert.deepEqual(results, [['failed', '" "']]);
});

test('reports only the missing prompt of a case', () => {
  assert.deepEqual(told({ evals: [{ id: 1, expectations: ['x'] }] }), ['case 1: failed']);
});

test('reports a file that is not JSON, or that contains no cases', () => {
  assert.deepEqual(
    readEvals('{"evals": [', true).results.map(({ name, status }) => [name, status]),
    [['is JSON', 'failed']],
  );
  assert.deepEqual(told({ skill_name: 'audit' }), ['has cases: failed']);
});

test('returns the paths of the files that a case needs', () => {
  const { files } = readEvals(JSON.stringify({ evals: [{ id: 1, prompt: 'x', files: ['evals/a.csv'] }] }), true);
  assert.deepEqual(
    files.map(({ name, path }) => [name, path]),
    [['case 1 › evals/a.csv', 'evals/a.csv']],
  );
});

for (const key of ['query', 'prompt', 'input']) {
  test(`accepts the key \`${key}\` for the request of a trigger`, () => {
    const text = JSON.stringify([
      { [key]: 'outline it', should_trigger: true },
      { [key]: 'fix it', should_trigger: false },
    ]);
    assert.deepEqual(
      readEvals(text, false).triggers.map(({ request, shouldTrigger }) => [request, shouldTrigger]),
      [
        ['outline it', true],
        ['fix it', false],
      ],
    );
  });
}

test('ignores other files in the folder', () => {
  for (const text of ['', 'no JSON', '[1, {"query": 3}]', '{"evals": 3}']) {
    assert.deepEqual(readEvals(text, false), { results: [], files: [], triggers: [], cases: [] });
  }
});

test('distinguishes cases and checks with equal names', () => {
  const long = 'The answer names every package whose licence does not allow to ';
  const prompts = [{ prompt: 'a', expectations: [`${long}sell.`, `${long}change.`] }, { prompt: 'b' }];
  const { results, cases } = readEvals(JSON.stringify({ evals: prompts.map((one) => ({ name: 'x', ...one })) }), true);
  const names = results.map(({ name }) => name);
  assert.deepEqual([new Set(names).size, names.at(-1)], [4, 'x (2)']);
  const judged = cases.reduce((now, one) => withModelOutput(one, { output: `given ${one.prompt}` }, now), results);
  const [first, second] = judged.flatMap(({ question }) => (question ? [question.text] : []));
  assert.match(first ?? '', /sell\.[\s\S]*given a/);
  assert.match(second ?? '', /change\.[\s\S]*given a/);
});

/** Returns the messages of the failed results. */
const faults = (json: unknown, isMain = true): readonly string[] =>
  readEvals(JSON.stringify(json), isMain, isMain ? undefined : 'a.json').results.flatMap(({ status, message }) =>
    status === 'failed' ? [message ?? ''] : [],
  );

for (const [part, message] of [
  [{ promt: 'x' }, 'Unknown key `promt`. Did you mean `prompt`?'],
  [{ prompt: null }, '`prompt` must be a string.'],
  [{ file: ['a.csv'] }, 'Unknown key `file`. Did you mean `files`?'],
  [{ files: null }, '`files` must be a list of paths.'],
  ...[null, {}, 7].map((path) => [{ files: [path] }, 'An item of `files` must be a path.'] as const),
  ...['', '.', './', ' '].map(
    (path) => [{ files: [path] }, `\`${path}\` in \`files\` is not the path of a file.`] as const,
  ),
  [{ expectedOutput: 'x' }, 'Unknown key `expectedOutput`. Did you mean `expected_output`?'],
  [{ expected_output: 7 }, '`expected_output` must be a string.'],
  [{ assertions: 'x' }, '`assertions` must be a list of strings.'],
  [{ expectations: [null] }, 'An item of `expectations` must be a string, or an object with a `text`.'],
  [{ assertions: [{ txt: 'x' }] }, 'An item of `assertions` must be a string, or an object with a `text`.'],
] as const) {
  test(`reports a case with ${JSON.stringify(part)}`, () => {
    assert.deepEqual(faults({ evals: [{ ...('promt' in part ? {} : { prompt: 'x' }), ...part }] }), [message]);
  });
}

test('accepts keys of other programs, and null for an expected output', () => {
  const more = { tags: ['a'], expected_behavior: ['b'], difficulty: 1, expected_output: null };
  assert.deepEqual(faults({ evals: [{ id: 1, name: 'a', eval_name: 'b', prompt: 'x', files: [], ...more }] }), []);
});

test('reports a second case with an id, and a duplicate key', () => {
  assert.deepEqual(faults({ evals: [1, 2, 1].map((id) => ({ id, prompt: 'x' })) }), [
    'An earlier case has the id `1`, too. Give each case its own id.',
  ]);
  const [result] = readEvals('{"evals": [{"prompt": "a", "prompt": "b"}]}', true).results;
  assert.deepEqual([result?.status, result?.name], ['failed', 'has each key once']);
});

for (const [item, message] of [
  [{ query: 'x', should_triger: true }, 'Unknown key `should_triger`. Did you mean `should_trigger`?'],
  [{ query: 'x', shouldTrigger: true }, 'Unknown key `shouldTrigger`. Did you mean `should_trigger`?'],
  [{ query: 'x', should_trigger: 'true' }, '`should_trigger` must be `true` or `false`.'],
  [{ query: 'x', should_trigger: null }, '`should_trigger` must be `true` or `false`.'],
  [{ qery: 'x', should_trigger: true }, 'Unknown key `qery`. Did you mean `query`?'],
  [{ should_trigger: true }, "Missing key `query`. Add it with a user's request."],
  [{ query: ' ', should_trigger: false }, "`query` is empty. Write a user's request."],
  [{ query: 7, should_trigger: false }, '`query` must be a string.'],
] as const) {
  test(`reports the request ${JSON.stringify(item)}`, () => {
    for (const isMain of [true, false]) assert.deepEqual(faults([item], isMain), [message]);
  });
}

test('reports a request outside of a list, and finds requests in nested maps', () => {
  const request = { query: 'x', should_trigger: true };
  assert.deepEqual(faults(request, false), ['A request must be in a list. Put this object in a list.']);
  const nested = { a: { b: { c: { d: { e: [request] } } } } };
  assert.equal(readEvals(JSON.stringify(nested), false).triggers.length, 1);
});
