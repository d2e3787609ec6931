/** The trials in which a model chooses a skill. A scripted stand-in replaces the model. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { Budget, type Model, ModelRunError } from '../../../client/src/views/testing/model/ask.ts';
import { askForChoices, countChoices, isMajority } from '../../../client/src/views/testing/model/choices.ts';
import type { ModelChoice } from '../../../server/src/protocol.ts';

const [OWN, RIVAL] = ['file:///w/docx/SKILL.md', 'file:///w/pdf/SKILL.md'];
const list = { text: 'Choose.', names: [named('docx', OWN), named('pdf', RIVAL)], none: 'none' };

function named(name: string, uri: string) {
  return { name, uris: [uri] };
}

/** Runs trials with a model that returns or throws one line of the script in each trial. */
async function run(
  script: readonly (string | Error | object)[],
  { trials = script.length, budget = 10_000, cancelAt = Infinity } = {},
) {
  const sent: string[] = [];
  let isCancelled = cancelAt === 0;
  const model: Model = {
    name: 'Scripted',
    count: async (text) => text.length,
    send: async ([first], tools) => {
      assert.deepEqual(tools, []);
      sent.push(first?.role === 'user' ? first.text : '');
      const line = script[sent.length - 1] ?? '';
      isCancelled = sent.length >= cancelAt;
      if (line instanceof Error) throw line;
      return typeof line === 'string'
        ? { text: line, calls: [] }
        : { text: '', calls: [{ id: '1', name: 'pdf', input: line }] };
    },
  };
  const answers: ModelChoice[] = [];
  let error: unknown;
  try {
    const limit = new Budget(budget, () => 'spent');
    for await (const one of askForChoices(model, { ...list, trials }, limit, () => isCancelled)) answers.push(one);
  } catch (thrown) {
    error = thrown;
  }
  return { answers, sent, error, kinds: answers.map(({ kind }) => kind) };
}

describe('the trials with a model', () => {
  it('return an answer for each trial: the skill, a rival, none, or unclear', async () => {
    const { answers, kinds, sent, error } = await run(['docx', '`pdf`', 'none', 'xlsx', "I can't help with that."]);
    assert.deepEqual(kinds, ['skill', 'skill', 'none', 'unclear', 'unclear']);
    assert.deepEqual(answers.slice(0, 2), [
      { kind: 'skill', ...named('docx', OWN) },
      { kind: 'skill', ...named('pdf', RIVAL) },
    ]);
    assert.deepEqual([sent, error], [Array(5).fill('Choose.'), undefined]);
  });

  it('count an empty answer, a tool call and a very long answer as unclear', async () => {
    const { answers, kinds } = await run(['', { name: 'docx' }, `docx ${'x'.repeat(1_000_000)}`], {
      budget: 2_000_000,
    });
    assert.deepEqual(kinds, ['unclear', 'unclear', 'unclear']);
    assert.deepEqual(answers[1], { kind: 'unclear', said: '' });
    assert.ok(answers[2]?.kind === 'unclear' && answers[2].said.length < 300);
  });

  it('end with an error if the quota is used up, and keep the answers before it', async () => {
    const { kinds, sent, error } = await run(['docx', new ModelRunError('quota'), 'docx']);
    assert.deepEqual([kinds, sent.length], [['skill'], 2]);
    assert.ok(error instanceof ModelRunError && error.message === 'quota');
  });

  it('send nothing that exceeds the limit of tokens', async () => {
    const long = await run(['x'.repeat(1_000_000), 'docx']);
    assert.ok(long.error instanceof ModelRunError && long.error.message === 'spent');
    assert.deepEqual([long.kinds, long.sent.length], [['unclear'], 1]);
    assert.deepEqual((await run(['docx'], { budget: 5 })).sent, []);
  });

  it('end without an error if the user cancels before or during a trial', async () => {
    const before = await run(['docx', 'docx'], { cancelAt: 0 });
    assert.deepEqual([before.sent, before.error], [[], undefined]);
    const during = await run(['docx', new Error('Canceled'), 'docx'], { cancelAt: 2 });
    assert.deepEqual([during.kinds, during.sent.length, during.error], [['skill'], 2, undefined]);
    const late = await run(['docx', 'docx', 'docx'], { cancelAt: 2 });
    assert.deepEqual([late.kinds, late.sent.length], [['skill'], 2]);
  });
});

describe('the count of answers', () => {
  it('begins with the most frequent choice', async () => {
    const { answers } = await run(['none', 'pdf', 'well', 'pdf', 'hm', 'none', 'pdf']);
    assert.deepEqual(countChoices(answers), [
      { choice: { kind: 'skill', ...named('pdf', RIVAL) }, count: 3 },
      { choice: { kind: 'none' }, count: 2 },
      { choice: { kind: 'unclear', said: 'well' }, count: 2 },
    ]);
  });

  it('decides a routing case by most of the answers', async () => {
    const holds = async (script: readonly string[], should: boolean): Promise<boolean> =>
      isMajority((await run(script)).answers, OWN, should);
    assert.equal(await holds(['docx'], true), true);
    assert.equal(await holds(['pdf'], true), false);
    assert.equal(await holds(['docx', 'pdf'], true), false);
    assert.equal(await holds(['docx', 'pdf', 'docx'], true), true);
    assert.equal(await holds(['docx'], false), false);
    assert.equal(await holds(['pdf'], false), true);
    assert.equal(await holds(['none'], false), true);
    assert.equal(await holds(['hm'], false), false);
    assert.equal(await holds([], true), false);
  });
});
