/** Requests in files of other programs in `evals/` (docs/testing.md, "Files of other programs"). No such file can fail. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readEvals } from '../../../server/src/testing/evals.ts';
import { readForeignEvals } from '../../../server/src/testing/foreign-evals.ts';

const requests = (text: string, path = 'a.yaml'): readonly string[] =>
  readForeignEvals(text, path, 'chart-sales').triggers.map(
    ({ request, shouldTrigger, span }) =>
      `${shouldTrigger ? 'yes' : 'no'}: ${request}${text.slice(span.start, span.end).includes(request) ? '' : ' (elsewhere)'}`,
  );
const reason = (text: string, path = 'a.yaml'): string | undefined => {
  const { results } = readForeignEvals(text, path, 'chart-sales');
  assert(results.every(({ status }) => status === 'skipped'));
  return results[0]?.message;
};

describe('a request is found', () => {
  for (const [should, not] of [
    ['should_trigger_prompts', 'should_not_trigger_prompts'],
    ['shouldTriggerPrompts', 'shouldNotTriggerPrompts'],
  ]) {
    it(`in \`${should}\` of waza`, () => {
      const text = `skill: chart-sales\n${should}:\n  - prompt: Draw May.\n  - Draw June.\n${not}:\n  - {prompt: Write., reason: x}\n`;
      assert.deepEqual(requests(text), ['yes: Draw May.', 'yes: Draw June.', 'no: Write.']);
    });
  }

  it('in a task of waza that expects a choice', () => {
    const task = (should: string): string =>
      `id: a\ninputs: {prompt: Draw May.}\nexpected: {should_trigger: ${should}}\n`;
    assert.deepEqual(requests(task('true'), 'tasks/a.yaml'), ['yes: Draw May.']);
    assert.deepEqual(requests(task('false'), 'tasks/a.yaml'), ['no: Draw May.']);
    assert.deepEqual(requests(task('maybe'), 'tasks/a.yaml'), []);
  });

  it('in tests of promptfoo with an assertion about this skill', () => {
    const test = (vars: string, type: string, value: string): string =>
      `  - {vars: ${vars}, assert: [{type: contains, value: x}, {type: ${type}, value: ${value}}]}\n`;
    const text = `tests:\n${[
      test('{text: Draw May.}', 'skill-used', 'chart-sales'),
      test('{lang: en, query: Write.}', 'not-skill-used', '{name: chart-sales}'),
      test('{query: Draw June.}', 'skill-used', 'another'),
      test('{a: 1, b: 2}', 'skill-used', 'chart-sales'),
    ].join('')}`;
    assert.deepEqual(requests(text), ['yes: Draw May.', 'no: Write.']);
  });

  it('in any list with `should_trigger`', () => {
    assert.deepEqual(
      requests('cases:\n  - {query: Draw., should_trigger: true}\n  - {query: 5, should_trigger: false}\n'),
      ['yes: Draw.'],
    );
  });
});

describe('a file of which nothing is tested is named', () => {
  it('with the program that can run it', () => {
    assert.match(reason('skill: chart-sales\ntasks: [tasks/*.yaml]\n') ?? '', /Only waza can run its tasks/);
    assert.match(reason('prompts: [x]\nproviders: [y]\ntests: []\n') ?? '', /Only promptfoo can run it/);
    assert.match(reason('a: 1\n') ?? '', /its form is not known/);
    assert.match(reason('a: [1\n') ?? '', /not valid YAML/);
  });

  it('with the skill that it misspells', () => {
    assert.match(
      reason('skill: chart-sale\ntasks: [x]\n') ?? '',
      /for the skill `chart-sale`.*Did you mean `chart-sales`\?/,
    );
    assert.match(reason('skill: other\nshould_trigger_prompts: [a]\n') ?? '', /for the skill `other`/);
  });

  it('unless it is a task, which belongs to a suite', () => {
    assert.equal(reason('id: a\ninputs: {prompt: Draw.}\n', 'tasks/a.yaml'), undefined);
  });

  it('if it is an `evals.json` of another program, which then cannot fail', () => {
    for (const json of [{ tests: [{ input: 'a' }] }, { evals: [{ task: 'a', rubric: 'b' }] }, [{ question: 'a' }]]) {
      const [one, ...others] = readEvals(JSON.stringify(json), true).results;
      assert.deepEqual([one?.status, others.length], ['skipped', 0], JSON.stringify(json));
    }
    for (const json of [
      { evals: [{ promt: 'a' }] },
      { evals: [{ task: 'a' }, { prompt: 'b' }] },
      { skill_name: 'a' },
      {},
      { eval: [] },
    ]) {
      assert(
        readEvals(JSON.stringify(json), true).results.some(({ status }) => status === 'failed'),
        JSON.stringify(json),
      );
    }
  });
});

it('never throws, and never fails a file', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), fc.string(), (text, path) => {
      const { results } = readForeignEvals(text, path, 'a');
      assert(results.every(({ status }) => status === 'skipped'));
    }),
  );
});
