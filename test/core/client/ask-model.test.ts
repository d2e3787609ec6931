/** A sample that runs with a model: the answers to its calls, and how it ends. A stand-in replaces the model. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import {
  type Answered,
  askModel,
  askQuery,
  askQuestion,
  Budget,
  type Message,
  type Model,
  ModelRunError,
  type ModelToolCall,
  type OfferedTool,
} from '../../../client/src/views/testing/model/ask.ts';
import type { ModelTool, RunQuery } from '../../../server/src/protocol.ts';

interface Line {
  readonly text?: string;
  readonly calls?: readonly ModelToolCall[];
}

/** A model that counts one token per character and records the messages it receives. */
function standIn(...lines: readonly Line[]) {
  const sent: { readonly messages: readonly Message[]; readonly tools: readonly OfferedTool[] }[] = [];
  const model: Model = {
    name: 'Stand-in',
    count: async (text) => text.length,
    send: async (messages, tools) => {
      sent.push({ messages: [...messages], tools });
      const { text = '', calls = [] } = lines[Math.min(sent.length, lines.length) - 1] ?? {};
      return { text, calls };
    },
  };
  return { model, sent };
}

type Returns = NonNullable<ModelTool['stub']>['returns'];
const tool = (name: string, returns?: Returns): ModelTool => ({
  ...{ name, description: null, inputSchema: null },
  stub: returns === undefined ? null : { returns },
});
const call = (name: string, input: object = {}): Line => ({ calls: [{ id: name, name, input }] });
const plenty = () => new Budget(100_000, () => 'spent');
const nobody = async (): Promise<Answered> => ({ by: 'missing' });

test('a stub from the sample answers a tool call, and the model continues', async () => {
  const { model, sent } = standIn(call('read_page', { page: 'north' }), { text: 'It held.' });
  const tools = [tool('read_page', { text: 'The gate held.' })];
  const { outcome, calls, requests } = await askModel(model, { prompt: 'Read.', tools }, plenty(), nobody);
  assert.deepEqual(outcome, { output: 'It held.' });
  assert.equal(requests, 2);
  assert.deepEqual(calls, [
    { name: 'read_page', input: { page: 'north' }, answer: { by: 'stub', text: '{"text":"The gate held."}' } },
  ]);
  assert.deepEqual(
    sent[1]?.messages.map(({ role }) => role),
    ['user', 'assistant', 'results'],
  );
  const [, , results] = sent[1]?.messages ?? [];
  assert.deepEqual(results, { role: 'results', results: [{ id: 'read_page', text: '{"text":"The gate held."}' }] });
});

test('a stub fails for the first calls, and then returns', async () => {
  const { model } = standIn(call('read_page'), call('read_page'), call('read_page'), { text: 'Done.' });
  const stub = { fails: 'TIMEOUT', times: 2, returns: 'Held.' };
  const tools = [{ ...tool('read_page'), stub }];
  const { calls } = await askModel(model, { prompt: 'Read.', tools }, plenty(), nobody);
  const failed = { by: 'stub', text: 'The call failed with the error `TIMEOUT`.' };
  assert.deepEqual(
    calls.map(({ answer }) => answer),
    [failed, failed, { by: 'stub', text: 'Held.' }],
  );
});

test('returns the text of a stub unchanged', async () => {
  const { model } = standIn(call('read_page'), { text: 'Done.' });
  const { calls } = await askModel(model, { prompt: 'Read.', tools: [tool('read_page', 'Held.')] }, plenty(), nobody);
  assert.deepEqual(calls[0]?.answer, { by: 'stub', text: 'Held.' });
});

test('does not run an unavailable tool, but reports the tool to the model', async () => {
  const { model } = standIn(call('delete_all'), { text: 'Done.' });
  const run = async (): Promise<Answered> => assert.fail('nothing is run');
  const { outcome, calls } = await askModel(model, { prompt: 'Read.', tools: [tool('read_page')] }, plenty(), run);
  assert.deepEqual(outcome, { output: 'Done.' });
  assert.deepEqual(calls[0]?.answer, { by: 'unavailable', text: 'Unknown tool `delete_all`.' });
});

test('calls a tool without a stub by its original name, even if models reject that name', async () => {
  const { model, sent } = standIn(call('pages_read', { page: 1 }), { text: 'Done.' });
  const asked: unknown[] = [];
  const run = async (...one: readonly unknown[]): Promise<Answered> => {
    asked.push(one);
    return { by: 'declined', text: 'No.' };
  };
  const tools = [tool('pages/read'), tool('pages.read')];
  const { calls } = await askModel(model, { prompt: 'Read.', tools }, plenty(), run);
  assert.deepEqual(
    sent[0]?.tools.map(({ name }) => name),
    ['pages_read', 'pages_read_2'],
  );
  assert.deepEqual(asked, [['pages/read', { page: 1 }]]);
  assert.deepEqual(calls[0]?.answer, { by: 'declined', text: 'No.' });
});

test('a tool call without a result ends the sample, and the outcome names the tool', async () => {
  // The outcome contains the author's spelling of the name, which a stub must use.
  const { model, sent } = standIn(call('pages_read'));
  const { outcome } = await askModel(model, { prompt: 'Read.', tools: [tool('pages/read')] }, plenty(), nobody);
  assert.deepEqual(outcome, { unanswered: 'pages/read' });
  assert.equal(sent.length, 1);
});

test('reports a model that only calls tools or returns no text', async () => {
  const tools = [tool('read_page', 'Held.')];
  const endless = await askModel(standIn(call('read_page')).model, { prompt: 'Read.', tools }, plenty(), nobody);
  assert.deepEqual(endless.outcome, { problem: 'endless' });
  assert.equal(endless.requests, 12);
  const empty = await askModel(standIn({ text: ' \n' }).model, { prompt: 'Read.', tools }, plenty(), nobody);
  assert.deepEqual(empty.outcome, { problem: 'empty' });
});

test('sends no request that exceeds the remaining tokens, and reports the number of used tokens', async () => {
  const { model, sent } = standIn({ text: 'x'.repeat(30) });
  const budget = new Budget(50, (used, most) => `${used} of ${most}`);
  const first = await askModel(model, { prompt: 'x'.repeat(15), tools: [] }, budget, nobody);
  assert.equal(first.tokens, 45);
  await assert.rejects(
    askQuestion(model, 'x'.repeat(6), budget),
    (error) => error instanceof ModelRunError && error.message === '51 of 50',
  );
  assert.equal(sent.length, 1);
});

test('counts the tokens of the complete text of each request for a sample', async () => {
  const { model } = standIn(call('a'), { text: 'ok' });
  const { tokens } = await askModel(
    model,
    { prompt: 'x'.repeat(10), tools: [tool('a', 'y'.repeat(5))] },
    plenty(),
    nobody,
  );
  const offered = JSON.stringify([tool('a', 'y'.repeat(5))]).length;
  const said = '\na {}'.length;
  assert.equal(tokens, 10 + offered + said + (10 + offered + said + 5) + 'ok'.length);
});

type ModelQuery = Extract<RunQuery, { readonly kind: 'model' }>;
const query = (more: Partial<ModelQuery> = {}): ModelQuery => ({
  ...{ kind: 'model', path: 'plan_1', label: 'Read', prompt: 'Read the page.', tokens: 4 },
  ...{ results: [], outputs: [], tools: [] },
  ...more,
});

test('a query of a run sends the prompt, the stage with the outputs so far, and the calls so far', async () => {
  const { model, sent } = standIn({ text: 'It held.' });
  const reply = await askQuery(
    model,
    query({
      instructions: 'Read it twice.',
      outputs: [{ name: 'find-page', value: { page: 'north' } }],
      results: [{ tool: 'pages/read', input: { page: 'north' }, result: { text: 'The gate.' } }],
      tools: [{ name: 'pages.read', description: 'Reads a page.', inputSchema: { type: 'object' } }],
      schema: { type: 'string' },
    }),
    plenty(),
  );
  assert.deepEqual(reply, { kind: 'output', text: 'It held.' });
  const stage = [
    'Output of find-page:',
    '{"page":"north"}',
    'Read',
    'Read it twice.',
    'Return only JSON that matches this JSON Schema:',
    '{"type":"string"}',
  ].join('\n\n');
  assert.deepEqual(sent[0]?.messages, [
    { role: 'user', text: 'Read the page.' },
    { role: 'user', text: stage },
    { role: 'assistant', text: '', calls: [{ id: 'call_1', name: 'pages_read_2', input: { page: 'north' } }] },
    { role: 'results', results: [{ id: 'call_1', text: '{"text":"The gate."}' }] },
  ]);
  assert.deepEqual(
    sent[0].tools.map(({ name, tool: { name: own, description } }) => [name, own, description]),
    [['pages_read', 'pages.read', 'Reads a page.']],
    'a tool that was called before, but is not available now, is not offered',
  );
});

test('the reply to a query is the first call by its original name, or the output', async () => {
  const calls = ['pages_read', 'delete_all'].map((name) => ({ id: name, name, input: { page: name } }));
  const tools = [{ name: 'pages/read' }];
  const reply = (line: Line, more: Partial<ModelQuery> = {}) =>
    askQuery(standIn(line).model, query({ tools, ...more }), plenty());
  assert.deepEqual(await reply({ text: 'I call.', calls }), {
    ...{ kind: 'call', tool: 'pages/read', input: { page: 'pages_read' } },
  });
  const unknown = { kind: 'call', tool: 'delete_all', input: {} };
  assert.deepEqual(await reply(call('delete_all')), unknown, 'the run denies it');
  assert.equal(await reply({ text: ' \n' }), undefined);
  for (const name of ['__proto__', 'constructor']) {
    assert.deepEqual(await reply(call(name), { tools: [{ name }] }), { kind: 'call', tool: name, input: {} });
  }
});

test('a query that exceeds the remaining tokens is not sent', async () => {
  const { model, sent } = standIn({ text: 'Held.' });
  const budget = new Budget(50, (used, most) => `${used} of ${most}`);
  await askQuery(model, query({ tools: [] }), budget);
  assert.equal(budget.used, 'Read the page.[]'.length + 'Held.'.length);
  const long = query({ prompt: 'x'.repeat(28) });
  await assert.rejects(askQuery(model, long, budget), (error) => error instanceof ModelRunError);
  assert.equal(sent.length, 1);
});
