/** Small limits of the authoring server; `mcp-disk.test.ts` tests the real limits in `npm run test:all`. */
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { PassThrough } from 'node:stream';
import { it } from 'node:test';
import { createComposing } from '../../server/src/hosts/composing/composing.ts';
import { openAuthoring } from '../../server/src/hosts/mcp/authoring.ts';
import { serve } from '../../server/src/hosts/mcp/serve.ts';
import { startNodeWorker } from '../../server/src/hosts/node/node-worker.ts';
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

it('ends the connection with a reason after a message that is larger than the limit', async () => {
  const input = new PassThrough();
  const load = () => Promise.reject(new Error('no call was made'));
  const ended = serve({ readOnly: true, load, input, output: new PassThrough(), maxMessageBytes: 1024 });
  input.write('x'.repeat(1025));
  assert.match(String(await ended), /maximum size/);
});
