/** The compose request of a preview: at first, when its sample disappears, and when the form changes meanwhile. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { SkillServer } from '../../../client/src/language-server/skill-server.ts';
import { answer, createQuestions } from '../../../client/src/panels/preview/questions.ts';
import { type ComposeParams, ComposeRequest, type SamplesReply, SamplesRequest } from '../../../server/src/protocol.ts';

const SKILL = 'file:///skills-here/skills/test.skill.md';

/** A server whose skill has these samples. `asked` has the compose requests. */
function serverWith(...names: string[]) {
  const asked: ComposeParams[] = [];
  const nowhere = { line: 0, character: 0 };
  const samples = names.map((name) => ({ name, range: { start: nowhere, end: nowhere }, invocation: {} }));
  const reply = { uri: SKILL, name: 'test', samples, examples: [], schema: {}, profiles: [], models: [] };
  const send: SkillServer['send'] = async (request, params) => {
    if (request.method === SamplesRequest.method) return reply satisfies SamplesReply as never;
    assert.equal(request.method, ComposeRequest.method);
    asked.push(params as ComposeParams);
    return { uri: SKILL } as never;
  };
  return { asked, send };
}

test('a preview composes a skill with its first sample at first', async () => {
  const server = serverWith('dusk', 'supper');
  const answered = await answer(server, createQuestions(), SKILL, 'p');
  assert.ok(typeof answered === 'object');
  assert.deepEqual(answered.asked, { sample: 'dusk', without: [] });
  assert.deepEqual(server.asked, [{ uri: SKILL, key: 'p', sample: 'dusk', without: [] }]);
});

test('a preview composes a skill without samples with an empty invocation', async () => {
  const server = serverWith();
  await answer(server, createQuestions(), SKILL, 'p');
  assert.deepEqual(server.asked, [{ uri: SKILL, key: 'p', without: [] }]);
});

test('replaces the request for a renamed sample with one for the first sample', async () => {
  const questions = createQuestions();
  questions.ask(SKILL, { sample: 'old name', without: [] });
  const answered = await answer(serverWith('dusk'), questions, SKILL, 'p');
  assert.ok(typeof answered === 'object');
  assert.deepEqual(answered.asked, { sample: 'dusk', without: [] });
});

test('restores the request when a deleted sample returns', async () => {
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
  // A newer choice of the user replaces it.
  questions.ask(SKILL, { sample: 'dusk', without: [] });
  assert.equal(await shown('dusk', 'supper'), 'dusk');
});

test('composes with a new first sample, unless the user chose another input', async () => {
  const questions = createQuestions();
  await answer(serverWith(), questions, SKILL, 'p');
  await answer(serverWith('dusk'), questions, SKILL, 'p');
  assert.equal(questions.of(SKILL)?.sample, 'dusk');
  questions.ask(SKILL, { invocation: { parameters: { tone: 'wry' } }, without: [] });
  await answer(serverWith('dusk'), questions, SKILL, 'p');
  assert.equal(questions.of(SKILL)?.sample, undefined);
});

test('undoing the saving of a sample keeps its invocation in the form', async () => {
  const questions = createQuestions();
  questions.ask(SKILL, { sample: 'mine', without: [] }, { parameters: { tone: 'wry' } });
  const answered = await answer(serverWith('dusk'), questions, SKILL, 'p');
  assert.ok(typeof answered === 'object');
  assert.deepEqual(answered.asked, { invocation: { parameters: { tone: 'wry' } }, without: [] });
});

test('drops the answer to an outdated request', async () => {
  const questions = createQuestions();
  questions.ask(SKILL, { sample: 'dusk', without: [] });
  const answering = answer(serverWith('dusk', 'supper'), questions, SKILL, 'p');
  questions.ask(SKILL, { sample: 'supper', without: [] });
  assert.equal(await answering, 'superseded');
});

test('a file that is not a skill is reported as such, not as an error', async () => {
  const server = { send: async () => null as never };
  assert.equal(await answer(server, createQuestions(), SKILL, 'p'), 'no skill');
});
