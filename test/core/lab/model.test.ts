/** The model of the lab: its four protocols, its script, and its record (lab/README.md, "What a run is"). */
import { strict as assert } from 'node:assert';
import { after, before, describe, it } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Model, startModel } from '../../../server/src/services/observing/model/server.ts';

const CALL = { tool: 'skill', input: { name: 's01-plain' } };

/** For each protocol a request that offers the tool, and the same request after the tool has answered. */
const PROTOCOLS = {
  anthropic: {
    path: '/v1/messages?beta=true',
    body: { tools: [{ name: 'skill' }], messages: [{ role: 'user', content: 'hello' }] },
    result: { messages: [{ role: 'user', content: [{ type: 'tool_result', content: 'done' }] }] },
  },
  chat: {
    path: '/v1/chat/completions',
    body: {
      tools: [{ type: 'function', function: { name: 'skill' } }],
      messages: [{ role: 'user', content: 'hello' }],
    },
    result: { messages: [{ role: 'tool', content: 'done' }] },
  },
  responses: {
    path: '/v1/responses',
    body: { tools: [{ type: 'function', name: 'skill' }], input: [{ role: 'user', content: 'hello' }] },
    result: { input: [{ type: 'function_call_output', output: 'done' }] },
  },
  gemini: {
    path: '/v1beta/models/gemini:generateContent?key=none',
    body: { tools: [{ functionDeclarations: [{ name: 'skill' }] }], contents: [{ parts: [{ text: 'hello' }] }] },
    result: { contents: [{ parts: [{ functionResponse: { name: 'skill' } }] }] },
  },
} as const;

describe('the model of the lab', () => {
  let model: Model;
  before(async () => {
    model = await startModel();
  });
  after(() => model.close());

  const ask = async (path: string, body: object): Promise<string> =>
    (await fetch(`${model.url}${path}`, { method: 'POST', body: JSON.stringify(body) })).text();

  for (const [name, { path, body, result }] of Object.entries(PROTOCOLS)) {
    it(`calls a tool, then ends the conversation: ${name}`, async () => {
      model.follow([CALL]);
      const first = await ask(path, body);
      assert.match(first, /s01-plain/);
      assert.doesNotMatch(first, /LAB-ANSWER/);
      assert.match(await ask(path, { ...body, ...result }), /LAB-ANSWER/);
      assert.deepEqual(
        model.requests.map(({ protocol, tools, results }) => ({ protocol, tools, results })),
        [0, 1].map((results) => ({ protocol: name, tools: ['skill'], results })),
      );
    });

    it(`answers a request without tools with text: ${name}`, async () => {
      model.follow([CALL]);
      assert.match(await ask(path, { ...body, tools: [] }), /LAB-ANSWER/);
    });
  }

  it('streams events if a request asks for them', async () => {
    model.follow([]);
    const { path, body } = PROTOCOLS.chat;
    const reply = await ask(path, { ...body, stream: true });
    assert.match(reply, /^data: \{.*LAB-ANSWER/);
    assert.ok(reply.endsWith('data: [DONE]\n\n'), reply);
  });

  it('reads a compressed request', async () => {
    model.follow([]);
    const { path, body } = PROTOCOLS.chat;
    for (const [encoding, compress] of [
      ['gzip', gzipSync],
      ['br', brotliCompressSync],
    ] as const) {
      const headers = { 'content-encoding': encoding };
      const { status } = await fetch(`${model.url}${path}`, {
        method: 'POST',
        headers,
        body: new Uint8Array(compress(JSON.stringify(body))),
      });
      assert.equal(status, 200);
    }
    assert.deepEqual(
      model.requests.map(({ tools }) => tools),
      [['skill'], ['skill']],
    );
    assert.deepEqual(model.faults, []);
  });

  it('refuses a request that is not JSON, and names it', async () => {
    model.follow([]);
    const { path } = PROTOCOLS.chat;
    assert.equal((await fetch(`${model.url}${path}`, { method: 'POST', body: 'x=1' })).status, 400);
    assert.deepEqual(model.requests, []);
    assert.deepEqual(model.faults, [`${path}: The request is not JSON.`]);
  });

  it('does not hear a client of an earlier run', async () => {
    const { path, body } = PROTOCOLS.chat;
    const { url } = model;
    await model.renew();
    model.follow([]);
    await assert.rejects(fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) }));
    await ask(path, body);
    assert.equal(model.requests.length, 1);
  });

  it('names a path that it does not know', async () => {
    model.follow([]);
    assert.equal((await fetch(`${model.url}/v1/embeddings`, { method: 'POST', body: '{}' })).status, 404);
    assert.deepEqual(model.unknown, ['POST /v1/embeddings']);
    assert.deepEqual(model.requests, []);
  });
});
