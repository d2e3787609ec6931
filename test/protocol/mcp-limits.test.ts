/** Small limits of the authoring server; `mcp-disk.test.ts` tests the real limits in `npm run test:all`. */
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { it } from 'node:test';
import { openAuthoring } from '../../server/src/frontends/mcp/authoring.ts';
import { serve } from '../../server/src/frontends/mcp/serve.ts';
import { createComposing } from '../../server/src/services/composing/composing.ts';
import { startNodeWorker } from '../../server/src/services/composing/node-worker.ts';
import { folderWith } from './cli.ts';
import { FILES, OUTLINE, textIn } from './mcp-files.ts';

it('refuses to write a file that would be larger than the limit', async () => {
  const folder = folderWith(FILES);
  const composing = createComposing(startNodeWorker(resolve('dist')));
  const authoring = openAuthoring({ root: folder, account: undefined, readOnly: false, maxFileBytes: 1024 }, composing);
  try {
    const call = async (name: string, given: object) => {
      const { signal } = new AbortController();
      const asked = { name, arguments: { skill: 'outline-scene', ...given }, signal, answer: undefined, canAsk: false };
      const reply = await authoring.call(asked);
      assert.ok(reply.kind === 'result');
      return reply.result;
    };
    const artifact = { kind: 'Description', name: 'more', content: 'word '.repeat(100) };
    const { reason, message } = await call('add_artifact', artifact);
    assert.equal(reason, 'invalid-content');
    assert.match(String(message), /would be larger than 0\.0009765625 MB/);
    assert.equal(textIn(folder, 'skills/outline-scene.skill.md'), OUTLINE);
    assert.ok((await call('add_artifact', { ...artifact, content: 'A word.' })).ok);
  } finally {
    authoring.dispose();
  }
});

it('refuses arguments with very many levels', async () => {
  const composing = createComposing(startNodeWorker(resolve('dist')));
  const root = folderWith(FILES);
  const authoring = openAuthoring({ root, account: undefined, readOnly: false }, composing);
  try {
    for (const levels of [600, 5_000, 100_000]) {
      const parameters = JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
      for (const name of ['compose_skill', 'update_skill']) {
        const { signal } = new AbortController();
        const given = { skill: 'outline-scene', parameters, fields: parameters };
        const reply = await authoring.call({ name, arguments: given, signal, answer: undefined, canAsk: false });
        assert.ok(reply.kind === 'result');
        assert.deepEqual(
          [reply.result.reason, reply.result.message],
          ['invalid-argument', 'The arguments are nested deeper than 100 levels. Flatten them.'],
        );
      }
    }
  } finally {
    authoring.dispose();
  }
});

it('ends the connection with a reason after a message that is larger than the limit', async () => {
  const input = new PassThrough();
  const load = () => Promise.reject(new Error('no call was made'));
  const ended = serve({ readOnly: true, load, input, output: new PassThrough(), maxMessageBytes: 1024 });
  input.write('x'.repeat(1025));
  assert.match(String(await ended), /maximum size/);
});

it('answers every request, also one that is not valid, and reads null as an absent value', async () => {
  const input = new PassThrough();
  const output = new PassThrough();
  const load = () => Promise.reject(new Error('no call was made'));
  const ended = serve({ readOnly: true, load, input, output });
  const expected = [
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":null}', 1, undefined],
    ['{"jsonrpc":"2.0","id":2,"method":"ping","params":{"_meta":null}}', 2, undefined],
    ['{"jsonrpc":"2.0","id":3,"method":"ping","params":[]}', 3, -32602],
    ['{"jsonrpc":"2.0","id":10,"method":"tools/list","params":{"cursor":5}}', 10, -32602],
    ['{"jsonrpc":"2.0","id":11,"method":"tools/list","params":{"cursor":null}}', 11, undefined],
    ['{"jsonrpc":"2.0","id":12,"method":"initialize","params":{}}', 12, -32602],
    ['{"jsonrpc":"2.0","id":13,"method":"tools/call","params":null}', 13, -32602],
    ['{"jsonrpc":"2.0","id":14,"method":"ping","params":{"_meta":{"progressToken":{}}}}', 14, -32602],
    ['{"jsonrpc":"2.0","id":15,"method":"ping","params":{"_meta":{"progressToken":null}}}', 15, undefined],
    [
      '{"jsonrpc":"2.0","id":16,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/related-task":5}}}',
      16,
      -32602,
    ],
    ['{"jsonrpc":"2.0","id":17,"method":"nope","params":null}', 17, -32601],
    ['{"jsonrpc":"2.0","id":4.5,"method":"ping"}', 4.5, -32600],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', null, -32600],
    ['{"jsonrpc":"1.0","id":5,"method":"ping"}', 5, -32600],
    ['{"jsonrpc":"2.0","id":6}', 6, -32600],
    ['[{"jsonrpc":"2.0","id":7,"method":"ping"}]', 7, -32600],
    ['[]', null, -32600],
    ['{', null, -32700],
    ['\u{1f600}', null, -32700],
    ['{"jsonrpc":"2.0","id":"last","method":"ping"}', 'last', undefined],
  ] as const;
  const initialize =
    '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}';
  const bytes = Buffer.from(
    `${[initialize, ...expected.map(([line]) => line)].join('\n')}\n\n{"jsonrpc":"2.0","method":"x","params":[]}\n`,
  );
  // The chunks cut lines and characters.
  for (let at = 0; at < bytes.length; at += 7) input.write(bytes.subarray(at, at + 7));
  const replies: { id: unknown; error?: { code: number } }[] = [];
  let text = '';
  for await (const chunk of output) {
    text += chunk;
    if (text.split('\n').length > expected.length + 1) break;
  }
  for (const line of text.trim().split('\n')) replies.push(JSON.parse(line));
  const sorted = (all: readonly (readonly [unknown, unknown])[]) => all.map((one) => JSON.stringify(one)).sort();
  assert.deepEqual(
    sorted(replies.map(({ id, error }) => [id, error?.code])),
    sorted([[0, undefined], ...expected.map(([, id, code]) => [id, code] as const)]),
  );
  input.end();
  await ended;
});
