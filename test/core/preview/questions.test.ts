/** What a preview asks of a skill when nothing was asked yet, when a sample goes, and when the form changes meanwhile. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { answer, createQuestions } from '../../../client/src/panels/preview/questions.ts';
import type { ComposeParams, ComposeReply, SamplesReply } from '../../../server/src/protocol.ts';

const SKILL = 'file:///skills-here/skills/test.skill.md';

/** A server whose skill has these samples, and what it was asked to compose. */
function serverWith(...names: string[]) {
  const asked: ComposeParams[] = [];
  const nowhere = { line: 0, character: 0 };
  const samples = names.map((name) => ({ name, range: { start: nowhere, end: nowhere }, invocation: {} }));
  return {
    asked,
    samples: async ({ uri }: { uri: string }) =>
      ({ uri, name: 'test', samples, examples: [], schema: {}, profiles: [], models: [] }) satisfies SamplesReply,
    compose: async (params: ComposeParams) => {
      asked.push(params);
      return { uri: params.uri } as ComposeReply;
    },
  };
}

test('a skill that is shown first is composed with its first sample', async () => {
  const server = serverWith('dusk', 'supper');
  const answered = await answer(server, createQuestions(), SKILL, 'p');
  assert.ok(typeof answered === 'object');
  assert.deepEqual(answered.asked, { sample: 'dusk', without: [] });
  assert.deepEqual(server.asked, [{ uri: SKILL, key: 'p', sample: 'dusk', without: [] }]);
});

test('a skill without samples is composed with nothing given', async () => {
  const server = serverWith();
  await answer(server, createQuestions(), SKILL, 'p');
  assert.deepEqual(server.asked, [{ uri: SKILL, key: 'p', without: [] }]);
});

test('a sample that was renamed gives way to the first one', async () => {
  const questions = createQuestions();
  questions.ask(SKILL, { sample: 'old name', without: [] });
  const answered = await answer(serverWith('dusk'), questions, SKILL, 'p');
  assert.ok(typeof answered === 'object');
  assert.deepEqual(answered.asked, { sample: 'dusk', without: [] });
});

test('a sample that is gone for a moment is asked for again when it is back', async () => {
  const questions = createQuestions();
  questions.ask(SKILL, { sample: 'supper', without: [] });
  const shown = async (...names: string[]) => {
    const answered = await answer(serverWith(...names), questions, SKILL, 'p');
    return typeof answered === 'object' ? answered.asked.sample : answered;
  };
  assert.equal(await shown(), undefined);
  assert.equal(await shown(), undefined);
  assert.equal(await shown('dusk'), 'dusk');
  assert.equal(await shown('dusk', 'supper'), 'supper');
  // The author's choice counts from then on.
  questions.ask(SKILL, { sample: 'dusk', without: [] });
  assert.equal(await shown('dusk', 'supper'), 'dusk');
});

test('a skill that gets its first sample is composed with it, unless the author asked for something', async () => {
  const questions = createQuestions();
  await answer(serverWith(), questions, SKILL, 'p');
  await answer(serverWith('dusk'), questions, SKILL, 'p');
  assert.equal(questions.of(SKILL)?.sample, 'dusk');
  questions.ask(SKILL, { invocation: { parameters: { tone: 'wry' } }, without: [] });
  await answer(serverWith('dusk'), questions, SKILL, 'p');
  assert.equal(questions.of(SKILL)?.sample, undefined);
});

test('undoing the saving of a sample leaves the form as it was saved', async () => {
  const questions = createQuestions();
  questions.ask(SKILL, { sample: 'mine', without: [] }, { parameters: { tone: 'wry' } });
  const answered = await answer(serverWith('dusk'), questions, SKILL, 'p');
  assert.ok(typeof answered === 'object');
  assert.deepEqual(answered.asked, { invocation: { parameters: { tone: 'wry' } }, without: [] });
});

test('an answer to a question that was changed meanwhile is dropped', async () => {
  const questions = createQuestions();
  questions.ask(SKILL, { sample: 'dusk', without: [] });
  const answering = answer(serverWith('dusk', 'supper'), questions, SKILL, 'p');
  questions.ask(SKILL, { sample: 'supper', without: [] });
  assert.equal(await answering, 'superseded');
});

test('a file that is no skill is told from one that does not compose', async () => {
  const server = { ...serverWith(), samples: async () => null };
  assert.equal(await answer(server, createQuestions(), SKILL, 'p'), 'no skill');
});
