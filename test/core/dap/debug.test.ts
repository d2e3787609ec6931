/** A debug session: stops, motions, variables, breakpoints and answers (docs/debugging.md). */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { FIND, lineOf, openDebugging, TOP, visit } from './debugging.ts';

const at = (text: string, uri = TOP): number => lineOf(uri, text);

describe('the motions of a debug session', () => {
  it('step over, into and out of a composed skill, and back', async () => {
    const { start, go } = openDebugging();
    const entry = `${at('input_schema')} plan-visit: validate input`;
    const step = `${at('step: find-building')} plan-visit: skill`;
    assert.equal(await start(), `entry ${entry}`);
    assert.equal(await go('next'), `step ${step}`);
    assert.equal(await go('stepIn'), `step ${at('input_schema', FIND)} find-building: validate input`);
    assert.equal(await go('next'), `step ${at('**Read**', FIND)} find-building: plan`);
    assert.equal(await go('stepBack'), `step ${at('input_schema', FIND)} find-building: validate input`);
    assert.equal(await go('stepBack'), `step ${step}`);
    assert.equal(await go('next'), `step ${at('when:')} plan-visit: branch`);
    assert.equal(await go('stepBack'), `step ${step}`);
    assert.equal(await go('stepIn'), `step ${at('input_schema', FIND)} find-building: validate input`);
    assert.equal(await go('stepOut'), `step ${at('when:')} plan-visit: branch`);
    assert.equal(await go('reverseContinue'), `entry ${entry}`);
    assert.equal(await go('stepBack'), `entry ${entry}`);
  });

  it('continue to the interrupt, and to the end after the answer', async () => {
    const { start, go, send, events, output } = openDebugging();
    await start();
    assert.equal(await go('continue'), `interrupt ${at('before_exit')} plan-visit: check exit`);
    const { body } = events('stopped').at(-1) as DebugProtocol.StoppedEvent;
    assert.equal(body.description, 'Waiting at interrupt before_exit: Is it done?');
    assert.equal(await go('continue'), `interrupt ${at('before_exit')} plan-visit: check exit`, 'asks again');
    await assert.rejects(send('answer', { value: 'perhaps' }), /The answer must be a boolean\./);
    assert.equal(await go('answer', { value: true }), 'terminated');
    assert.equal(events('exited')[0]?.body.exitCode, 0);
    assert.match(output(), /\? before_exit at check_exit: Is it done\? {2}answer: true\n■ output_schema met/);
    await assert.rejects(send('next', { threadId: 1 }), /The run has ended/);
  });

  it('an answer in the Debug Console continues the step that the interrupt stopped', async () => {
    for (const expression of ['answer(true)', ' answer (true) ', 'answer true', 'answer(input.guest == "Ada")']) {
      const { start, go, send, events } = openDebugging();
      await start({}, [{ line: at('{note: string}') }]);
      await go('continue');
      await assert.rejects(send('evaluate', { expression: 'answer(', context: 'repl' }), /./);
      await send('evaluate', { expression, context: 'repl' });
      await send('threads');
      // dap-mode then asks for the frames of the next stop.
      assert.equal(events('continued').length, 1, expression);
      assert.equal(events('terminated').length, 1, expression);
    }
  });

  it('runs to the end without breakpoints if it is not debugged', async () => {
    const { start } = openDebugging((request) => visit({ ...request, answered: [true] }));
    assert.equal(await start({ noDebug: true }, [{ line: at('step: find-building') }]), 'terminated');
  });

  it('reports its position in the trace, also after a step back, a restart and an answer', async () => {
    const { start, go, send, moves } = openDebugging();
    await start();
    await go('next');
    await go('stepBack');
    assert.deepEqual(moves, ['run', 0, 1, 2, 1]);
    await send('restart', {});
    await go('continue');
    assert.deepEqual(moves.slice(5), ['run', 0, 1, 15]);
    await go('answer', { value: true });
    assert.deepEqual(moves.slice(9), ['run', 15]);
  });

  it('restarts with the newest arguments, and ends', async () => {
    const { start, go, send, isEnded, output } = openDebugging();
    await start();
    await go('next');
    const again = await go('restart', { arguments: { program: TOP, sample: 'eve', stopOnEntry: true } });
    assert.equal(again, `entry ${at('input_schema')} plan-visit: validate input`);
    await go('continue');
    assert.match(output(), /"Ada" is false/);
    assert.equal(await go('terminate'), 'terminated');
    await send('disconnect');
    assert.equal(isEnded(), true);
  });
});

describe('breakpoints of a debug session', () => {
  it('stop at steps, stages, tools and interrupts', async () => {
    const cases: readonly (readonly [string, string, string])[] = [
      [TOP, 'step: write-note', `${at('step: write-note')} plan-visit: skill`],
      [TOP, '- write-note', `${at('step: write-note')} plan-visit: skill`],
      [TOP, 'when:', `${at('when:')} plan-visit: branch`],
      [FIND, '**Name**', `${at('**Name**', FIND)} find-building: plan`],
      [FIND, 'tools:', `${at('tools:', FIND)} find-building: call tools`],
    ];
    for (const [uri, text, place] of cases) {
      const { start } = openDebugging();
      assert.equal(await start({ stopOnEntry: false }, [{ line: at(text, uri) }], uri), `breakpoint ${place}`);
    }
  });

  it('stop at the stage and at the call of its tool, or only at the one in the column', async () => {
    const line = at('**Read**', FIND);
    const column = '1. **Read** the page with #'.length;
    const { start, go, send } = openDebugging();
    const stage = `breakpoint ${line} find-building: plan`;
    const call = `breakpoint ${at('tools:', FIND)} find-building: call tools`;
    assert.equal(await start({ stopOnEntry: false }, [{ line }], FIND), stage);
    assert.equal(await go('continue'), call);
    assert.equal(await go('reverseContinue'), stage);
    const { breakpoints } = await send<DebugProtocol.BreakpointLocationsResponse['body']>('breakpointLocations', {
      source: { path: FIND },
      line,
    });
    assert.equal(breakpoints.length, 2);
    const other = openDebugging();
    assert.equal(await other.start({ stopOnEntry: false }, [{ line, column }], FIND), call);
  });

  it('move to the next line that can stop, or are not verified', async () => {
    const { start, send } = openDebugging();
    await start();
    const set = async (uri: string, ...given: readonly object[]) => {
      const args = { source: { path: uri }, breakpoints: given };
      const { breakpoints } = await send<DebugProtocol.SetBreakpointsResponse['body']>('setBreakpoints', args);
      return breakpoints.map(({ verified, line, message }) => (verified ? line : message));
    };
    const [moved, none] = await set(TOP, { line: at('execution:') }, { line: at('Use the doors') });
    assert.equal(moved, at('step: find-building'));
    assert.match(String(none), /^A run cannot stop here\./);
    assert.deepEqual(await set('file:///w/other.md', { line: 1 }), ['This run does not use this file.']);
    assert.match(String((await set(TOP, { line: 1, hitCondition: 'often' }))[0]), /^Invalid hit count\./);
  });

  it('have conditions, hit counts and log messages', async () => {
    const line = at('step: write-note');
    const stops = async (given: object): Promise<string> => {
      const { start } = openDebugging();
      return (await start({ stopOnEntry: false }, [{ line, ...given }])).replace(/ .*/, '');
    };
    assert.equal(await stops({ condition: 'guest == "Ada"' }), 'breakpoint');
    assert.equal(await stops({ condition: 'guest == "Eve"' }), 'interrupt');
    assert.equal(await stops({ condition: 'outputs["find-building"].building is endingwith "Mill"' }), 'breakpoint');
    assert.equal(await stops({ hitCondition: '1' }), 'breakpoint');
    assert.equal(await stops({ hitCondition: '> 1' }), 'interrupt');
    const { start, output } = openDebugging();
    const logs = [
      { line, logMessage: 'to {guest}' },
      { line, logMessage: '{{ guest | upper }}{% if input %}!{% endif %}' },
      { line, condition: 'gest', logMessage: 'never' },
      { line, logMessage: '{nobody} here' },
    ];
    await start({ stopOnEntry: false }, logs);
    assert.match(output(), /to Ada\nADA!\n.*`nobody`/);
    assert.match(output(), /The condition `gest` cannot be evaluated: .*Did you mean `guest`\?/);
  });

  it('stop at failures whose filter is on', async () => {
    const { start, go, send, events } = openDebugging();
    await start();
    await send('setExceptionBreakpoints', { filters: ['call'] });
    assert.equal(await go('continue'), `exception ${at('tools:', FIND)} find-building: call tools`);
    assert.deepEqual(await send<object>('exceptionInfo', { threadId: 1 }), {
      exceptionId: 'BUSY',
      description: '`read_page` failed with BUSY.',
      breakMode: 'always',
    });
    await send('setExceptionBreakpoints', { filters: ['mismatch'] });
    await go('continue');
    assert.equal(await go('answer', { value: false }), `exception ${at('name: plan-visit')} plan-visit: check exit`);
    assert.equal(await go('continue'), 'terminated');
    assert.equal(events('exited')[0]?.body.exitCode, 1);
  });
});

describe('the values of a stopped run', () => {
  it('are the state of each skill in the call stack', async () => {
    const { start, send, variables } = openDebugging();
    await start({ stopOnEntry: false }, [{ line: at('**Name**', FIND) }], FIND);
    const { stackFrames, totalFrames } = await send<DebugProtocol.StackTraceResponse['body']>('stackTrace', {
      threadId: 1,
    });
    assert.deepEqual(
      stackFrames.map(({ name, line, source }) => [name, line, source?.path]),
      [
        ['find-building: plan', at('**Name**', FIND), '/w/find-building.skill.md'],
        ['plan-visit: skill', at('step: find-building'), '/w/plan-visit.skill.md'],
      ],
    );
    assert.equal(totalFrames, 2);
    const page = await send<DebugProtocol.StackTraceResponse['body']>('stackTrace', {
      threadId: 1,
      startFrame: 1,
      levels: 1,
    });
    assert.equal(page.stackFrames[0]?.name, 'plan-visit: skill');
    const { scopes } = await send<DebugProtocol.ScopesResponse['body']>('scopes', { frameId: stackFrames[0]?.id });
    assert.deepEqual(
      scopes.map(({ name }) => name),
      ['Input', 'State', 'Prompt', 'Tools', 'Budget', 'Interrupts'],
    );
    assert.equal((await variables('Prompt')).get('text')?.value, '"Find the building."');
    const results = (await variables('Tools')).get('results');
    assert.deepEqual([results?.value, results?.indexedVariables], ['[1]', 1]);
    const child = async (parent: DebugProtocol.Variable | undefined, name: string) => {
      const args = { variablesReference: parent?.variablesReference };
      const { variables: all } = await send<DebugProtocol.VariablesResponse['body']>('variables', args);
      return all.find((one) => one.name === name);
    };
    const text = await child(await child(await child(results, '0'), 'result'), 'text');
    assert.equal(text?.value.length, 1_003, 'long values are cut');
    assert.equal((await variables('Input')).get('address')?.value, '"1 High Street"');
  });

  it('are pages of a long list', async () => {
    const { start, send } = openDebugging();
    await start({ parameters: { address: '', guest: 'Ada' }, sample: undefined });
    const { variablesReference, indexedVariables } = await send<DebugProtocol.EvaluateResponse['body']>('evaluate', {
      expression: 'range(5000) | list',
    });
    assert.equal(indexedVariables, 5_000);
    const page = { variablesReference, filter: 'indexed', start: 4_990, count: 100 };
    const { variables } = await send<DebugProtocol.VariablesResponse['body']>('variables', page);
    assert.deepEqual([variables.length, variables[0]?.name, variables[0]?.value], [10, '4990', '4990']);
  });

  it('change with `setVariable`, and what follows changes with them', async () => {
    const { start, go, send, variables, events, moves } = openDebugging();
    await start();
    await go('next');
    const { stackFrames } = await send<DebugProtocol.StackTraceResponse['body']>('stackTrace', { threadId: 1 });
    const { scopes } = await send<DebugProtocol.ScopesResponse['body']>('scopes', { frameId: stackFrames[0]?.id });
    const input = scopes.find(({ name }) => name === 'Input')?.variablesReference;
    const set = (name: string, value: string, variablesReference = input) =>
      send<DebugProtocol.SetVariableResponse['body']>('setVariable', { variablesReference, name, value });
    assert.equal((await set('guest', '"Eve"')).value, '"Eve"');
    assert.equal((await variables('Input')).get('guest')?.value, '"Eve"');
    assert.equal(events('invalidated').length, 1);
    assert.deepEqual(moves, ['run', 0, 1, 2, 'run', 4], 'the change is two events');
    assert.equal(await go('next'), `step ${at('when:')} plan-visit: branch`);
    assert.equal(await go('next'), `step ${at('{note: string}')} plan-visit: check exit`, 'the branch is not taken');
    await go('stepBack');
    const outputs = (await variables('State')).get('outputs')?.variablesReference;
    const { variables: steps } = await send<DebugProtocol.VariablesResponse['body']>('variables', {
      variablesReference: outputs,
    });
    assert.equal((await set('building', 'The Inn', steps[0]?.variablesReference)).value, '"The Inn"');
    const expression = 'outputs["find-building"].building ~ "!"';
    assert.equal((await send<DebugProtocol.EvaluateResponse['body']>('evaluate', { expression })).result, '"The Inn!"');
    await assert.rejects(set('guest', '{'), /Unknown variables reference/);
    const again = await variables('Input');
    assert.equal(again.get('guest')?.value, '"Eve"', 'the earlier change is kept');
  });

  it('are evaluated in a frame, and a failure names the nearest name', async () => {
    const { start, send } = openDebugging();
    await start({ stopOnEntry: false }, [{ line: at('**Read**', FIND) }], FIND);
    const { stackFrames } = await send<DebugProtocol.StackTraceResponse['body']>('stackTrace', { threadId: 1 });
    const evaluate = async (expression: string, frame: number) =>
      (await send<DebugProtocol.EvaluateResponse['body']>('evaluate', { expression, frameId: stackFrames[frame]?.id }))
        .result;
    assert.equal(await evaluate('address', 0), '"1 High Street"');
    assert.equal(await evaluate('guest', 1), '"Ada"');
    await assert.rejects(evaluate('adress', 0), /Did you mean `address`\?/);
    await assert.rejects(evaluate('guest', 0), /`guest`/);
  });
});
