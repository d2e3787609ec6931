/** A debug session in memory, with a client that records its messages, and traces that tests write by hand. */
import { strict as assert } from 'node:assert';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { createComposer } from '../../../server/src/composer/compose.ts';
import type { NodeKind } from '../../../server/src/composer/composition.ts';
import type { RunEvent, RunRequest, RunResult, RunState, Trace } from '../../../server/src/protocol.ts';
import { SkillDebugSession } from '../../../server/src/services/debugging/adapter.ts';
import type { DebugHost } from '../../../server/src/services/debugging/launch.ts';
import { runRequestFor } from '../../../server/src/services/testing/run-request.ts';

const composer = createComposer();

export const TOP = 'file:///w/plan-visit.skill.md';
export const FIND = 'file:///w/find-building.skill.md';

const files: Readonly<Record<string, string>> = {
  [TOP]: `---
name: plan-visit
description: Plans a visit to one building. Use it before a scene is set there.
version: 1.0.0
input_schema: {address: string, guest: string}
output_schema: {note: string}
level: 2
interrupts:
  - {name: before_exit, message: "Is it done?"}
composes:
  - find-building
  - write-note
execution:
  - step: find-building
  - when:
      - condition: $input.guest == "Ada"
        steps:
          - step: write-note
samples:
  ada: {parameters: {address: 1 High Street, guest: Ada}}
  eve: {parameters: {address: 2 High Street, guest: Eve}}
---

Use the doors as they were counted.
`,
  [FIND]: `---
name: find-building
description: Finds the building at an address. Use it when only the address is known.
version: 1.0.0
input_schema: {address: string}
output_schema: {building: string}
tools: [read_page]
---

Find the building.

## Approach: two passes

1. **Read** the page with #tool:read_page.
2. **Name** the building.
`,
  'file:///w/write-note.skill.yaml': `name: write-note
description: Writes a note for a guest.
version: 1.0.0
input_schema: {building: string, guest: string}
output_schema: {note: string}
`,
};

/** Returns the one-based line of a text in a file. */
export const lineOf = (uri: string, text: string): number => {
  const all = files[uri] ?? '';
  assert.ok(all.includes(text), text);
  return all.slice(0, all.indexOf(text)).split('\n').length;
};

const state = (more: Partial<RunState>): RunState => ({
  input: {},
  flow: {},
  outputs: {},
  results: [],
  output: null,
  ...more,
});

/** Returns the event of a node whose span begins at the text. */
function enter(
  path: string,
  node: NodeKind,
  [uri, text]: readonly [string, string],
  before: Partial<RunState>,
  more: Partial<Extract<RunEvent, { kind: 'enter' }>> = {},
): RunEvent {
  const start = (files[uri] ?? '').indexOf(text);
  assert.ok(start >= 0, text);
  const label = node.replace('_', ' ');
  return {
    kind: 'enter',
    path,
    node,
    label,
    uri,
    span: { start, end: start + text.length },
    state: state(before),
    ...more,
  };
}

/** Runs the skill as the engine does: with its patches and answers. */
export function visit({ compose, answered, patches, answers }: RunRequest): RunResult {
  const events: RunEvent[] = [];
  let entered = 0;
  const { parameters } = compose;
  let input = parameters;
  let outputs: RunState['outputs'] = {};
  const add = (...more: RunEvent[]) => {
    for (const event of more) {
      if (event.kind === 'enter') entered++;
      events.push(event);
    }
  };
  const patched = () => {
    for (const { entered: at, scope, path, value } of patches) {
      if (at !== entered) continue;
      const [name = '', field = ''] = path;
      if (scope === 'input') input = { ...input, [name]: value };
      if (scope === 'outputs') outputs = { ...outputs, [name]: { ...(outputs[name] as object), [field]: value } };
      events.push({ kind: 'patch', path: '', scope, name, value });
    }
  };
  const ended = (end: Trace['end']): RunResult => ({
    ok: true,
    events,
    end,
    path: ['find-building'],
    interrupts: [],
    assertions: { run: 0, passed: 0 },
  });
  const inner = { input: { address: input.address ?? null } };
  patched();
  add(enter('validate_input', 'validate_input', [TOP, '{address: string, guest'], { input }));
  patched();
  add(
    enter(
      'find_building',
      'skill',
      [TOP, 'find-building\n  - when'],
      { input, flow: input },
      { step: 'find-building' },
    ),
  );
  add(enter('find-building/validate_input', 'validate_input', [FIND, '{address: string}'], inner));
  const prompt = { prompt: { text: 'Find the building.', tokens: 4, artifacts: [] } };
  add(enter('find-building/plan_1', 'plan', [FIND, '1. **Read**'], inner, { step: 'Read', ...prompt }));
  const wanted = { tool: 'read_page', input: { slug: 'a' } };
  add(enter('find-building/call_tools_1', 'call_tools', [FIND, '[read_page]'], { ...inner, wanted }));
  add({ kind: 'call', path: 'find-building/call_tools_1', tool: 'read_page', input: wanted.input });
  add({ kind: 'failure', path: 'find-building/call_tools_1', tool: 'read_page', code: 'BUSY' });
  const result = { text: 'x'.repeat(2_000) };
  add({ kind: 'result', path: 'find-building/call_tools_1', tool: 'read_page', value: result, from: 'stub' });
  const results = [{ tool: 'read_page', input: wanted.input, result }];
  add(enter('find-building/plan_2', 'plan', [FIND, '2. **Name**'], { ...inner, results }, { step: 'Name' }));
  add(enter('find-building/check_exit', 'check_exit', [FIND, '{building: string}'], inner));
  outputs = { 'find-building': { building: 'The Mill' } };
  patched();
  add(enter('branch', 'branch', [TOP, 'when:'], { input, flow: { ...input, building: 'The Mill' }, outputs }));
  const holds = input.guest === 'Ada';
  add({ kind: 'condition', path: 'branch', condition: '$input.guest == "Ada"', holds, to: 'write_note' });
  if (holds)
    add(enter('write_note', 'skill', [TOP, 'write-note\nsamples'], { input, outputs }, { step: 'write-note' }));
  add(enter('check_exit', 'check_exit', [TOP, '{note: string}'], { input, outputs }));
  const known = answers.find(({ name }) => name === 'before_exit');
  const answer = known ? known.value : answered[0];
  if (answer === undefined || typeof answer !== 'boolean') {
    const start = (files[TOP] ?? '').indexOf('before_exit');
    const problem = answer === undefined ? {} : { problem: 'The answer must be a boolean.' };
    const question = {
      name: 'before_exit',
      path: 'check_exit',
      message: 'Is it done?',
      schema: { type: 'boolean' },
      ...problem,
    };
    return ended({ kind: 'waiting', question: { ...question, uri: TOP, span: { start, end: start + 11 } } });
  }
  add({ kind: 'interrupt', path: 'check_exit', name: 'before_exit', message: 'Is it done?', answer });
  if (answer) return ended({ kind: 'met', on: 'output_schema', output: { note: 'Done.' } });
  const code = 'OUTPUT_MISMATCH';
  return ended({
    kind: 'failed',
    code,
    message: 'The note is missing.',
    path: 'check_exit',
    uri: TOP,
    span: { start: 4, end: 8 },
  });
}

/**
 * Runs the skill with a model, as the engine does: `find-building` asks the model to plan twice, and calls its tool
 * between them. Each query needs a reply.
 */
export function visitWithModel(request: RunRequest): RunResult {
  const whole = visit(request);
  if (!request.replies || !whole.ok) return whole;
  const replies = [...request.replies];
  const events: RunEvent[] = [];
  const ended = (end: Trace['end']): RunResult => ({ ...whole, events, end });
  const failed = (path: string, { code, message }: { code: string; message: string }): RunResult =>
    ended({ kind: 'failed', code, message, path, uri: FIND, span: { start: 4, end: 8 } });
  for (const event of whole.events) {
    const { path } = event;
    // A tool of a model returns its reply, without the failed call of the dry run.
    if (event.kind === 'failure' || event.kind === 'result') continue;
    const used = request.replies.length - replies.length;
    events.push(event.kind === 'enter' ? { ...event, replies: used } : event);
    if (event.kind === 'call') {
      const reply = replies.shift();
      if (!reply) return ended({ kind: 'asking', query: { kind: 'tool', path, tool: event.tool, input: event.input } });
      if (reply.kind === 'failure') return failed(path, reply);
      const value = reply.kind === 'result' ? reply.value : null;
      events.push({ kind: 'result', path, tool: event.tool, value, from: 'tool' });
    }
    if (event.kind === 'enter' && event.node === 'plan') {
      const reply = replies.shift();
      const query = {
        label: event.step ?? '',
        prompt: 'Find the building.',
        tokens: 4,
        results: [],
        outputs: [],
        tools: [],
      };
      if (!reply) return ended({ kind: 'asking', query: { kind: 'model', path, ...query } });
      if (reply.kind === 'failure') return failed(path, reply);
      if (reply.kind === 'output') events.push({ kind: 'output', path, value: reply.text, from: 'model' });
    }
  }
  return ended(whole.end);
}

export interface Client {
  readonly session: SkillDebugSession;
  /** Sends a request. Resolves to the body, and rejects with the message of an error response. */
  readonly send: <Body = never>(command: string, args?: unknown) => Promise<Body>;
  /** Sends a motion, and returns the place at which the run then stops, as `reason line label`. */
  readonly go: (command: string, args?: object) => Promise<string>;
  /** Launches the skill, sets breakpoints, and returns the place of the first stop. */
  readonly start: (
    launch?: object,
    breakpoints?: readonly DebugProtocol.SourceBreakpoint[],
    uri?: string,
  ) => Promise<string>;
  readonly events: (name: string) => readonly DebugProtocol.Event[];
  /** The responses so far, in order. */
  readonly responses: () => readonly DebugProtocol.Response[];
  readonly output: () => string;
  /** Returns the values of the variables in a scope of the innermost frame, by name. */
  readonly variables: (scope: string) => Promise<ReadonlyMap<string, DebugProtocol.Variable>>;
  /** The number of past events after each move, and `run` before the number for each new trace. */
  readonly moves: readonly (number | 'run')[];
  readonly isEnded: () => boolean;
}

/** Each workspace is read once. Sessions do not change it. */
const workspaces = new WeakMap<object, Workspace>();

/** Opens a session on `files`, in which `run` runs the skill. */
export function openDebugging(
  run: (request: RunRequest) => RunResult | Promise<RunResult> = visit,
  texts = files,
  more: Partial<Pick<DebugHost, 'ask' | 'patience' | 'evaluate'>> = {},
): Client {
  const workspace = workspaces.get(texts) ?? new Workspace();
  if (!workspaces.has(texts)) {
    for (const [uri, text] of Object.entries(texts)) workspace.apply({ kind: 'text', uri, text });
    workspaces.set(texts, workspace);
  }
  let isEnded = false;
  const moves: (number | 'run')[] = [];
  let known: Trace | undefined;
  const session = new SkillDebugSession({
    prepare: async (launch) => ({
      ...(await runRequestFor(workspace.analysis, { ...launch, uri: launch.program }, async () => undefined)),
      text: (uri) => texts[uri],
    }),
    run: async (request) => run(request),
    evaluate: async (questions) => questions.map(composer.evaluate),
    moved: ({ trace }, past) => {
      moves.push(...(trace === known ? [] : (['run'] as const)), past);
      known = trace;
    },
    ended: () => {
      isEnded = true;
    },
    ...more,
  });
  const messages: DebugProtocol.ProtocolMessage[] = [];
  let waiting: (() => void)[] = [];
  session.onDidSendMessage((message) => {
    // As on the wire, later changes to the message do not count.
    messages.push(structuredClone(message) as DebugProtocol.ProtocolMessage);
    const all = waiting;
    waiting = [];
    for (const resume of all) resume();
  });
  const first = async <Found>(find: () => Found | undefined): Promise<Found> => {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => void waiting.push(resolve));
    }
  };
  let seq = 0;
  const send: Client['send'] = async <Body>(command: string, args?: unknown) => {
    seq++;
    const own = seq;
    session.handleMessage({ seq: own, type: 'request', command, arguments: args } as DebugProtocol.Request);
    const isOwn = (message: DebugProtocol.ProtocolMessage): message is DebugProtocol.Response =>
      message.type === 'response' && (message as DebugProtocol.Response).request_seq === own;
    const response = await first(() => messages.find(isOwn));
    if (!response.success) throw new Error(response.message);
    return response.body as Body;
  };
  const events: Client['events'] = (name) =>
    messages.filter(
      (one): one is DebugProtocol.Event => one.type === 'event' && (one as DebugProtocol.Event).event === name,
    );
  const stop = async (work: () => Promise<unknown>): Promise<string> => {
    const count = () => events('stopped').length + events('terminated').length;
    const before = count();
    await work();
    await first(() => (count() > before ? true : undefined));
    if (events('terminated').length > 0) return 'terminated';
    const { reason } = (events('stopped').at(-1) as DebugProtocol.StoppedEvent).body;
    const { stackFrames } = await send<DebugProtocol.StackTraceResponse['body']>('stackTrace', { threadId: 1 });
    const [top] = stackFrames;
    return `${reason} ${top?.line} ${top?.name}`;
  };
  return {
    session,
    send,
    events,
    responses: () => messages.filter((one): one is DebugProtocol.Response => one.type === 'response'),
    moves,
    isEnded: () => isEnded,
    go: (command, args = {}) => stop(() => send(command, { threadId: 1, ...args })),
    start: (launch = {}, breakpoints = [], uri = TOP) =>
      stop(async () => {
        await send('initialize', { adapterID: 'skill', supportsInvalidatedEvent: true });
        await send('launch', { program: TOP, sample: 'ada', stopOnEntry: true, ...launch });
        await first(() => events('initialized')[0]);
        await send('setBreakpoints', { source: { path: uri }, breakpoints });
        await send('setExceptionBreakpoints', { filters: ['mismatch', 'denied', 'failed'] });
        await send('configurationDone');
      }),
    output: () =>
      events('output')
        .map(({ body }) => (body as { readonly output: string }).output)
        .join(''),
    variables: async (scope) => {
      const { stackFrames } = await send<DebugProtocol.StackTraceResponse['body']>('stackTrace', { threadId: 1 });
      const { scopes } = await send<DebugProtocol.ScopesResponse['body']>('scopes', { frameId: stackFrames[0]?.id });
      const variablesReference = scopes.find(({ name }) => name === scope)?.variablesReference;
      const { variables } = await send<DebugProtocol.VariablesResponse['body']>('variables', { variablesReference });
      return new Map(variables.map((one) => [one.name, one]));
    },
  };
}
