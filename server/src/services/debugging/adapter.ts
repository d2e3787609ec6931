/**
 * A debug session over the Debug Adapter Protocol (docs/debugging.md). A run is deterministic, so the session has the
 * whole trace up to the end, to an interrupt without an answer or to a query of the model, and a cursor in it. Changed
 * values, answers and replies run the skill again. Every request gets a response, also if its handler fails.
 */
import {
  BreakpointEvent,
  ContinuedEvent,
  DebugSession,
  ExitedEvent,
  InitializedEvent,
  InvalidatedEvent,
  StoppedEvent,
  TerminatedEvent,
} from '@vscode/debugadapter/lib/debugSession.js';
import { Event, Response } from '@vscode/debugadapter/lib/messages.js';
import type { DebugProtocol } from '@vscode/debugprotocol';
import pc from 'picocolors';
import * as v from 'valibot';
import { URI } from 'vscode-uri';
import type { Evaluated, Evaluation } from '../../composer/compose.ts';
import type { FileSpan } from '../../composer/composition.ts';
import { isUserError, traceOf, UserError } from '../../io/user-error.ts';
import type { Json } from '../../languages/yaml/node.ts';
import type { RunQuery, RunReply, RunRequest, RunResult, Trace } from '../../protocol.ts';
import { endToPretty, traceLines } from '../../reports/run.ts';
import { type LineStarts, lineStartsOf, positionAt, showInvisible } from '../../text.ts';
import { oneAfterAnother } from '../one-after-another.ts';
import { consoleLines } from './console-lines.ts';
import {
  CAPABILITIES,
  composeProblem,
  type DebugHost,
  type GivenBreakpoint,
  type Launch,
  launchArguments,
  notifyMove,
  type PreparedRun,
  type Replay,
  sourceBreakpoint,
  uriOf,
} from './launch.ts';
import { askHost, queryLine } from './queries.ts';
import {
  alsoInFlow,
  assertShallow,
  type CallFrame,
  exceptionFilterOf,
  findHits,
  framesOf,
  type Hit,
  hitTest,
  isTarget,
  type Moment,
  type Motion,
  type PlacedBreakpoint,
  packagesOf,
  parsedJson,
  placesFor,
  positionsOf,
  type StopPlace,
  shownValue,
  stopPlaces,
  type TracePosition,
  typedValue,
  Variables,
  variablesOf,
  withChanges,
} from './replay.ts';

/** The maximum length of a value in the Debug Console, in UTF-16 code units. */
const LONGEST_COPY = 100_000;

interface SetBreakpoint extends PlacedBreakpoint {
  readonly given: GivenBreakpoint;
  places: readonly StopPlace[];
}

const THREAD = 1;
const PLAIN = pc.createColors(false);

const text = v.string();
const integer = v.pipe(v.number(), v.safeInteger());
const source = v.object({ path: v.optional(text) });
const ofThread = v.object({ threadId: integer });

/** A request with the schema of its arguments. */
interface Handler {
  readonly schema: v.GenericSchema;
  readonly answer: (args: never) => unknown;
}

export class SkillDebugSession extends DebugSession {
  readonly #host: DebugHost;
  readonly #handlers: ReadonlyMap<string, Handler>;
  #client: DebugProtocol.InitializeRequestArguments | undefined;
  #replay: Replay | undefined;
  /** The index of the current position; undefined before the first stop. */
  #cursor: number | undefined;
  /** True after the end of the run. */
  #isEnded = false;
  /** True after the end of the session, which then sends nothing. */
  #isClosed = false;
  /** Set by `pause` while a request runs. */
  #isPausing = false;
  /** The motion that an interrupt stopped, and where it began. */
  #stopped: { readonly motion: Motion; readonly from?: TracePosition | undefined } = { motion: 'continue' };
  /** Cancels the query that the host answers at the moment. The run then is not stopped, but requests are answered. */
  #asking: AbortController | undefined;
  /** The number of events whose lines are in the Debug Console. */
  #printed = 0;
  #breakpoints = new Map<string, SetBreakpoint[]>();
  #filters: readonly string[] = [];
  #hits: Promise<ReadonlyMap<number, Hit>> | undefined;
  #nextId = 1;
  readonly #variables = new Variables();
  #lines = new Map<string, LineStarts>();
  /** Requests run one after another. */
  readonly #inTurn = oneAfterAnother();
  /** The number of pieces of work that run or wait. */
  #busy = 0;
  /** The requests that have not begun. `cancel` removes one. */
  readonly #waiting = new Set<DebugProtocol.Request>();
  /** Work to do after the response to the current request. */
  #afterwards: (() => void | Promise<void>)[] = [];

  constructor(host: DebugHost) {
    super();
    this.#host = host;
    const on = <Schema extends v.GenericSchema>(
      command: string,
      schema: Schema,
      answer: (args: v.InferOutput<Schema>) => unknown,
    ): [string, Handler] => [command, { schema, answer: answer as Handler['answer'] }];
    const motion = (command: Motion) => on(command, ofThread, ({ threadId }) => this.#begin(command, threadId));
    const anything = v.unknown();
    this.#handlers = new Map([
      on('initialize', v.looseObject({}), (args) => this.#initialize(args as never)),
      on('launch', launchArguments, (args) => this.#launch(args)),
      on('restart', v.object({ arguments: v.optional(launchArguments) }), (args) => this.#restart(args.arguments)),
      on('configurationDone', anything, () => this.#configured()),
      on('setBreakpoints', v.object({ source, breakpoints: v.optional(v.array(sourceBreakpoint)) }), (args) =>
        this.#setBreakpoints(args.source.path ?? '', args.breakpoints ?? []),
      ),
      on('setFunctionBreakpoints', anything, () => ({ breakpoints: [] })),
      on('setExceptionBreakpoints', v.object({ filters: v.array(text) }), ({ filters }) => {
        this.#filters = filters;
      }),
      on('breakpointLocations', v.object({ source, line: integer, endLine: v.optional(integer) }), (args) =>
        this.#breakpointLocations(args.source.path ?? '', args.line, args.endLine ?? args.line),
      ),
      on('threads', anything, () => ({ threads: this.#replay ? [{ id: THREAD, name: this.#replay.name }] : [] })),
      on(
        'stackTrace',
        v.object({ ...ofThread.entries, startFrame: v.optional(integer), levels: v.optional(integer) }),
        (args) => this.#stackTrace(args.threadId, args.startFrame ?? 0, args.levels ?? 0),
      ),
      on('scopes', v.object({ frameId: integer }), ({ frameId }) => ({
        scopes: this.#variables.scopes(frameId, this.#moment),
      })),
      on(
        'variables',
        v.object({
          variablesReference: integer,
          filter: v.optional(text),
          start: v.optional(integer),
          count: v.optional(integer),
        }),
        ({ variablesReference, filter, start = 0, count = 0 }) => ({
          variables: this.#variables.page(variablesReference, this.#moment, filter, start, count),
        }),
      ),
      on('setVariable', v.object({ variablesReference: integer, name: text, value: text }), (args) =>
        this.#setVariable(args.variablesReference, args.name, args.value),
      ),
      on('evaluate', v.object({ expression: text, frameId: v.optional(integer), context: v.optional(text) }), (args) =>
        this.#evaluate(args.expression, args.frameId, args.context),
      ),
      on('exceptionInfo', ofThread, ({ threadId }) => this.#exceptionInfo(threadId)),
      on('answer', v.object({ value: anything }), async ({ value }) => {
        await this.#giveAnswer(value as Json);
      }),
      ...(['continue', 'next', 'stepIn', 'stepOut', 'stepBack', 'reverseContinue'] as const).map(motion),
    ]);
  }

  /** Ends the session without a response, for example because its client is gone. */
  end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#isEnded = true;
    this.#stopAsking();
    this.#host.ended();
  }

  override shutdown(): void {
    this.end();
  }

  override sendResponse(response: DebugProtocol.Response): void {
    if (!this.#isClosed) super.sendResponse(response);
  }

  override sendEvent(event: DebugProtocol.Event): void {
    if (!this.#isClosed) super.sendEvent(event);
  }

  override handleMessage(message: DebugProtocol.ProtocolMessage): void {
    if (typeof message !== 'object' || message === null || message.type !== 'request') return;
    this.dispatchRequest(message as DebugProtocol.Request);
  }

  protected override dispatchRequest(request: DebugProtocol.Request): void {
    const response = new Response({ ...request, seq: Number(request.seq) } as DebugProtocol.Request);
    const { command } = request;
    if (command === 'disconnect' || command === 'terminate') {
      const isRunning = !this.#isEnded;
      this.#isEnded = true;
      this.#stopAsking();
      this.sendResponse(response);
      if (command === 'terminate' && isRunning) this.sendEvent(new TerminatedEvent());
      if (command === 'disconnect') this.end();
      return;
    }
    if (command === 'cancel') {
      const { requestId } = (request.arguments ?? {}) as DebugProtocol.CancelArguments;
      for (const one of this.#waiting) if (one.seq === requestId) this.#waiting.delete(one);
      this.sendResponse(response);
      return;
    }
    if (command === 'pause') {
      const isAsking = this.#stopAsking();
      this.#isPausing = !isAsking && this.#busy > 0;
      this.sendResponse(response);
      const replay = this.#replay;
      const stop = () => {
        if (replay && replay === this.#replay) this.#stopAt(replay.positions.length - 1, 'pause', 'Paused');
      };
      if (isAsking) this.#enqueue(() => this.#attempt(stop));
      return;
    }
    this.#waiting.add(request);
    this.#enqueue(() => this.#respond(request, response));
  }

  #enqueue(work: () => Promise<void>): void {
    this.#busy++;
    void this.#inTurn(work)
      .catch((error: unknown) => this.#output('stderr', traceOf(error), {}))
      .finally(() => this.#busy--);
  }

  async #respond(request: DebugProtocol.Request, response: DebugProtocol.Response): Promise<void> {
    this.#afterwards = [];
    const isCancelled = !this.#waiting.delete(request);
    if (this.#isClosed) return;
    if (isCancelled) {
      // The protocol defines this message.
      this.sendResponse(Object.assign(response, { success: false, message: 'cancelled' }));
      return;
    }
    try {
      response.body = (await this.#handle(request)) ?? {};
      this.sendResponse(response);
    } catch (error) {
      const message = isUserError(error) ? error.message : `Internal error, please report it: ${traceOf(error)}`;
      this.#refuse(response, message);
    }
    for (const work of this.#afterwards) await this.#attempt(work);
  }

  /** Does work that has no response. Shows its error in the Debug Console. */
  async #attempt(work: () => void | Promise<void>): Promise<void> {
    try {
      if (!this.#isEnded) await work();
    } catch (error) {
      this.#output('stderr', isUserError(error) ? error.message : traceOf(error), {});
      // A motion that fails stops where it began, or else ends the session, so that it does not seem to go on.
      if (this.#cursor !== undefined) this.#stopAt(this.#cursor, 'pause', 'Paused after an error');
      else this.#terminate(1);
    }
  }

  async #handle({ command, arguments: given }: DebugProtocol.Request): Promise<unknown> {
    const handler = this.#handlers.get(command);
    if (!handler) throw new UserError(`Unknown request \`${showInvisible(String(command)).slice(0, 100)}\`.`);
    if (!this.#client && command !== 'initialize') throw new UserError('Send `initialize` first.');
    const parsed = v.safeParse(handler.schema, given ?? {});
    if (!parsed.success) {
      const [{ message }] = parsed.issues;
      const path = v.getDotPath(parsed.issues[0]) ?? 'arguments';
      throw new UserError(`Invalid \`${showInvisible(path)}\` of \`${command}\`: ${showInvisible(message)}.`);
    }
    return handler.answer(parsed.output as never);
  }

  /** Sends an error response. Messages of `launch` and of motions are shown to the user. */
  #refuse(response: DebugProtocol.Response, message: string): void {
    const showUser = ['launch', 'restart', 'continue', 'next'].includes(response.command);
    response.success = false;
    response.message = message;
    // Without `variables`, clients do not replace braces in the message.
    response.body = { error: { id: 1, format: message, showUser } };
    this.sendResponse(response);
  }

  #later(work: () => void | Promise<void>): void {
    this.#afterwards.push(work);
  }

  // Start and end.

  #initialize(client: DebugProtocol.InitializeRequestArguments): DebugProtocol.Capabilities {
    if (this.#client) throw new UserError('The session is already initialized.');
    this.#client = client;
    return CAPABILITIES;
  }

  async #launch(launch: Launch): Promise<void> {
    if (this.#replay) throw new UserError('The session is already launched.');
    await this.#prepare(launch);
    // Breakpoints can only be located after the files of the skill are known.
    this.#later(() => this.sendEvent(new InitializedEvent()));
  }

  async #restart(given: Launch | undefined): Promise<void> {
    const launch = given ?? this.#replay?.launch;
    if (!launch || !this.#replay) throw new UserError('Send `launch` first.');
    this.#stopAsking();
    await this.#prepare(launch);
    this.#isEnded = false;
    for (const [uri, breakpoints] of this.#breakpoints) {
      for (const one of breakpoints) {
        one.places = this.#placesOf(uri, one.given);
        const event = new BreakpointEvent('changed', this.#shownBreakpoint(uri, one));
        this.#later(() => this.sendEvent(event));
      }
    }
    this.#configured();
  }

  /** Runs the skill, and moves the cursor before the first position. Throws if the skill does not compose. */
  async #prepare(launch: Launch): Promise<void> {
    if (launch.mode === 'model' && !this.#host.ask) {
      throw new UserError('This debugger has no model. Use `"mode": "dry"`, or start `skill-composer dap --runner`.');
    }
    const prepared = await this.#host.prepare(launch);
    this.#lines.clear();
    const request = { ...prepared.request, detailed: true };
    const result = await this.#run(request);
    if (!result.ok) {
      for (const error of result.errors) {
        this.#output('stderr', `${error.message} ${error.suggestion}`, this.#located(error, prepared));
      }
      throw new UserError(composeProblem(result.errors, prepared));
    }
    this.#cursor = undefined;
    this.#printed = 0;
    this.#take({ ...prepared, request, launch }, result);
    notifyMove(this.#host, this.#replay);
  }

  async #run(request: RunRequest): Promise<RunResult> {
    const result = await this.#host.run(request);
    if (result === 'superseded') throw new UserError('The run was stopped.');
    return result;
  }

  #take(prepared: PreparedRun & { readonly launch: Launch }, trace: Trace): void {
    this.#replay = { ...prepared, trace, positions: positionsOf(trace), lines: traceLines(trace.events, PLAIN) };
    this.#hits = undefined;
  }

  #configured(): void {
    const { launch } = this.#launched();
    this.#later(() => {
      if (launch.stopOnEntry && !launch.noDebug) return this.#stopAt(0, 'entry', 'Paused on entry');
      return this.#move('continue', undefined);
    });
  }

  #launched(): Replay {
    if (!this.#replay) throw new UserError('Send `launch` first.');
    if (this.#isEnded) throw new UserError('The run has ended. Restart it, or step back before its end.');
    return this.#replay;
  }

  /** Returns the current position. Throws if the run is not stopped, or the thread is unknown. */
  #paused(threadId = THREAD): { readonly replay: Replay; readonly cursor: number; readonly position: TracePosition } {
    const replay = this.#launched();
    const position = this.#cursor === undefined ? undefined : replay.positions[this.#cursor];
    if (threadId !== THREAD) throw new UserError(`Unknown thread ${threadId}.`);
    if (this.#cursor === undefined || !position || this.#asking) throw new UserError('The run is not stopped.');
    return { replay, cursor: this.#cursor, position };
  }

  // Motions.

  #begin(motion: Motion, threadId: number): object {
    const { position } = this.#paused(threadId);
    this.#later(() => this.#move(motion, position));
    return motion === 'continue' ? { allThreadsContinued: true } : {};
  }

  /** Moves the cursor to the next stop. `first` is the index of the first position that can stop. */
  async #move(motion: Motion, from: TracePosition | undefined, first?: number): Promise<void> {
    const { positions, launch, trace } = this.#launched();
    const isBack = motion === 'stepBack' || motion === 'reverseContinue';
    this.#hits ??= this.#findHits();
    const hits = await this.#hits;
    if (this.#isEnded) return;
    this.#stopped = { motion, from };
    const pausing = this.#isPausing;
    this.#isPausing = false;
    const step = isBack ? -1 : 1;
    for (let at = first ?? (this.#cursor ?? -1) + step; at >= 0 && at < positions.length; at += step) {
      const position = positions[at] as TracePosition;
      const hit = launch.noDebug ? undefined : hits.get(at);
      if (!isBack) {
        this.#printUntil(position.event);
        for (const line of hit?.logs ?? []) this.#output('console', line, this.#located(position.frame.at));
        if (this.#stopAtException(at)) return;
        if (position.kind === 'end' && !(pausing && trace.end.kind === 'asking')) return this.#reachEnd(at);
      }
      if (hit && hit.ids.length > 0)
        return this.#stopAt(at, 'breakpoint', 'Paused on breakpoint', { hitBreakpointIds: hit.ids });
      if (isTarget(motion, from, position)) return this.#stopAt(at, 'step', 'Paused on step');
      if (pausing && (position.kind === 'node' || position.kind === 'end')) return this.#stopAt(at, 'pause', 'Paused');
    }
    if (isBack) return this.#stopAt(0, 'entry', 'Paused on entry');
    return this.#reachEnd(positions.length - 1);
  }

  /** Stops at a failure whose filter is on. Returns whether the position is one. */
  #stopAtException(at: number): boolean {
    const { positions, launch } = this.#launched();
    const position = positions[at];
    const filter = position && exceptionFilterOf(position);
    const isWanted = filter !== undefined && !launch.noDebug && this.#filters.includes(filter);
    const failure = isWanted ? position?.failure : undefined;
    if (failure) this.#stopAt(at, 'exception', `Paused on ${failure.code}`, { text: failure.message });
    return failure !== undefined;
  }

  /** Stops at an interrupt, asks for a reply, or ends the session. */
  #reachEnd(at: number): void {
    const { trace, positions } = this.#launched();
    if (trace.end.kind === 'asking') {
      this.#ask(trace.end.query, at);
      return;
    }
    const question = positions[at]?.question;
    if (question) {
      const { name, message, schema, problem } = question;
      const shownMessage = message === undefined ? '' : `: ${showInvisible(message)}`;
      this.#stopAt(at, 'interrupt', `Waiting at interrupt ${name}${shownMessage}`, {
        text: message ?? name,
        question: { name, message, schema, problem },
      });
      return;
    }
    const { end } = trace;
    const place = end.kind === 'failed' ? this.#located(end) : {};
    const lines = endToPretty(end, () => undefined, PLAIN)
      .trimEnd()
      .split('\n');
    for (const line of lines) this.#output(end.kind === 'met' ? 'stdout' : 'stderr', line, place);
    this.#terminate(end.kind === 'met' ? 0 : 1);
  }

  #terminate(exitCode: number): void {
    this.#isEnded = true;
    this.sendEvent(new ExitedEvent(exitCode));
    this.sendEvent(new TerminatedEvent());
  }

  /** Asks the model or calls a tool, while requests are answered. After the reply, the motion goes on at `at`. */
  #ask(query: RunQuery, at: number): void {
    const replay = this.#launched();
    const { ask, patience } = this.#host;
    const end = replay.positions[at];
    if (!ask || !end) return;
    this.#output('console', queryLine(query), this.#located(end.frame.at));
    notifyMove(this.#host, replay, at);
    const asking = new AbortController();
    this.#asking = asking;
    const { motion, from } = this.#stopped;
    const goOn = async (reply: RunReply): Promise<void> => {
      if (this.#asking !== asking) return;
      this.#asking = undefined;
      const request = { ...replay.request, replies: [...(replay.request.replies ?? []), reply] };
      const result = await this.#run(request);
      if (!result.ok) throw new UserError(composeProblem(result.errors, replay));
      this.#take({ ...replay, request }, result);
      await this.#move(motion, from, at);
    };
    void askHost(ask, query, asking.signal, patience).then((reply) =>
      this.#enqueue(() => this.#attempt(() => goOn(reply))),
    );
  }

  /** Cancels the query that the host answers. Returns whether there was one. */
  #stopAsking(): boolean {
    const asking = this.#asking;
    this.#asking = undefined;
    asking?.abort();
    return asking !== undefined;
  }

  #stopAt(at: number, reason: string, description: string, more: object = {}): void {
    this.#cursor = at;
    this.#variables.clear();
    this.#printUntil(this.#launched().positions[at]?.event ?? 0);
    notifyMove(this.#host, this.#replay, this.#cursor);
    const event = new StoppedEvent(reason, THREAD) as DebugProtocol.StoppedEvent;
    event.body = { ...event.body, description, allThreadsStopped: true, ...more };
    this.sendEvent(event);
  }

  // Breakpoints.

  #setBreakpoints(path: string, given: readonly GivenBreakpoint[]): object {
    this.#launched();
    const uri = uriOf(path);
    const breakpoints = given.map(
      (one): SetBreakpoint => ({ id: this.#nextId++, given: one, places: this.#placesOf(uri, one) }),
    );
    this.#breakpoints.set(uri, breakpoints);
    this.#hits = undefined;
    return { breakpoints: breakpoints.map((one) => this.#shownBreakpoint(uri, one)) };
  }

  #stopPlaces(uri: string): readonly StopPlace[] | undefined {
    const { request } = this.#launched();
    const skillPackage = packagesOf(request.compose.skillPackage).get(uri);
    return skillPackage && stopPlaces(skillPackage, this.#linesOf(uri));
  }

  #placesOf(uri: string, { line, column, hitCondition }: GivenBreakpoint): readonly StopPlace[] {
    if (hitCondition !== undefined && !hitTest(hitCondition)) return [];
    const character = column === undefined ? undefined : column - this.#firstColumn;
    return placesFor(this.#stopPlaces(uri) ?? [], line - this.#firstLine, character);
  }

  #shownBreakpoint(uri: string, { id, given, places }: SetBreakpoint): DebugProtocol.Breakpoint {
    const [first] = places;
    if (first) {
      const column = given.column === undefined ? {} : { column: first.character + this.#firstColumn };
      return { id, verified: true, line: first.line + this.#firstLine, ...column };
    }
    const { hitCondition } = given;
    if (hitCondition !== undefined && !hitTest(hitCondition)) {
      return { id, verified: false, message: 'Invalid hit count. Write a number, or for example `>= 3` or `% 2`.' };
    }
    const message = this.#stopPlaces(uri)
      ? 'A run cannot stop here. Choose the line of a step, a stage, an interrupt or a tool.'
      : 'This run does not use this file.';
    return { id, verified: false, message };
  }

  #breakpointLocations(path: string, from: number, to: number): DebugProtocol.BreakpointLocationsResponse['body'] {
    const breakpoints = (this.#stopPlaces(uriOf(path)) ?? []).map(({ line, character }) => ({
      line: line + this.#firstLine,
      column: character + this.#firstColumn,
    }));
    return { breakpoints: breakpoints.filter(({ line }) => line >= from && line <= to) };
  }

  async #findHits(): Promise<ReadonlyMap<number, Hit>> {
    const breakpoints = [...this.#breakpoints.values()].flat();
    const { hits, failures } = await findHits(this.#launched().positions, breakpoints, (all) => this.#evaluateAll(all));
    // A condition that fails everywhere so far can hold later.
    if (this.#launched().trace.end.kind === 'asking') return hits;
    for (const { place, message } of failures) {
      this.#output('stderr', message, { source: this.#sourceOf(place.uri), line: place.line + this.#firstLine });
    }
    return hits;
  }

  // The stopped run.

  get #moment(): Moment {
    const { replay, position } = this.#paused();
    return { events: replay.trace.events, maxSteps: replay.request.maxSteps, position };
  }

  #stackTrace(threadId: number, start: number, levels: number): DebugProtocol.StackTraceResponse['body'] {
    const frames = framesOf(this.#paused(threadId).position);
    const first = Math.max(0, start);
    const wanted = frames.slice(first, levels > 0 ? first + levels : undefined);
    const stackFrames = wanted.map(({ skill, label, at }, index): DebugProtocol.StackFrame => {
      const name = showInvisible(`${skill.at(-1) ?? this.#launched().name}: ${label}`);
      return { id: this.#variables.idOfFrame(first + index), name, line: 0, column: 0, ...this.#located(at) };
    });
    return { stackFrames, totalFrames: frames.length };
  }

  async #setVariable(reference: number, name: string, word: string): Promise<object> {
    const { replay, position } = this.#paused();
    const { content, container } = this.#variables.content(reference, this.#moment);
    const shown = content.find((one) => showInvisible(one.name) === name);
    if (!shown) throw new UserError(`Unknown variable \`${name}\`.`);
    if (!shown.patch) throw new UserError(`\`${name}\` cannot be changed here.`);
    const value = typedValue(word, shown.value);
    assertShallow(value);
    const changes = [shown.patch, ...alsoInFlow(replay.request.compose.skillPackage, position.frame, shown.patch)];
    const changed = withChanges(replay.request, replay.trace.events, position, changes, value);
    this.#replace(changed, await this.#run(changed));
    if (this.#client?.supportsInvalidatedEvent) this.#later(() => this.sendEvent(new InvalidatedEvent(['all'])));
    return this.#variables.described({ name: shown.name, value }, container);
  }

  /** Takes the result of a run that has the same events before the current node, and moves the cursor to this node. */
  #replace(request: RunRequest, result: RunResult): void {
    const { replay, position } = this.#paused();
    if (!result.ok) throw new UserError(composeProblem(result.errors, replay));
    this.#take({ ...replay, request }, result);
    const { positions } = this.#launched();
    const [name] = position.names;
    const isSame = ({ kind, entered, names }: TracePosition): boolean =>
      entered === position.entered && (kind === 'interrupt' || kind === 'end') && names[0] === name;
    const isInside = position.kind === 'interrupt' || position.question !== undefined;
    const same = isInside ? positions.findIndex(isSame) : -1;
    const node = positions.findIndex(({ kind, entered }) => kind === 'node' && entered === position.entered);
    this.#cursor = Math.max(0, same, same < 0 ? node : 0);
    this.#printed = Math.min(this.#printed, position.event);
    notifyMove(this.#host, this.#replay, this.#cursor);
  }

  /** Answers the interrupt at which the run waits, and goes on with the motion that it stopped. */
  async #giveAnswer(value: Json): Promise<void> {
    const { replay, position } = this.#paused();
    if (!position.question) throw new UserError('No interrupt waits for an answer.');
    assertShallow(value);
    const request = { ...replay.request, answered: [...replay.request.answered, value] };
    const result = await this.#run(request);
    const problem = result.ok && result.end.kind === 'waiting' ? result.end.question.problem : undefined;
    if (problem !== undefined) throw new UserError(problem);
    this.#replace(request, result);
    const { motion, from } = this.#stopped;
    this.#later(() => {
      // Otherwise, dap-mode keeps the frames of the last stop, because it did not send a motion.
      this.sendEvent(new ContinuedEvent(THREAD, true));
      return this.#move(motion, from);
    });
  }

  async #evaluate(expression: string, frameId: number | undefined, context: string | undefined): Promise<object> {
    const frame = this.#variables.frame(frameId, this.#moment);
    const [, quoted, bare] = /^\s*answer\s*(?:\((.*)\)\s*$|\s(.*)$)/s.exec(expression) ?? [];
    const word = quoted ?? bare;
    if (context === 'repl' && word !== undefined) {
      const answer = parsedJson(word) ?? { value: await this.#valueOf(word, frame) };
      await this.#giveAnswer(answer.value);
      return { result: shownValue(answer.value, LONGEST_COPY), variablesReference: 0 };
    }
    const value = await this.#valueOf(expression, frame);
    if (context === 'clipboard') return { result: JSON.stringify(value, undefined, 2), variablesReference: 0 };
    const longest = context === 'repl' ? LONGEST_COPY : undefined;
    const { value: result, ...rest } = this.#variables.described({ name: '', value }, undefined, longest);
    return { result, ...rest };
  }

  async #valueOf(expression: string, frame: CallFrame): Promise<Json> {
    const [answer] = await this.#evaluateAll([{ kind: 'value', source: expression, context: variablesOf(frame) }]);
    if (answer?.ok) return answer.value;
    throw new UserError(answer?.message ?? 'The expression has no value.');
  }

  /** Evaluates expressions in the mode of the run, unless they have their own. */
  #evaluateAll(questions: readonly Evaluation[]): Promise<readonly Evaluated[]> {
    const isStrict = this.#launched().request.compose.strictTemplates;
    return this.#host.evaluate(questions.map((one) => ({ isStrict, ...one })));
  }

  #exceptionInfo(threadId: number): DebugProtocol.ExceptionInfoResponse['body'] {
    const { failure } = this.#paused(threadId).position;
    if (!failure) throw new UserError('The run is not stopped at a failure.');
    return { exceptionId: failure.code, description: failure.message, breakMode: 'always' };
  }

  // Locations and output.

  get #firstLine(): 0 | 1 {
    return this.#client?.linesStartAt1 === false ? 0 : 1;
  }

  get #firstColumn(): 0 | 1 {
    return this.#client?.columnsStartAt1 === false ? 0 : 1;
  }

  #sourceOf(uri: string): DebugProtocol.Source {
    const path = this.#client?.pathFormat !== 'uri' && uri.startsWith('file:') ? URI.parse(uri).fsPath : uri;
    return { name: uri.slice(uri.lastIndexOf('/') + 1), path };
  }

  #linesOf(uri: string, prepared: PreparedRun | undefined = this.#replay): LineStarts {
    const lines = this.#lines.get(uri) ?? lineStartsOf(prepared?.text(uri) ?? '');
    this.#lines.set(uri, lines);
    return lines;
  }

  #located({ uri, span }: FileSpan, prepared: PreparedRun | undefined = this.#replay) {
    if (uri === '') return {};
    const { line, character } = positionAt(this.#linesOf(uri, prepared), span.start);
    return { source: this.#sourceOf(uri), line: line + this.#firstLine, column: character + this.#firstColumn };
  }

  #output(
    category: string,
    line: string,
    place: { source?: DebugProtocol.Source; line?: number; column?: number },
  ): void {
    this.sendEvent(new Event('output', { category, output: `${showInvisible(line)}\n`, ...place }));
  }

  /** Prints the lines of the events before an index that are not printed yet. */
  #printUntil(index: number): void {
    const { end, lines } = consoleLines(this.#launched(), this.#printed, index);
    for (const { text, place } of lines) this.#output('stdout', text, place ? this.#located(place) : {});
    this.#printed = Math.max(this.#printed, end);
  }
}
