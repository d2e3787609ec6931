import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createContext, runInContext } from 'node:vm';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly message?: string };
  readonly result?: { readonly capabilities?: object };
}

const SCRIPTS = 'https://scripts.test/dist/';

/** Starts a simulated browser worker with the server's first script; `told` receives each message from the server. */
function startWorker(told: (message: Message) => void) {
  const loaded: string[] = [];
  const listeners = new Map<string, (event: object) => void>();
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
  worker.addEventListener = (kind: string, listener: (event: object) => void) => listeners.set(kind, listener);
  worker.postMessage = told;
  worker.importScripts = (script: string) => {
    loaded.push(script);
    run(script.replace(SCRIPTS, ''));
  };
  run('server.js');
  const receive = worker.onmessage as (event: { readonly data: object }) => void;
  const initializationOptions = { coreScript: `${SCRIPTS}core.js` };
  const params = { processId: null, rootUri: null, capabilities: {}, initializationOptions };
  return {
    loaded,
    listeners,
    send: (data: object) => receive({ data: { jsonrpc: '2.0', ...data } }),
    initialize: { id: 1, method: 'initialize', params },
  };
}

const symbols = { id: 2, method: 'workspace/symbol', params: { query: '' } };

test('the bundles for the browser run in a worker without Node.js and without a DOM', async () => {
  const answers: Message[] = [];
  const scripts = await new Promise<readonly string[]>((resolve) => {
    const { loaded, send, initialize } = startWorker((message) => {
      if (message.id === undefined) return;
      // The core is loaded on demand, after the response.
      assert.equal(loaded.length, answers.length);
      answers.push(message);
      if (answers.length === 2) resolve(loaded);
    });
    send(initialize);
    setImmediate(send, symbols);
  });
  const [initialized, found] = answers;
  assert.ok(initialized?.result?.capabilities);
  assert.equal(JSON.stringify(found?.result), '[]');
  assert.deepEqual(scripts, [`${SCRIPTS}core.js`]);
});

test('the browser worker reports an uncaught error, and continues', async () => {
  const logged: string[] = [];
  let isPrevented = false;
  await new Promise<void>((resolve) => {
    const { listeners, send, initialize } = startWorker(({ id, method, params }) => {
      if (method === 'window/logMessage') logged.push(params?.message ?? '');
      if (id === 1) {
        const event = { error: new Error('no such thing'), preventDefault: () => (isPrevented = true) };
        listeners.get('error')?.(event);
        setImmediate(send, symbols);
      }
      if (id === 2) resolve();
    });
    send(initialize);
  });
  // An editor would end the server after an uncaught error.
  assert.ok(isPrevented);
  assert.match(logged.join('\n'), /Server error, please report it: Error: no such thing/);
});
