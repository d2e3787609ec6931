import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';

interface Message {
  readonly id?: number;
  readonly result?: { readonly capabilities?: object };
}

const SCRIPTS = 'https://scripts.test/dist/';

test('the bundles for the browser answer in a worker, where there is neither Node nor a document', async () => {
  const loaded: string[] = [];
  const answers = new Promise<readonly Message[]>((resolve) => {
    const all: Message[] = [];
    const worker: Record<string, unknown> = {
      setTimeout,
      clearTimeout,
      queueMicrotask,
      performance,
      console,
      TextDecoder,
      TextEncoder,
      URL,
    };
    const context = createContext(worker);
    const run = (file: string): void => void runInContext(readFileSync(`dist/${file}`, 'utf8'), context);
    worker.self = worker;
    worker.addEventListener = () => {};
    worker.postMessage = (message: Message) => {
      if (message.id !== undefined) all.push(message);
      if (all.length === 2) resolve(all);
    };
    worker.importScripts = (script: string) => {
      loaded.push(script);
      // Only who needs the core loads it, after the answer.
      assert.equal(all.length, 1);
      run(script.replace(SCRIPTS, ''));
    };
    run('server.js');
    const receive = worker.onmessage as (event: { readonly data: object }) => void;
    const initializationOptions = { composeWorker: `${SCRIPTS}compose-worker.js` };
    const params = { processId: null, rootUri: null, capabilities: {}, initializationOptions };
    receive({ data: { jsonrpc: '2.0', id: 1, method: 'initialize', params } });
    setImmediate(receive, { data: { jsonrpc: '2.0', id: 2, method: 'workspace/symbol', params: { query: '' } } });
  });
  const [initialized, symbols] = await answers;
  assert.ok(initialized?.result?.capabilities);
  assert.equal(JSON.stringify(symbols?.result), '[]');
  assert.deepEqual(loaded, [`${SCRIPTS}core.js`]);
});
