/**
 * The compose requests that a preview sends at its start, after its sample disappears, and if the form changes during
 * a request.
 */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { SkillServer } from '../../../client/src/language-server/skill-server.ts';
import { composeSkill, PreviewRequests } from '../../../client/src/panels/preview/requests.ts';
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
  const composed = await composeSkill(server, new PreviewRequests(), SKILL, 'p');
  assert.ok(typeof composed === 'object' && composed);
  assert.deepEqual(composed.asked, { sample: 'dusk', without: [] });
  assert.deepEqual(server.asked, [{ uri: SKILL, key: 'p', sample: 'dusk', without: [] }]);
});

test('a new preview composes a skill without samples with an empty invocation', async () => {
  const server = serverWith();
  await composeSkill(server, new PreviewRequests(), SKILL, 'p');
  assert.deepEqual(server.asked, [{ uri: SKILL, key: 'p', without: [] }]);
});

test('requests the first sample instead of a sample that was renamed', async () => {
  const requests = new PreviewRequests();
  requests.set(SKILL, { sample: 'old name', without: [] });
  const composed = await composeSkill(serverWith('dusk'), requests, SKILL, 'p');
  assert.ok(typeof composed === 'object' && composed);
  assert.deepEqual(composed.asked, { sample: 'dusk', without: [] });
  assert.equal(composed.missingSample, 'old name');
});

test('keeps the request of a skill whose file was renamed', () => {
  const requests = new PreviewRequests();
  requests.set(SKILL, { sample: 'dusk', without: [] });
  requests.rename(SKILL, `${SKILL}2`);
  assert.deepEqual(requests.get(`${SKILL}2`), { sample: 'dusk', without: [] });
});

test('requests a deleted sample again when it is restored', async () => {
  const requests = new PreviewRequests();
  requests.set(SKILL, { sample: 'supper', without: [] });
  const shown = async (...names: string[]) => {
    const composed = await composeSkill(serverWith(...names), requests, SKILL, 'p');
    return typeof composed === 'object' ? composed?.asked.sample : composed;
  };
  assert.equal(await shown(), undefined);
  assert.equal(await shown(), undefined);
  assert.equal(await shown('dusk'), 'dusk');
  assert.equal(await shown('dusk', 'supper'), 'supper');
  // A newer choice by the user replaces the remembered sample.
  requests.set(SKILL, { sample: 'dusk', without: [] });
  assert.equal(await shown('dusk', 'supper'), 'dusk');
});

test('requests the new first sample, unless the user chose another input', async () => {
  const requests = new PreviewRequests();
  await composeSkill(serverWith(), requests, SKILL, 'p');
  await composeSkill(serverWith('dusk'), requests, SKILL, 'p');
  assert.equal(requests.get(SKILL)?.sample, 'dusk');
  requests.set(SKILL, { invocation: { parameters: { tone: 'wry' } }, without: [] });
  await composeSkill(serverWith('dusk'), requests, SKILL, 'p');
  assert.equal(requests.get(SKILL)?.sample, undefined);
});

test("keeps a sample's invocation in the form after an undo removes the sample", async () => {
  const requests = new PreviewRequests();
  requests.set(SKILL, { sample: 'mine', without: [] }, { parameters: { tone: 'wry' } });
  const composed = await composeSkill(serverWith('dusk'), requests, SKILL, 'p');
  assert.ok(typeof composed === 'object' && composed);
  assert.deepEqual(composed.asked, { invocation: { parameters: { tone: 'wry' } }, without: [] });
});

test('drops the response to an outdated request', async () => {
  const requests = new PreviewRequests();
  requests.set(SKILL, { sample: 'dusk', without: [] });
  const composing = composeSkill(serverWith('dusk', 'supper'), requests, SKILL, 'p');
  requests.set(SKILL, { sample: 'supper', without: [] });
  assert.equal(await composing, 'superseded');
});

test('returns null for a file that is not a skill', async () => {
  const server = { send: async () => null as never };
  assert.equal(await composeSkill(server, new PreviewRequests(), SKILL, 'p'), null);
});

test('distinguishes a replaced request from a file that is no longer a skill', async () => {
  for (const reply of ['superseded', null]) {
    const { send } = serverWith('dusk');
    const server: Pick<SkillServer, 'send'> = {
      send: async (request, params) =>
        request.method === ComposeRequest.method ? (reply as never) : send(request, params),
    };
    const requests = new PreviewRequests();
    assert.equal(await composeSkill(server, requests, SKILL, 'p'), reply);
    assert.equal(await composeSkill(server, requests, SKILL, 'p'), reply);
  }
});
