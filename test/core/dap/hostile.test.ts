/** Requests that are wrong, too early or too late: each gets an error response, and the session goes on. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { Json } from '../../../server/src/languages/yaml/node.ts';
import type { RunRequest } from '../../../server/src/protocol.ts';
import { lineOf, openDebugging, TOP } from './debugging.ts';

const thread = { threadId: 1 };
const COMMANDS: readonly (readonly [string, object])[] = [
  ['setBreakpoints', { source: { path: TOP }, breakpoints: [{ line: 1 }] }],
  ['breakpointLocations', { source: { path: TOP }, line: 1 }],
  ['configurationDone', {}],
  ['restart', {}],
  ['stackTrace', thread],
  ['scopes', { frameId: 1 }],
  ['variables', { variablesReference: 1 }],
  ['setVariable', { variablesReference: 1, name: 'guest', value: '1' }],
  ['evaluate', { expression: 'guest' }],
  ['exceptionInfo', thread],
  ['answer', { value: true }],
  ...['continue', 'next', 'stepIn', 'stepOut', 'stepBack', 'reverseContinue'].map((name) => [name, thread] as const),
];

describe('a debug session', () => {
  it('refuses requests before `initialize` and before `launch`', async () => {
    for (const [command, args] of COMMANDS) {
      const { send } = openDebugging();
      await assert.rejects(send(command, args), /^Error: Send `initialize` first\.$/, command);
      await send('initialize', { adapterID: 'skill' });
      await assert.rejects(send(command, args), /^Error: Send `launch` first\.$/, command);
    }
  });

  it('refuses unknown IDs, wrong types and unknown requests', async () => {
    const { start, send } = openDebugging();
    await start();
    const wrong: readonly (readonly [string, unknown, RegExp])[] = [
      ['next', { threadId: 2 }, /Unknown thread 2\./],
      ['scopes', { frameId: 999 }, /Unknown frame 999\./],
      ['evaluate', { expression: 'guest', frameId: -1 }, /Unknown frame -1\./],
      ['variables', { variablesReference: 1e9 }, /Unknown variables reference/],
      ['variables', { variablesReference: 'one' }, /Invalid `variablesReference` of `variables`/],
      ['variables', { variablesReference: 0.5 }, /Invalid `variablesReference`/],
      ['setBreakpoints', { source: 'here' }, /Invalid `source`/],
      ['setBreakpoints', { source: { path: TOP }, breakpoints: [{ line: '1' }] }, /Invalid `breakpoints\.0\.line`/],
      ['setExceptionBreakpoints', {}, /Invalid `filters`/],
      ['next', [1], /Invalid `threadId`/],
      ['next', 'now', /Invalid `arguments`/],
      ['launch', { program: TOP }, /already launched/],
      ['initialize', {}, /already initialized/],
      ['gotoTargets', {}, /Unknown request `gotoTargets`\./],
      ['__proto__', {}, /Unknown request/],
      ['answer', { value: true }, /No interrupt waits for an answer\./],
      ['evaluate', { expression: 'answer(true)', context: 'repl' }, /No interrupt waits/],
      ['evaluate', { expression: '' }, /./],
      ['evaluate', { expression: 'x'.repeat(100_000) }, /./],
      ['exceptionInfo', thread, /not stopped at a failure/],
    ];
    for (const [command, args, message] of wrong) await assert.rejects(send(command, args), message, command);
    const { stackFrames } = await send<DebugProtocol.StackTraceResponse['body']>('stackTrace', thread);
    assert.equal(stackFrames.length, 1, 'the session goes on');
  });

  it('refuses values with very many levels, and names the cause', async () => {
    const deep = (levels: number): string => `${'['.repeat(levels)}1${']'.repeat(levels)}`;
    const problem = /The value has more than 500 levels\. Use fewer levels\./;
    for (const levels of [600, 5_000, 100_000]) {
      const { start, go, send, variables } = openDebugging();
      await start();
      await go('next');
      const { stackFrames } = await send<DebugProtocol.StackTraceResponse['body']>('stackTrace', thread);
      const { scopes } = await send<DebugProtocol.ScopesResponse['body']>('scopes', { frameId: stackFrames[0]?.id });
      const variablesReference = scopes.find(({ name }) => name === 'Input')?.variablesReference;
      await assert.rejects(send('setVariable', { variablesReference, name: 'guest', value: deep(levels) }), problem);
      assert.equal((await variables('Input')).get('guest')?.value, '"Ada"');
      assert.match(await go('continue'), /^interrupt /);
      const answer = { expression: `answer(${deep(levels)})`, context: 'repl' };
      await assert.rejects(send('evaluate', answer), problem);
      await assert.rejects(send('answer', { value: JSON.parse(deep(levels)) }), problem);
      await send('answer', { value: true });
    }
  });

  it('passes a parameter with very many levels on as an error of the composer', async () => {
    const nested = (levels: number): Json => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
    for (const levels of [600, 5_000, 100_000]) {
      const requests: RunRequest[] = [];
      const { send } = openDebugging((request) => {
        requests.push(request);
        return { ok: false, errors: [] };
      });
      await send('initialize', { adapterID: 'skill' });
      const parameters = { guest: nested(levels), address: '1 High Street' };
      await assert.rejects(send('launch', { program: TOP, parameters }), /The skill does not compose/);
      const compose = requests[0]?.compose;
      assert.deepEqual([compose?.tooDeep, Object.keys(compose?.parameters ?? {})], [['guest'], ['address']]);
    }
  });

  it('refuses to launch a file that is not a skill, and a wrong configuration', async () => {
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{ program: 'file:///w/other.md' }, /not a skill that can run/],
      [{}, /Invalid `program`/],
      [{ program: TOP, sample: 'adda' }, /Unknown sample `adda`\. Did you mean `ada`\?/],
      [{ program: TOP, parameters: [] }, /Invalid `parameters`/],
      [{ program: TOP, maxSteps: 0 }, /Invalid `maxSteps`/],
    ];
    const { send } = openDebugging();
    await send('initialize', { adapterID: 'skill' });
    for (const [launch, message] of wrong) await assert.rejects(send('launch', launch), message);
    await send('launch', { program: TOP });
  });

  it('reports the errors of a skill that does not compose, with their places', async () => {
    const error = { kind: 'MalformedTemplate', uri: TOP, span: { start: 4, end: 8 }, subject: 'main' } as const;
    const told = { message: 'The name `gest` is undefined.', suggestion: 'Did you mean `guest`?' };
    const { send, events } = openDebugging(() => ({ ok: false, errors: [{ ...error, ...told }] }));
    await send('initialize', { adapterID: 'skill' });
    const message = /^Error: The skill does not compose\. plan-visit\.skill\.md:2:1: The name `gest` is undefined\./;
    await assert.rejects(send('launch', { program: TOP }), message);
    const { body } = events('output')[0] as DebugProtocol.OutputEvent;
    assert.deepEqual([body.category, body.line, body.source?.name], ['stderr', 2, 'plan-visit.skill.md']);
  });

  it('survives messages that are not requests, and a run that fails', async () => {
    const { session, send } = openDebugging(() => Promise.reject(new Error('no worker')));
    for (const message of [null, 1, 'text', [], {}, { type: 'event' }, { type: 'response', request_seq: 1 }]) {
      session.handleMessage(message as never);
    }
    await send('initialize', { adapterID: 'skill' });
    await assert.rejects(send('launch', { program: TOP }), /no worker/);
  });

  it('stops where a motion began that fails, or ends before the first stop', async () => {
    const line = lineOf(TOP, 'step: write-note');
    const evaluate = () => Promise.reject(new Error('The worker was stopped.'));
    const { start, go, output } = openDebugging(undefined, undefined, { evaluate });
    const entry = await start({}, [{ line, condition: 'guest' }]);
    assert.match(await go('continue'), new RegExp(`^pause ${entry.replace('entry ', '')}$`));
    assert.match(output(), /The worker was stopped\./);
    const other = openDebugging(undefined, undefined, { evaluate });
    assert.equal(await other.start({ stopOnEntry: false }, [{ line, condition: 'guest' }]), 'terminated');
    assert.equal(other.events('exited')[0]?.body.exitCode, 1);
  });

  it('stops at `pause` also if a `cancel` follows', async () => {
    for (const args of [{}, { requestId: 1 }, { requestId: 'x' }, { progressId: 'x' }, null]) {
      const { start, send, go } = openDebugging();
      await start();
      const motion = go('continue');
      const answered = [send('pause', thread), send('cancel', args)];
      assert.match(await motion, /^pause /);
      await Promise.all(answered);
    }
  });

  it('cancels a request that has not begun, and no other request', async () => {
    const { start, send, session, responses } = openDebugging();
    await start();
    const before = responses().length;
    const request = (seq: number, command: string, args: object) =>
      session.handleMessage({ seq, type: 'request', command, arguments: args } as DebugProtocol.Request);
    request(100, 'threads', {});
    request(101, 'evaluate', { expression: 'guest' });
    request(102, 'setVariable', { variablesReference: 1, name: 'guest', value: '"Eve"' });
    request(103, 'cancel', { requestId: 102 });
    request(104, 'cancel', { requestId: 99 });
    await send('threads');
    assert.deepEqual(
      responses()
        .slice(before)
        .map(({ command, success, message }) => [command, success, message]),
      [
        ['cancel', true, undefined],
        ['cancel', true, undefined],
        ['threads', true, undefined],
        ['evaluate', true, undefined],
        ['setVariable', false, 'cancelled'],
        ['threads', true, undefined],
      ],
    );
  });

  it('goes on after a response that cannot be sent', async () => {
    const { start, send, session, output } = openDebugging();
    await start();
    const fail = () => {
      throw new Error('This response is too long.');
    };
    Object.defineProperty(session, 'sendResponse', { value: fail, configurable: true });
    session.handleMessage({ seq: 100, type: 'request', command: 'threads' } as DebugProtocol.Request);
    await new Promise(setImmediate);
    Reflect.deleteProperty(session, 'sendResponse');
    await send('threads');
    assert.match(output(), /This response is too long/);
  });

  it('ends with `disconnect` in every state, also while the skill runs', async () => {
    const states: readonly ((client: ReturnType<typeof openDebugging>) => Promise<unknown>)[] = [
      async () => {},
      ({ send }) => send('initialize', {}),
      async ({ send }) => {
        await send('initialize', {});
        void send('launch', { program: TOP });
      },
      ({ start }) => start(),
      ({ start }) => start({ stopOnEntry: false }),
    ];
    for (const enter of states) {
      const client = openDebugging();
      await enter(client);
      await client.send('disconnect');
      assert.equal(client.isEnded(), true);
    }
    const hanging = openDebugging(() => new Promise(() => {}));
    await hanging.send('initialize', {});
    void hanging.send('launch', { program: TOP });
    await hanging.send('disconnect');
    assert.equal(hanging.isEnded(), true);
  });

  it('shows control characters and long values of authors as text', async () => {
    const { start, send, variables } = openDebugging();
    const parameters = { address: `\u001b[31m${'a'.repeat(5_000)}\n`, guest: '\u202eAda', constructor: 'x' };
    await start({ sample: undefined, parameters });
    const input = await variables('Input');
    assert.match(input.get('address')?.value ?? '', /^"\\u001b\[31maaa.*…"$/);
    assert.ok((input.get('address')?.value.length ?? 0) < 1_100);
    assert.doesNotMatch(input.get('guest')?.value ?? '', /\u202e/);
    assert.equal(input.get('constructor')?.value, '"x"');
    const copied = { expression: 'address', context: 'clipboard' };
    assert.match((await send<DebugProtocol.EvaluateResponse['body']>('evaluate', copied)).result, /a{5000}/);
  });
});
