/**
 * The compose requests that a preview sends at its start, after its sample disappears, and if the form changes during
 * a request.
 */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { SkillServer } from '../../../client/src/language-server/skill-server.ts';
import { answer, createQuestions } from '../../../client/src/panels/preview/questions.ts';
import { type ComposeParams, ComposeRequest, type SamplesReply, SamplesRequest } from '../../../server/src/protocol.ts';

const SKILL = 'file:///skills-here/skills/test.skill.md';

/** A server whose skill has these samples. `asked` records the compose requests. */
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

test('a new preview composes a skill with its first sample', async () => {
  const server = serverWith('dusk', 'supper');
  const answered = await answer(server, createQuestions(), SKILL, 'p');
  assert.ok(typeof answered === 'object');
  assert.deepEqual(answered.asked, { sample: 'dusk', without: [] });
  assert.deepEqual(server.asked, [{ uri: SKILL, key: 'p', sample: 'dusk', without: [] }]);
});

test('a new preview composes a skill without samples with an empty invocation', async () => {
  const server = serverWith();
  await answer(server, createQuestions(), SKILL, 'p');
  assert.deepEqual(server.asked, [{ uri: SKILL, key: 'p', without: [] }]);
});

test('requests the first sample instead of a sample that was renamed', async () => {
  const questions = createQuestions();
  questions.ask(SKILL, { sample: 'old name', without: [] });
  const answered = await answer(serverWith('dusk'), questions, SKILL, 'p');
  assert.ok(typeof answered === 'object');
  assert.deepEqual(answered.asked, { sample: 'dusk', without: [] });
  assert.equal(answered.missingSample, 'old name');
});

test('keeps the request of a skill whose file was renamed', () => {
  const questions = createQuestions();
  questions.ask(SKILL, { sample: 'dusk', without: [] });
  questions.move(SKILL, `${SKILL}2`);
  assert.deepEqual(questions.of(`${SKILL}2`), { sample: 'dusk', without: [] });
});

test('requests a deleted sample again when it is restored', async () => {
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
  // A newer choice by the user replaces the remembered sample.
  questions.ask(SKILL, { sample: 'dusk', without: [] });
  assert.equal(await shown('dusk', 'supper'), 'dusk');
});

test('requests the new first sample, unless the user chose another input', async () => {
  const questions = createQuestions();
  await answer(serverWith(), questions, SKILL, 'p');
  await answer(serverWith('dusk'), questions, SKILL, 'p');
  assert.equal(questions.of(SKILL)?.sample, 'dusk');
  questions.ask(SKILL, { invocation: { parameters: { tone: 'wry' } }, without: [] });
  await answer(serverWith('dusk'), questions, SKILL, 'p');
  assert.equal(questions.of(SKILL)?.sample, undefined);
});

test("keeps a sample's invocation in the form after an undo removes the sample", async () => {
  const questions = createQuestions();
  questions.ask(SKILL, { sample: 'mine', without: [] }, { parameters: { tone: 'wry' } });
  const answered = await answer(serverWith('dusk'), questions, SKILL, 'p');
  assert.ok(typeof answered === 'object');
  assert.deepEqual(answered.asked, { invocation: { parameters: { tone: 'wry' } }, without: [] });
});

test('drops the response to an outdated request', async () => {
  const questions = createQuestions();
  questions.ask(SKILL, { sample: 'dusk', without: [] });
  const answering = answer(serverWith('dusk', 'supper'), questions, SKILL, 'p');
  questions.ask(SKILL, { sample: 'supper', without: [] });
  assert.equal(await answering, 'superseded');
});

test('reports that a file is not a skill, instead of an error', async () => {
  const server = { send: async () => null as never };
  assert.equal(await answer(server, createQuestions(), SKILL, 'p'), 'no skill');
});
