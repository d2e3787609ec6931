/** Cases of `evals/evals.json` with a model, in an editor and on the command line. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import {
  type ChoiceReply,
  ChoiceRequest,
  type ModelRunsReply,
  ModelRunsRequest,
  type RunTestsParams,
  type RunTestsReply,
  RunTestsRequest,
} from '../../server/src/protocol.ts';
import { assertUsageError, folderWith, run } from './cli.ts';
import { withServer } from './server.ts';

const SKILL = '---\nname: tidy\ndescription: Tidies notes.\n---\n\n# Tidy\n\nSort the notes by day.\n';
const EVALS = JSON.stringify({
  evals: [
    { id: 1, prompt: 'Tidy these: b, a.', expected_output: 'A sorted list.', expectations: ['It loses nothing.'] },
    { id: 2, prompt: 'Tidy the file.', files: ['evals/notes.txt'], assertions: ['It is sorted.'] },
  ],
});
const files = { 'tidy/SKILL.md': SKILL, 'tidy/evals/evals.json': EVALS, 'tidy/evals/notes.txt': 'b\na\n' };
const CHECKS = ['case 1 › A sorted list.', 'case 1 › It loses nothing.'];

test('sends a model a case with the skill, and then the checks as questions about the output', async () => {
  await withServer(files, async ({ connection, uri }) => {
    const skill = { uri: uri('tidy/SKILL.md') };
    const asked = await connection.sendRequest<ModelRunsReply | null>(ModelRunsRequest.method, skill);
    assert.deepEqual([asked?.runs.map(({ sample }) => sample), asked?.questions], [['case 1'], 2]);
    assert.match(asked?.runs[0]?.prompt ?? '', /Sort the notes by day\.[\s\S]*Tidy these: b, a\./);
    const judge = async (params: Partial<RunTestsParams>) => {
      const reply = await connection.sendRequest<RunTestsReply | null>(RunTestsRequest.method, { ...skill, ...params });
      const of = (status: string) => reply?.results?.filter((one) => one.status === status).map(({ name }) => name);
      return { results: reply?.results, failed: of('failed'), skipped: of('skipped'), passed: of('passed') };
    };
    const given = [{ kind: 'evals', sample: 'case 1', output: 'a, b' }] as const;
    const unjudged = await judge({ only: ['case 1'], given });
    assert.deepEqual([unjudged.passed, unjudged.skipped], [['case 1', 'case 1 › output'], CHECKS]);
    assert.match(unjudged.results?.[1]?.question?.text ?? '', /A sorted list\.[\s\S]*\na, b\n/);
    const answers = CHECKS.map((name, at) => ({ name, answer: at === 0 ? 'HOLDS.' : 'FAILS. It lost c.' }));
    const judged = await judge({ only: ['case 1'], given, answers });
    assert.deepEqual([judged.failed, judged.skipped], [['case 1 › It loses nothing.'], []]);
    const empty = await judge({
      only: ['case 1'],
      given: [{ kind: 'evals', sample: 'case 1', problem: 'It came to no end.' }],
    });
    assert.deepEqual([empty.failed, empty.skipped], [['case 1 › output'], CHECKS]);
    assert.deepEqual((await judge({})).passed, ['case 1', 'case 2', 'case 2 › evals/notes.txt']);
  });
});

test('sends the routing cases as questions about the list of the first target client', async () => {
  const TRIGGERS = JSON.stringify([
    { query: 'Tidy my notes.', should_trigger: true },
    { query: 'Draw a map.', should_trigger: false },
  ]);
  const routed = { ...files, 'tidy/evals/triggers.json': TRIGGERS };
  const catalog = { 'skills.config.yaml': 'agent_skills: {clients: [gemini-cli, codex]}\n' };
  await withServer({ ...routed, ...catalog }, async ({ connection, uri }) => {
    const skill = { uri: uri('tidy/SKILL.md') };
    const ask = (only?: readonly string[]) =>
      connection.sendRequest<ModelRunsReply | null>(ModelRunsRequest.method, { ...skill, only });
    const all = await ask();
    assert.deepEqual(all?.routing?.cases, [
      { name: 'should: Tidy my notes.', should: true },
      { name: 'should not: Draw a map.', should: false },
    ]);
    assert.equal(all.routing.choice.client.id, 'gemini-cli');
    assert.deepEqual(all.routing.choice.names, [{ name: 'tidy', uris: [skill.uri] }]);
    assert.match(all.routing.choice.questions[1]?.text ?? '', /Tidies notes\.[\s\S]*Draw a map\./);
    assert.deepEqual((await ask(['should not: Draw a map.']))?.routing?.cases.length, 1);
    assert.equal((await ask(['case 1']))?.routing, null);
    const params = { ...skill, client: 'codex', requests: ['Sort them.'] };
    const choice = await connection.sendRequest<ChoiceReply | null>(ChoiceRequest.method, params);
    assert.deepEqual([choice?.client.id, choice?.questions.length], ['codex', 1]);
    assert.match(choice?.questions[0]?.text ?? '', /- tidy: Tidies notes\.[\s\S]*Sort them\./);
  });
  await withServer(routed, async ({ connection, uri }) => {
    const skill = { uri: uri('tidy/SKILL.md') };
    const reply = await connection.sendRequest<ModelRunsReply | null>(ModelRunsRequest.method, skill);
    assert.equal(reply?.routing, null, 'without a target client');
  });
});

test('runs a sample and a case with the same name separately', async () => {
  const both = SKILL.replace('\n---\n\n#', '\nsamples:\n  case 1: {request: Tidy my desk.}\n---\n\n#');
  await withServer({ ...files, 'tidy/SKILL.md': both }, async ({ connection, uri }) => {
    const skill = { uri: uri('tidy/SKILL.md') };
    const asked = await connection.sendRequest<ModelRunsReply | null>(ModelRunsRequest.method, skill);
    assert.deepEqual(
      asked?.runs.map(({ kind, sample, prompt }) => [kind, sample, prompt.includes('Tidy these')]),
      [
        ['sample', 'case 1', false],
        ['evals', 'case 1', true],
      ],
    );
    const given = [{ kind: 'evals', sample: 'case 1', output: 'a, b' }] as const;
    const reply = await connection.sendRequest<RunTestsReply | null>(RunTestsRequest.method, { ...skill, given });
    assert.deepEqual(reply?.outputs, []);
    assert.ok(reply?.results?.some(({ kind, name }) => kind === 'evals' && name === 'case 1 › output'));
  });
});

test('sends each case to the command of `--runner`, and counts skipped checks', async () => {
  const model = `let text = '';
process.stdin.on('data', (chunk) => { text += chunk; });
process.stdin.on('end', () => console.log(JSON.parse(text).prompt.includes('b, a.') ? 'a, b' : ''));`;
  const folder = folderWith({ ...files, 'model.cjs': model });
  const runner = `"${process.execPath}" 'model.cjs'`;
  const { status, stdout, stderr } = await run(folder, ['test', '--runner', runner, '--format', 'json']);
  assert.match(stderr, /1 run with prompts of \d+ tokens\./);
  const { tests, summary } = JSON.parse(stdout);
  assert.deepEqual([status, summary], [0, { passed: 4, failed: 0, warned: 0, skipped: 3 }], stdout);
  const skipped = tests.filter((one: { status: string; actual?: string }) => one.status === 'skipped' && one.actual);
  assert.deepEqual(
    skipped.map(({ name, actual }: Record<string, string>) => [name, actual?.trim()]),
    [
      [CHECKS[0], 'a, b'],
      [CHECKS[1], 'a, b'],
    ],
  );
  assertUsageError(await run(folder, ['test', '--runner', runner, '--max-runs', '0']), /--max-runs/);
  const plain = JSON.parse((await run(folder, ['test', '--format', 'json'])).stdout);
  assert.deepEqual(plain.summary, { passed: 3, failed: 0, warned: 0, skipped: 3 });
});
