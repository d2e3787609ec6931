/** `skill-composer dap`, with the engine (docs/debugging.md). `test/core/dap` tests the session itself. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { test } from 'node:test';
import { DebugClient } from '@vscode/debugadapter-testsupport';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { DebugMove, RunQuery } from '../../server/src/protocol.ts';
import { CLI, folderWith } from './cli.ts';
import { runInProcess } from './in-process.ts';
import { withServer } from './server.ts';
import { until } from './until.ts';

const files = {
  'plan-visit.skill.md': `---
name: plan-visit
description: Plans a visit to one building. Use it before a scene is set there.
version: 1.0.0
input_schema: {address: string, guest: string}
output_schema: {building: string, note: string}
level: 2
composes:
  - find-building
  - write-note
execution:
  - step: find-building
  - step: write-note
    condition: $input.guest == "Ada"
    inputs: {building: $find-building.output.building, guest: $input.guest}
samples:
  ada: {parameters: {address: 1 High Street, guest: Ada}}
---

Use the doors as they were counted.
`,
  'find-building.skill.md': `---
name: find-building
description: Finds the building at an address. Use it when only the address is known.
version: 1.0.0
input_schema: {address: string}
output_schema: {building: string}
interrupts: [before_tool_call]
tools: [read_page]
---

Find the building.

## Approach: two passes

1. **Read** the page with #tool:read_page.
2. **Name** the building.
`,
  'write-note.skill.md': `---
name: write-note
description: Writes a note for a guest. Use it after the building is known.
version: 1.0.0
input_schema: {building: string, guest: string}
output_schema: {note: string}
---

Write a note to {{ guest }}.
`,
  'broken.skill.md': `---
name: broken
description: Has a template that fails. Use it to test errors.
version: 1.0.0
input_schema: {guest: string}
---

## PromptTemplate: main

Greet {{ gest }}.
`,
};

class Client extends DebugClient {
  readonly output: string[] = [];

  over(stdout: Readable, stdin: Writable): void {
    // On a loaded machine, the first run takes some seconds.
    this.defaultTimeout = 20_000;
    this.on('output', ({ body }: DebugProtocol.OutputEvent) => this.output.push(body.output));
    this.connect(stdout, stdin);
  }
}

async function withClient(
  body: (client: Client, folder: string) => Promise<void>,
  words: readonly string[] = [],
): Promise<void> {
  const folder = folderWith(files);
  const script = runInProcess(CLI, ['dap', ...words], { cwd: folder });
  const client = new Client('', '', 'skill');
  client.over(script.stdout, script.stdin);
  try {
    await body(client, folder);
    await client.disconnectRequest();
    assert.equal(await script.ended, 0);
  } finally {
    await script.dispose();
  }
}

/** Sends a motion, and returns the place of the next stop as `reason line label`. */
async function stop(client: Client, work: () => Promise<unknown>): Promise<string> {
  const [event] = await Promise.all([client.waitForEvent('stopped'), work()]);
  const { body } = await client.stackTraceRequest({ threadId: 1 });
  const [top] = body.stackFrames;
  return `${(event as DebugProtocol.StoppedEvent).body.reason} ${top?.line} ${top?.name}`;
}

const topFrame = async (client: Client): Promise<number> =>
  (await client.stackTraceRequest(thread)).body.stackFrames[0]?.id ?? 0;

const thread = { threadId: 1 };

test('runs a skill with breakpoints, steps, a changed value, an answer and a step back', async () => {
  await withClient(async (client, folder) => {
    const path = (name: string) => join(folder, name);
    const program = 'plan-visit.skill.md';
    const breakpoints = [
      { line: 13, condition: 'outputs["find-building"].building is defined' },
      { line: 12, logMessage: 'from {address}' },
    ];
    const set = async () => {
      await client.waitForEvent('initialized');
      const { body } = await client.setBreakpointsRequest({ source: { path: path(program) }, breakpoints });
      assert.deepEqual(
        body.breakpoints.map(({ verified, line }) => [verified, line]),
        [
          [true, 13],
          [true, 12],
        ],
      );
      await client.configurationDoneRequest();
    };
    const evaluate = async (expression: string, context = 'watch') =>
      (await client.evaluateRequest({ expression, context })).body.result;
    const begin = () => Promise.all([set(), client.launch({ program, stopOnEntry: true })]);
    assert.equal(await stop(client, begin), 'entry 5 plan-visit: Validate input');
    assert.equal(await stop(client, () => client.nextRequest(thread)), 'step 12 plan-visit: find-building');
    assert.ok(client.output.includes('from 1 High Street\n'));
    assert.equal(await stop(client, () => client.stepInRequest(thread)), 'step 5 find-building: Validate input');
    const { body } = await client.stackTraceRequest(thread);
    assert.deepEqual(
      body.stackFrames.map(({ source }) => source?.path),
      [path('find-building.skill.md'), path(program)],
    );
    const waiting = 'interrupt 7 find-building: Call tools';
    assert.equal(await stop(client, () => client.continueRequest(thread)), waiting);
    assert.equal(await stop(client, () => evaluate('answer(true)', 'repl')), waiting, 'the second stage calls it, too');
    const write = 'breakpoint 13 plan-visit: write-note';
    assert.equal(await stop(client, () => client.customRequest('answer', { value: true })), write);

    const { scopes } = (await client.scopesRequest({ frameId: await topFrame(client) })).body;
    const variablesIn = async (variablesReference = 0) =>
      (await client.variablesRequest({ variablesReference })).body.variables;
    const state = await variablesIn(scopes.find(({ name }) => name === 'State')?.variablesReference);
    const outputs = await variablesIn(state.find(({ name }) => name === 'outputs')?.variablesReference);
    const [step] = outputs;
    assert.equal(step?.name, 'find-building');
    const change = { variablesReference: step?.variablesReference ?? 0, name: 'building', value: '"The Mill"' };
    assert.equal((await client.setVariableRequest(change)).body.value, '"The Mill"');
    assert.match(await stop(client, () => client.stepInRequest(thread)), /^step 5 write-note: Validate input$/);
    assert.equal(await evaluate('building'), '"The Mill"');
    assert.equal(await stop(client, () => client.stepBackRequest(thread)), 'breakpoint 13 plan-visit: write-note');
    await Promise.all([client.waitForEvent('terminated'), client.continueRequest(thread)]);
    assert.match(client.output.join(''), /± .*"The Mill"/);
  });
});

test('a changed input changes the input of the steps that read it from the flow', async () => {
  await withClient(async (client) => {
    const program = 'plan-visit.skill.md';
    const begin = () =>
      Promise.all([
        client.waitForEvent('initialized').then(() => client.configurationDoneRequest()),
        client.launch({ program, stopOnEntry: true }),
      ]);
    await stop(client, begin);
    await stop(client, () => client.nextRequest(thread));
    const { scopes } = (await client.scopesRequest({ frameId: await topFrame(client) })).body;
    const variablesReference = scopes.find(({ name }) => name === 'Input')?.variablesReference ?? 0;
    await client.setVariableRequest({ variablesReference, name: 'address', value: '2 Low Street' });
    assert.equal(await stop(client, () => client.stepInRequest(thread)), 'step 5 find-building: Validate input');
    const { body } = await client.evaluateRequest({ expression: 'address', context: 'watch' });
    assert.equal(body.result, '"2 Low Street"');
  });
});

test('a skill that does not compose is not launched, and the Debug Console shows its errors', async () => {
  await withClient(async (client) => {
    await assert.rejects(client.launch({ program: 'broken.skill.md' }), /broken\.skill\.md:10:10: .*`gest`/);
    assert.match(client.output.join(''), /`gest`/);
    await assert.rejects(client.launchRequest({ program: 'missing.skill.md' } as object), /missing\.skill\.md/);
    await assert.rejects(
      client.launchRequest({ program: 'plan-visit.skill.md', sample: 'adda' } as object),
      /Did you mean `ada`\?/,
    );
  });
});

test('debugs a run with the model of `--runner`, without calling tools, and within its limit of requests', async () => {
  const runWith = (model: string, said: RegExp) =>
    withClient(
      async (client) => {
        client.on('stopped', ({ body }) => {
          if (body.reason === 'interrupt') void client.evaluateRequest({ expression: 'answer(true)', context: 'repl' });
        });
        const launch = { program: 'find-building.skill.md', parameters: { address: '1 High Street' }, mode: 'model' };
        const begin = client.waitForEvent('initialized').then(() => client.configurationDoneRequest());
        await Promise.all([begin, client.launch(launch as object)]);
        await until('the failure', async () => said.test(client.output.join('')));
      },
      ['--runner', `"${process.execPath}" -e 'process.stdout.write(${model})'`, '--max-runs', '1'],
    );
  await runWith(
    'JSON.stringify({call: "read_page"})',
    /Tools are not called\. Add the result of `read_page` under `stubs`/,
  );
  await runWith('"read"', /→ "read" {2}\(model\)(?:.|\n)*The limit of 1 request to the model is reached\. Increase/);
});

test('a process ends after `disconnect`, and when its input ends', async () => {
  const folder = folderWith(files);
  for (const ending of ['disconnect', 'input']) {
    const child = spawn(process.execPath, [CLI, 'dap'], { cwd: folder, stdio: 'pipe' });
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
    const client = new Client('', '', 'skill');
    client.over(child.stdout, child.stdin);
    child.stdin.write('Content-Length: 4\r\n\r\nnullContent-Length: 3\r\n\r\n{{{');
    await client.initializeRequest();
    const begun = performance.now();
    if (ending === 'disconnect') await client.disconnectRequest();
    else child.stdin.end();
    assert.equal(await ended, 0, ending);
    assert.ok(performance.now() - begun < 1_000, ending);
  }
});

test('the language server passes the messages of a session to its adapter', async () => {
  await withServer(files, async (server) => {
    const received: DebugProtocol.ProtocolMessage[] = [];
    server.connection.onNotification('skill/debugMessage', ({ session, message }) => {
      if (session === 'one') received.push(message);
    });
    const moves: (DebugMove | null)[] = [];
    server.connection.onNotification('skill/debugProgress', ({ session, progress }) => {
      if (session === 'one') moves.push(progress);
    });
    let seq = 0;
    const send = (command: string, args: object, session = 'one') =>
      server.connection.sendRequest('skill/debug', {
        session,
        message: { seq: ++seq, type: 'request', command, arguments: args },
      });
    const find = (name: string) =>
      received.find((one) => (one as DebugProtocol.Event).event === name) as DebugProtocol.Event | undefined;
    // The messages of two sessions that begin together are not mixed.
    void send('initialize', { adapterID: 'skill' }, 'two');
    await send('initialize', { adapterID: 'skill' });
    await send('launch', { program: server.uri('plan-visit.skill.md'), stopOnEntry: true });
    await until('the breakpoints to be requested', async () => find('initialized') !== undefined);
    await send('configurationDone', {});
    await until('the run to stop', async () => find('stopped') !== undefined);
    await send('stackTrace', thread);
    await until('the call stack', async () => received.some((one) => 'command' in one && one.command === 'stackTrace'));
    assert.match(JSON.stringify(received.at(-1)), /plan-visit: Validate input/);
    const [first, ...others] = moves;
    assert.ok(first && 'run' in first);
    const names = ['plan-visit', 'find-building', 'write-note'];
    assert.deepEqual(
      [first.past, first.sample, first.run.uri, first.files],
      [0, 'ada', server.uri('plan-visit.skill.md'), names.map((name) => server.uri(`${name}.skill.md`))],
    );
    assert.deepEqual(others, [{ past: 1 }]);
    await server.connection.sendRequest('skill/debug', { session: 'one' });
    await until('the end of the session', async () => moves.at(-1) === null);
    await assert.rejects(server.connection.sendRequest('skill/debug', { session: 'one', message: [] }), /message/);
  });
});

test('a session that begins before the workspace has been read finds all composed skills', async () => {
  const others = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [`a/other-${at}.skill.md`, `---\nname: other-${at}\n---\n`]),
  );
  await withServer({ ...others, ...files }, async ({ connection, uri, open }) => {
    await open('plan-visit.skill.md');
    const received: DebugProtocol.Response[] = [];
    connection.onNotification('skill/debugMessage', ({ message }) => void received.push(message));
    const send = (seq: number, command: string, args: object) =>
      connection.sendRequest('skill/debug', {
        session: 'one',
        message: { seq, type: 'request', command, arguments: args },
      });
    await send(1, 'initialize', { adapterID: 'skill' });
    await send(2, 'launch', { program: uri('plan-visit.skill.md') });
    const response = () => received.find(({ command }) => command === 'launch');
    await until('the response', () => response() !== undefined);
    assert.deepEqual([response()?.success, response()?.message], [true, undefined]);
  });
});

test('the language server requests the replies of a model from its client, and cancels the request', async () => {
  await withServer(files, async (server) => {
    const received: DebugProtocol.ProtocolMessage[] = [];
    server.connection.onNotification('skill/debugMessage', ({ message }) => void received.push(message));
    const asked: { readonly session: string; readonly query: RunQuery }[] = [];
    let isCancelled = false;
    server.connection.onRequest('skill/askModel', (params, token) => {
      asked.push(params);
      // The first request hangs until it is cancelled.
      if (asked.length > 1) return { kind: 'output', text: '{"note": "Hello, Ada."}' };
      return new Promise((resolve) => {
        token.onCancellationRequested(() => {
          isCancelled = true;
          resolve({ kind: 'output', text: 'too late' });
        });
      });
    });
    let seq = 0;
    const send = (command: string, args: object) =>
      server.connection.sendRequest('skill/debug', {
        session: 'one',
        message: { seq: ++seq, type: 'request', command, arguments: args },
      });
    const event = (name: string) =>
      until(name, async () => received.some((one) => 'event' in one && one.event === name));
    await send('initialize', { adapterID: 'skill' });
    await send('launch', { program: server.uri('write-note.skill.md'), mode: 'model' });
    await event('initialized');
    await send('configurationDone', {});
    await until('the model to be asked', async () => asked.length === 1);
    assert.equal(asked[0]?.session, 'one');
    assert.match(JSON.stringify(asked[0]?.query), /"prompt":".*Write a note to/);
    await send('pause', thread);
    await event('stopped');
    await until('the request to be cancelled', async () => isCancelled);
    await send('continue', thread);
    await event('terminated');
    assert.match(JSON.stringify(received), /Hello, Ada\..*\(model\)/);
  });
});
