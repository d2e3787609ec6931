/** The order of messages: the server refuses a message in the wrong order, and continues. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { INITIALIZE, withRawServer } from './raw-server.ts';

const SYMBOLS = { method: 'workspace/symbol', params: { query: '' } };
const INVALID_REQUEST = -32600;

describe('the server', { concurrency: 2, timeout: 60_000 }, () => {
  it('refuses a request before `initialize`, and ignores a notification', () =>
    withRawServer(async ({ send, answer }) => {
      send({ id: 1, ...SYMBOLS }, { method: 'initialized', params: {} }, { id: 2, method: 'shutdown' }, INITIALIZE, {
        id: 3,
        ...SYMBOLS,
      });
      assert.equal((await answer(1)).error?.code, -32002);
      assert.equal((await answer(2)).error?.code, -32002);
      assert.ok((await answer('initialize')).result);
      assert.deepEqual((await answer(3)).result, []);
    }));

  it('refuses a second `initialize`, and continues', () =>
    withRawServer(async ({ send, answer }) => {
      send(INITIALIZE, { ...INITIALIZE, id: 2 }, { id: 3, ...SYMBOLS });
      assert.equal((await answer(2)).error?.code, INVALID_REQUEST);
      assert.deepEqual((await answer(3)).result, []);
    }));

  it('refuses an invalid `initialize`, and accepts the next one', () =>
    withRawServer(async ({ send, answer }) => {
      send(
        { ...INITIALIZE, id: 1, params: null },
        { ...INITIALIZE, id: 2, params: { capabilities: { general: { positionEncodings: 5 } } } },
        { ...INITIALIZE, id: 3, params: { capabilities: {}, workspaceFolders: [{ name: 'a' }] } },
        INITIALIZE,
      );
      assert.match(String((await answer(1)).error?.message), /`params`: Invalid type: Expected Object/);
      assert.match(String((await answer(2)).error?.message), /`params\.capabilities\.general\.positionEncodings`/);
      assert.match(String((await answer(3)).error?.message), /`params\.workspaceFolders\.0\.uri`/);
      assert.ok((await answer('initialize')).result);
    }));

  it('refuses requests after `shutdown`, and exits with 0 on `exit`', () =>
    withRawServer(async ({ send, answer, ended }) => {
      send(INITIALIZE, { id: 2, method: 'shutdown' }, { id: 3, ...SYMBOLS }, { id: 4, method: 'shutdown' });
      assert.deepEqual((await answer(2)).result, null);
      assert.equal((await answer(3)).error?.code, INVALID_REQUEST);
      assert.equal((await answer(4)).error?.code, INVALID_REQUEST);
      send({ method: 'textDocument/didClose', params: {} }, { method: 'exit' });
      assert.equal(await ended, 0);
    }));

  for (const [when, before] of [
    ['before `initialize`', []],
    ['without `shutdown`', [INITIALIZE]],
  ] as const) {
    it(`exits with 1 on \`exit\` ${when}`, () =>
      withRawServer(async ({ send, ended }) => {
        send(...before, { method: 'exit' });
        assert.equal(await ended, 1);
      }));
  }

  it('reads the workspace once, even after several `initialized` notifications', () =>
    withRawServer(async ({ send, answer }) => {
      const ready = { method: 'initialized', params: {} };
      send(INITIALIZE, ready, ready, ready, { id: 2, ...SYMBOLS });
      assert.deepEqual((await answer(2)).result, []);
    }));
});

describe('an invalid message', { concurrency: 2, timeout: 60_000 }, () => {
  it('that is not JSON is answered with an error, and the next message is read', () =>
    withRawServer(async ({ send, write, answer }) => {
      write('Content-Length: 9\r\n\r\n{"id": 1,');
      send(INITIALIZE);
      assert.equal((await answer(null)).error?.code, -32700);
      assert.ok((await answer('initialize')).result);
    }));

  it('that is not a request or notification is answered with an error', () =>
    withRawServer(async ({ send, write, answers, answer }) => {
      for (const body of ['null', '5', '[]', '[{"id":1}]', '{}', '{"id":{},"method":"a"}', '{"method":5,"id":7}']) {
        write(`Content-Length: ${body.length}\r\n\r\n${body}`);
      }
      send(INITIALIZE);
      await answer('initialize');
      assert.deepEqual(
        answers.map(({ id, error }) => [id, error?.code]),
        [...[null, null, null, null, null, null, 7].map((id) => [id, INVALID_REQUEST]), ['initialize', undefined]],
      );
    }));

  for (const header of ['Content-Length: many', 'No header at all', 'Length: 5']) {
    it(`with the header \`${header}\` ends the server with a reason`, () =>
      withRawServer(async ({ write, ended, stderr }) => {
        write(`${header}\r\n\r\n{"id":1}`);
        assert.equal(await ended, 1);
        assert.match(stderr(), /^The input cannot be read any further: /);
      }));
  }
});
