/** Test runs with a model of the editor: the requests to the model, and the checks of the model's output. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { type ModelRunsReply, ModelRunsRequest, type RunTestsParams } from '../../server/src/protocol.ts';
import { withServer } from './server.ts';
import { PATH, runTests } from './tests.ts';

const reader = `---
name: read-gate
description: Reads a page.
version: 1.0.0
input_schema: {page: string}
output_schema: {held: boolean}
framing: reading
tools: [read_page, save_draft]
samples:
  north:
    parameters: {page: north}
    expect:
      prompt: [{type: semantic, prompt: Is it polite?, severity: soft}]
      output: [{type: contains, value: held}, {type: semantic, prompt: Did it hold?, expected: true}]
    stubs: {read_page: {returns: {text: The gate held.}}}
  wrong: {parameters: {page: 3}, expect: {fails: ParameterMismatch}}
  bad: {parameters: {page: 4}}
---

## PromptTemplate: reading

Read {{ page }}.
`;
const catalog = `tools:
  - {name: read_page, description: Reads a page., input_schema: {page: string}, operation: READ, scope: "read:pages"}
  - {name: save_draft, description: Saves., operation: WRITE, scope: "write:drafts"}
`;

test('sends the prompt, the tools of the composition and the stubs of the sample to a model', async () => {
  await withServer({ [PATH]: reader, 'skills.config.yaml': catalog }, async (server) => {
    const ask = (only?: readonly string[]) =>
      server.connection.sendRequest<ModelRunsReply | null>(ModelRunsRequest.method, { uri: server.uri(PATH), only });
    const { runs = [], questions } = (await ask()) ?? {};
    const [run] = runs;
    assert.deepEqual([runs.map(({ sample }) => sample), questions], [['north'], 2]);
    assert.match(run?.prompt ?? '', /^Read north\./);
    assert.deepEqual(
      run?.tools.map(({ name, description, stub }) => [name, description, stub]),
      [
        ['read_page', 'Reads a page.', { returns: { text: 'The gate held.' } }],
        ['save_draft', 'Saves.', null],
      ],
    );
    assert.deepEqual(run?.tools[0]?.inputSchema, {
      type: 'object',
      properties: { page: { type: 'string' } },
      required: ['page'],
    });
    assert.deepEqual((await ask(['bad']))?.runs, []);
    assert.equal(
      await server.connection.sendRequest(ModelRunsRequest.method, { uri: server.uri('skills.config.yaml') }),
      null,
    );
  });
});

test("checks a model's output against the schema and assertions, including semantic assertions", async () => {
  await withServer({ [PATH]: reader, 'skills.config.yaml': catalog }, async (server) => {
    const judge = async (params: Partial<RunTestsParams>) => {
      const { results, outputs } = await runTests(server, { only: ['north'], ...params });
      const of = (status: string) => results?.filter((one) => one.status === status).map(({ name }) => name);
      return {
        results,
        outputs,
        failed: of('failed'),
        skipped: of('skipped'),
        passed: of('passed'),
        warned: of('warned'),
      };
    };
    const bad = await judge({ given: [{ kind: 'sample', sample: 'north', output: '{"held": "yes"}' }] });
    assert.deepEqual(bad.failed, ['north › output schema']);
    assert.deepEqual(bad.skipped, ['north › Is it polite?', 'north › Did it hold?']);
    const question = bad.results?.find(({ name }) => name === 'north › Did it hold?')?.question?.text ?? '';
    assert.match(question, /Did it hold\?\nThe right answer: true[\s\S]*\{"held": "yes"\}/);
    assert.deepEqual(bad.outputs, [
      {
        uri: server.uri('__outputs__/read-gate.north.json'),
        other: server.uri('__outputs__/read-gate.north.txt'),
        text: '{"held": "yes"}',
      },
    ]);
    const good = await judge({
      given: [{ kind: 'sample', sample: 'north', output: '{"held": true}' }],
      answers: [
        { name: 'north › Did it hold?', answer: 'HOLDS: It did.' },
        { name: 'north › Is it polite?', answer: 'FAILS. It is curt.' },
      ],
    });
    assert.deepEqual([good.failed, good.skipped, good.warned], [[], [], ['north › Is it polite?']]);
    assert.ok(good.passed?.includes('north › Did it hold?'));
    const none = await judge({
      given: [{ kind: 'sample', sample: 'north', problem: 'The model called its tools without an end.' }],
    });
    assert.deepEqual(none.failed, ['north']);
    assert.equal(
      none.results?.find(({ status }) => status === 'failed')?.message,
      'The model called its tools without an end.',
    );
    assert.deepEqual((await judge({})).outputs, []);
  });
});
