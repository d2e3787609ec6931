import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';

interface Message {
  readonly id?: number;
  readonly result?: { readonly capabilities?: object };
}

test('the bundle for the browser answers in a worker, where there is neither Node nor a document', async () => {
  const answer = new Promise<Message>((resolve) => {
    const worker: Record<string, unknown> = {
      setTimeout,
      clearTimeout,
      queueMicrotask,
      performance,
      console,
      TextDecoder,
      TextEncoder,
    };
    worker.self = worker;
    worker.addEventListener = () => {};
    worker.postMessage = (message: Message) => {
      if (message.id === 1) resolve(message);
    };
    runInContext(readFileSync('dist/server.js', 'utf8'), createContext(worker));
    const receive = worker.onmessage as (event: { readonly data: object }) => void;
    const params = { processId: null, rootUri: null, capabilities: {} };
    receive({ data: { jsonrpc: '2.0', id: 1, method: 'initialize', params } });
  });
  assert.ok((await answer).result?.capabilities);
});
