/** Debugging a run with a model: the model is asked only when a motion needs its reply (docs/debugging.md). */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { RunQuery, RunReply, RunRequest, RunResult } from '../../../server/src/protocol.ts';
import type { DebugHost } from '../../../server/src/services/debugging/launch.ts';
import { FIND, lineOf, openDebugging, TOP, visitWithModel } from './debugging.ts';

const at = (text: string, uri = TOP): number => lineOf(uri, text);

const read = `${at('**Read**', FIND)} find-building: plan`;
const call = `${at('[read_page]', FIND)} find-building: call tools`;
const name = `${at('**Name**', FIND)} find-building: plan`;

/** The replies of a model that calls its tool, and of the tool. */
const scripted = (query: RunQuery): RunReply => {
  if (query.kind === 'tool') return { kind: 'result', value: { text: 'A mill.' } };
  return query.path.endsWith('plan_1')
    ? { kind: 'call', tool: 'read_page', input: {} }
    : { kind: 'output', text: 'The Mill' };
};

/** Opens a session with a model. `asked` lists the queries so far. */
function openModel(
  reply: (query: RunQuery, signal: AbortSignal) => RunReply | Promise<RunReply> = scripted,
  { run = visitWithModel, ...host }: { run?: (request: RunRequest) => RunResult } & Pick<DebugHost, 'patience'> = {},
) {
  const asked: string[] = [];
  let told: () => void = () => {};
  const ask: DebugHost['ask'] = async (query, signal) => {
    asked.push(query.kind === 'model' ? query.path : query.tool);
    told();
    return reply(query, signal);
  };
  const client = openDebugging(run, undefined, { ask, ...host });
  /** Resolves at the next query. */
  const nextQuery = () =>
    new Promise<void>((resolve) => {
      told = resolve;
    });
  const start = (launch: object = {}, breakpoints: readonly DebugProtocol.SourceBreakpoint[] = [], uri = FIND) =>
    client.start({ mode: 'model', ...launch }, breakpoints, uri);
  return { ...client, start, asked, nextQuery };
}

it('a reply with very many levels fails, and the run goes on to handle the failure', async () => {
  const value = JSON.parse(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`);
  const requests: RunRequest[] = [];
  const run = (request: RunRequest): RunResult => {
    requests.push(request);
    return visitWithModel(request);
  };
  const { start } = openModel(() => ({ kind: 'call', tool: 'read_page', input: value }), { run });
  await start({ stopOnEntry: false });
  assert.deepEqual(requests.at(-1)?.replies, [
    { kind: 'failure', code: 'WRONG_REPLY', message: 'The reply is nested more than 200 levels deep.' },
  ]);
});

const never = () => new Promise<RunReply>(() => {});

describe('a run with a model', () => {
  it('asks only when a motion needs the reply', async () => {
    const { start, go, asked, output } = openModel();
    await start({ stopOnEntry: false }, [{ line: at('**Read**', FIND) }]);
    assert.deepEqual(asked, [], 'a breakpoint before the model stops before the query');
    assert.equal(await go('next'), `breakpoint ${call}`);
    assert.deepEqual(asked, ['find-building/plan_1']);
    assert.equal(await go('next'), `step ${name}`);
    assert.deepEqual(asked, ['find-building/plan_1', 'read_page']);
    assert.match(await go('continue'), /^interrupt /);
    assert.deepEqual(asked, ['find-building/plan_1', 'read_page', 'find-building/plan_2']);
    const text = output();
    assert.match(text, /Asking the model for Read \(4 tokens\)…\n/);
    assert.match(text, /Calling read_page…\n +· read_page\(\{slug: "a"\}\) → \{text: "A mill\."\} {2}\(tool\)\n/);
    assert.match(text, /→ "The Mill" {2}\(model\)\n/);
    assert.equal(await go('answer', { value: true }), 'terminated');
  });

  it('steps back without a query, and asks again after a changed value', async () => {
    const { start, go, send, asked } = openModel();
    await start({}, [{ line: at('**Read**', FIND) }, { line: at('**Name**', FIND) }]);
    for (const place of [read, call, name]) assert.equal(await go('continue'), `breakpoint ${place}`);
    for (const place of [call, read]) assert.equal(await go('reverseContinue'), `breakpoint ${place}`);
    assert.equal(await go('next'), `breakpoint ${call}`);
    assert.equal(asked.length, 2, 'the replies are known');
    const { stackFrames } = await send<DebugProtocol.StackTraceResponse['body']>('stackTrace', { threadId: 1 });
    const { scopes } = await send<DebugProtocol.ScopesResponse['body']>('scopes', { frameId: stackFrames[0]?.id });
    const { variablesReference } = scopes.find((one) => one.name === 'Input') ?? {};
    await send('setVariable', { variablesReference, name: 'address', value: '2 Low Street' });
    assert.equal(await go('continue'), `breakpoint ${name}`);
    assert.deepEqual(asked.slice(2), ['read_page'], 'the reply before the changed node is kept');
  });

  it('stops at a failure of the model, with the code of the reply', async () => {
    const failure: RunReply = { kind: 'failure', code: 'EMPTY_OUTPUT', message: 'The model returned no output.' };
    for (const [reply, code] of [
      [() => failure, 'EMPTY_OUTPUT'],
      [() => Promise.reject(new Error('no quota')), 'MODEL_FAILED'],
    ] as const) {
      const { start, send, go } = openModel(reply);
      assert.match(await start({ stopOnEntry: false }), /^exception /);
      const info = await send<DebugProtocol.ExceptionInfoResponse['body']>('exceptionInfo', { threadId: 1 });
      assert.equal(info.exceptionId, code);
      assert.equal(await go('continue'), 'terminated');
    }
  });

  it('fails if the model does not reply in time', async () => {
    const { start, send } = openModel(never, { patience: 1 });
    assert.match(await start({ stopOnEntry: false }), /^exception /);
    const info = await send<DebugProtocol.ExceptionInfoResponse['body']>('exceptionInfo', { threadId: 1 });
    assert.equal(info.exceptionId, 'TIMEOUT');
  });

  it('answers requests while the model is asked, and pauses and goes on', async () => {
    const signals: AbortSignal[] = [];
    let isHanging = true;
    const { start, go, send, nextQuery, asked } = openModel((query, signal) => {
      signals.push(signal);
      return isHanging ? never() : scripted(query);
    });
    await start();
    const query = nextQuery();
    await send('continue', { threadId: 1 });
    await query;
    await send('threads');
    await send('setBreakpoints', { source: { path: FIND }, breakpoints: [{ line: at('**Name**', FIND) }] });
    for (const [command, args] of [
      ['stackTrace', { threadId: 1 }],
      ['next', { threadId: 1 }],
      ['evaluate', { expression: 'guest' }],
      ['answer', { value: true }],
    ] as const) {
      await assert.rejects(send(command, args), /The run is not stopped\./, command);
    }
    assert.equal(await go('pause'), `pause ${read}`);
    assert.equal(signals[0]?.aborted, true);
    isHanging = false;
    assert.equal(await go('continue'), `breakpoint ${name}`, 'a breakpoint that was set meanwhile');
    assert.deepEqual(asked, ['find-building/plan_1', 'find-building/plan_1', 'read_page']);
  });

  it('ignores a reply that comes after the pause', async () => {
    let reply: (reply: RunReply) => void = () => {};
    const { start, go, send, nextQuery, asked } = openModel(
      () =>
        new Promise<RunReply>((resolve) => {
          reply = resolve;
        }),
    );
    await start();
    const query = nextQuery();
    await send('continue', { threadId: 1 });
    await query;
    const pausing = go('pause');
    reply({ kind: 'output', text: 'too late' });
    assert.equal(await pausing, `pause ${read}`);
    assert.equal(await go('stepBack'), `step ${read}`, 'steps back to the start of the node');
    assert.equal(asked.length, 1);
  });

  it('ends while the model is asked', async () => {
    for (const command of ['terminate', 'disconnect']) {
      let signal: AbortSignal | undefined;
      const { start, send, nextQuery, events, isEnded } = openModel((_, given) => {
        signal = given;
        return never();
      });
      await start();
      const query = nextQuery();
      await send('continue', { threadId: 1 });
      await query;
      await send(command);
      assert.equal(signal?.aborted, true, command);
      assert.equal(command === 'terminate' ? events('terminated').length === 1 : isEnded(), true, command);
    }
  });

  it('ends a model that calls tools without an end, at the limit of nodes', async () => {
    const run = (request: RunRequest): RunResult => {
      const { replies = [], maxSteps } = request;
      const whole = visitWithModel({ ...request, replies: [] });
      if (!whole.ok || whole.end.kind !== 'asking') return whole;
      const more = replies.flatMap(() => whole.events.slice(-1));
      const isOver = more.length >= maxSteps;
      const place = { path: 'find-building/plan_1', uri: FIND, span: { start: 4, end: 8 } };
      const failed = { kind: 'failed', code: 'STEP_LIMIT', message: 'The run has too many nodes.', ...place } as const;
      return { ...whole, events: [...whole.events, ...more], end: isOver ? failed : whole.end };
    };
    const { start, go, asked } = openModel(scripted, { run });
    await start({ maxSteps: 50 });
    assert.match(await go('continue'), /^exception /);
    assert.equal(asked.length, 50);
  });

  it('asks again after a restart', async () => {
    const { start, go, asked } = openModel();
    await start({}, [{ line: at('**Name**', FIND) }]);
    await go('continue');
    await go('restart');
    assert.equal(await go('continue'), `breakpoint ${name}`);
    assert.deepEqual(asked, ['find-building/plan_1', 'read_page', 'find-building/plan_1', 'read_page']);
  });

  it('reports a condition that fails everywhere once, and not before the whole run is known', async () => {
    const { start, go, output } = openModel();
    const breakpoint = { line: at('**Read**', FIND), condition: 'missing.name == 1' };
    await start({}, [breakpoint]);
    const reports = () => output().split('cannot be evaluated').length - 1;
    assert.equal(await go('stepIn').then(reports), 0);
    assert.match(await go('continue'), /^interrupt /);
    assert.equal(reports(), 1);
  });

  it('is not launched without a model, or with an unknown mode', async () => {
    const { send } = openDebugging(visitWithModel);
    await send('initialize', {});
    await assert.rejects(send('launch', { program: TOP, mode: 'model' }), /This debugger has no model\./);
    await assert.rejects(send('launch', { program: TOP, mode: 'wet' }), /Invalid `mode`/);
    await send('launch', { program: TOP, mode: 'dry' });
  });
});
