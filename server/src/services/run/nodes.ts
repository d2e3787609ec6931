/** The behaviour and the next nodes of each kind of node (docs/subgraph.md). */
import { type Command, END, isGraphBubbleUp } from '@langchain/langgraph/web';
import type { GraphFallback, GraphNode, Subgraph, SubgraphInterrupt } from '../../composer/composition.ts';
import { isMap } from '../../composer/json.ts';
import type { Json } from '../../languages/yaml/node.ts';
import type { Question, RunEvent, RunValues } from '../../protocol.ts';
import {
  flowOf,
  inputOf,
  inputsOf,
  isConditionTrue,
  ownValue,
  resolve,
  type State,
  type StepFailure,
  shownState,
  type Update,
} from './state.ts';
import { filled, missingFields, violation } from './values.ts';
import { Failure, type Spot, type ToolRequest, type World } from './world.ts';

/** The state update of a node, and its next nodes. */
export interface Step {
  readonly update: Update;
  readonly to: readonly string[];
}

export interface RunConfig {
  readonly signal?: AbortSignal;
  readonly configurable?: Readonly<Record<string, unknown>>;
  readonly recursionLimit?: number;
}

export interface Runnable {
  invoke(input: Update | Command | null, config: RunConfig): Promise<State>;
}

/** The maximum number of UTF-16 code units of a condition in a message. */
const MAX_SHOWN = 200;

/** The outcome of an interrupt. `ends` is set if the interrupt is the exit condition, so that nobody is asked. */
type Fired = { readonly ends: true } | { readonly ends?: undefined; readonly answer: unknown };

/**
 * Returns the function that runs a node of a shape.
 *
 * @param at the path of the shape: `''` at the top, `road/` in the step `road`
 * @param nested makes the graph of a composed skill
 */
export function nodeRunner(
  shape: Subgraph,
  world: World,
  at: string,
  nested: (node: GraphNode) => Runnable,
): (node: GraphNode, state: State, config: RunConfig) => Promise<Step> {
  /** The abort controllers of speculated nodes that may be cancelled, by node ID. */
  const cancels = new Map<string, AbortController>(
    shape.edges.flatMap(({ kind, to }) => (kind === 'cancel' ? [[to, new AbortController()] as const] : [])),
  );
  /** The failures of these nodes in this process; the state has them only as data. */
  const failures = new Map<string, Failure>();
  const nodes = new Map(shape.nodes.map((node) => [node.id, node]));
  const edges = new Map<string, Subgraph['edges'][number][]>();
  for (const edge of shape.edges) edges.set(edge.from, [...(edges.get(edge.from) ?? []), edge]);
  const edgesFrom = (id: string | undefined, kind: Subgraph['edges'][number]['kind']) =>
    edges.get(id ?? '')?.filter((edge) => edge.kind === kind) ?? [];
  const next = ({ id }: GraphNode): readonly string[] => edgesFrom(id, 'next').map(({ to }) => to);
  const pathOf = ({ id }: GraphNode): string => `${at}${id}`;
  const spotOf = (node: GraphNode): Spot => ({ node, shape, path: pathOf(node) });
  const { exitCondition } = shape;

  const failureOf = ({ failed: { code, message } }: StepFailure, node: GraphNode | undefined): Failure => {
    const failure = new Failure(code, message);
    failure.spot = node && spotOf(node);
    return failure;
  };

  const evaluate = (source: string, work: () => boolean): boolean => {
    try {
      return work();
    } catch (error) {
      if (error instanceof Failure) throw error;
      const message = error instanceof Error ? error.message : String(error);
      const shown = source.length > MAX_SHOWN ? `${source.slice(0, MAX_SHOWN)}…` : source;
      throw new Failure('CONDITION_FAILED', `The condition \`${shown}\` cannot be evaluated: ${message}`, false);
    }
  };
  const holds = (source: string, state: Pick<State, 'input' | 'outputs'>): boolean =>
    evaluate(source, () => isConditionTrue(world.evaluate, source, state, world.variables));

  /**
   * Fires an interrupt if the node has it and its condition is true; otherwise returns undefined. An answer to which
   * `problemOf` objects is asked for again.
   */
  async function fire(
    node: GraphNode,
    input: RunValues,
    name: string,
    options: {
      readonly call?: ToolRequest;
      readonly schema?: Json;
      readonly problemOf?: (answer: unknown) => string;
    } = {},
  ): Promise<Fired | undefined> {
    const { call, schema, problemOf = () => '' } = options;
    const found = shape.interrupts.find((one) => one.node === node.id && one.name === name);
    if (!found || (found.tools && !found.tools.includes(call?.tool ?? ''))) return undefined;
    const { when, message, uri, span } = found;
    const variables = { ...input, parameters: input, ...world.variables };
    if (when !== undefined && !evaluate(when, () => world.evaluate(when, variables))) return undefined;
    const path = pathOf(node);
    const interrupt = { kind: 'interrupt', path, name, ...(message !== undefined && { message }) } as const;
    if (exitCondition.on === 'interrupt' && exitCondition.name === name) {
      world.tell({ ...interrupt, ends: true });
      return { ends: true };
    }
    const question: Question = {
      ...{ name, path, uri, span },
      ...(message !== undefined && { message }),
      ...(schema !== undefined && { schema }),
    };
    let answer = await world.ask(question, call);
    for (let problem = problemOf(answer); problem !== ''; problem = problemOf(answer)) {
      answer = await world.ask({ ...question, problem }, call);
    }
    world.tell({ ...interrupt, answer: (answer ?? null) as Json });
    return { answer };
  }

  /** Fires an interrupt that asks for permission. The answer `false` ends the run, except before a tool call. */
  async function fireBefore(node: GraphNode, input: RunValues, name: string): Promise<Fired | undefined> {
    const fired = await fire(node, input, name);
    if (fired && !fired.ends && fired.answer === false && name.startsWith('before_')) {
      throw new Failure('DECLINED', `The answer to \`${name}\` is no.`, false);
    }
    return fired;
  }

  /** Returns the names of a node's interrupts that fire by their condition, or because somebody raises them. */
  const raisedAt = (node: GraphNode, except: readonly string[]): readonly string[] =>
    interruptsAt(node).flatMap(({ name, when }) =>
      !except.includes(name) && (when !== undefined || name.startsWith('before_') || world.raises(name)) ? [name] : [],
    );

  const interruptsAt = ({ id }: GraphNode): readonly SubgraphInterrupt[] =>
    shape.interrupts.filter(({ node }) => node === id);

  const endedBy = (name: string): Step => ({ update: { ended: name }, to: ['check_exit'] });

  const run: Record<GraphNode['kind'], (node: GraphNode, state: State, config: RunConfig) => Step | Promise<Step>> = {
    async validate_input(node, state) {
      const path = pathOf(node);
      let input = filled(node.schema, state.input);
      world.tell({ ...entered(node), input, ...stateOf({ ...state, input }) });
      const problemOf = (answer: unknown): string =>
        isValues(answer) ? violation(node.schema, { ...input, ...answer }) : 'The answer must be a map of inputs.';
      const missing = violation(node.schema, input);
      if (missing !== '') {
        const missed = { problemOf, ...(node.schema !== undefined && { schema: missingFields(node.schema, input) }) };
        const fired = await fire(node, input, 'on_missing_input', missed);
        if (!fired) throw new Failure('INPUT_MISMATCH', `The input does not match the input schema: ${missing}`, false);
        if (fired.ends) return endedBy('on_missing_input');
        input = filled(node.schema, { ...input, ...(fired.answer as RunValues) });
      }
      for (const name of raisedAt(node, ['on_missing_input'])) {
        const fired = await fire(node, input, name, {
          problemOf: (answer) => (isValues(answer) ? problemOf(answer) : ''),
        });
        if (fired?.ends) return endedBy(name);
        if (isValues(fired?.answer)) input = filled(node.schema, { ...input, ...fired.answer });
      }
      if (input !== state.input) world.tell({ kind: 'output', path, value: input, from: 'flow' });
      return { update: { input, flow: input }, to: next(node) };
    },

    async plan(node, state) {
      const path = pathOf(node);
      const visits = (state.visits[node.id] ?? 0) + 1;
      const [called] = edgesFrom(node.id, 'branch');
      const tools = nodes.get(called?.to ?? '')?.tools ?? [];
      world.tell({ ...entered(node), tools, ...world.planned?.(spotOf(node), state), ...stateOf(state) });
      if (visits === 1) {
        for (const name of raisedAt(node, ['on_budget_exhausted'])) {
          if ((await fireBefore(node, state.input, name))?.ends) return endedBy(name);
        }
      }
      const seen = { visits: { [node.id]: visits } };
      const reply = await attempt(node, () => world.plan(spotOf(node), { ...state, visits: seen.visits }));
      if ('output' in reply) {
        world.tell({ kind: 'output', path, value: reply.output, from: reply.from });
        const stages = [...state.stages, { name: node.label, value: reply.output }];
        return { update: { ...seen, output: { value: reply.output }, stages, wanted: undefined }, to: next(node) };
      }
      const most = exitCondition.maxToolCalls ?? Number.POSITIVE_INFINITY;
      if (state.calls >= most) {
        world.tell({ kind: 'budget', path, used: state.calls, of: most });
        const fired = await fireBefore(node, state.input, 'on_budget_exhausted');
        if (fired?.ends) return endedBy('on_budget_exhausted');
        return { update: { ...seen, wanted: undefined }, to: ['check_exit'] };
      }
      if (!called) throw denied(`\`${path}\` may call no tool, but the model calls \`${reply.call}\`.`);
      return { update: { ...seen, wanted: { tool: reply.call, input: reply.input } }, to: [called.to] };
    },

    async call_tools(node, state) {
      const path = pathOf(node);
      const { tool, input, failed } = state.wanted ?? { tool: '', input: {}, failed: undefined };
      const call = { tool, input };
      world.tell({ ...entered(node), tools: node.tools ?? [], ...stateOf(state) });
      // The shape lists the tools twice, at the node and globally, and both lists must contain the tool.
      if (!node.tools?.includes(tool) || !shape.toolAvailability.includes(tool)) {
        throw denied(`\`${path}\` may not call \`${tool}\`.`);
      }
      const narrowed = violation(ownValue(node.constraints ?? {}, tool), input);
      if (narrowed !== '') throw denied(`The input of \`${tool}\` does not match its constraints: ${narrowed}`);
      const back = edgesFrom(node.id, 'loop').map(({ to }) => to);
      const done = (result: Json): Step => {
        const results = [...state.results, { tool, input, result }];
        return { update: { wanted: undefined, results, calls: state.calls + 1 }, to: back };
      };
      const afterFailure = async (error: Failure): Promise<Step> => {
        const fired = await fire(node, state.input, 'on_tool_error', { call });
        if (!fired) throw error;
        if (fired.ends) return endedBy('on_tool_error');
        const value = (fired.answer ?? null) as Json;
        world.tell({ kind: 'result', path, tool, value, from: 'answer' });
        return done(value);
      };
      if (failed) return afterFailure(new Failure(failed.code, failed.message));
      for (const name of raisedAt(node, ['on_tool_error'])) {
        const fired = await fire(node, state.input, name, { call });
        if (fired?.ends) return endedBy(name);
        if (fired?.answer !== false || !name.startsWith('before_')) continue;
        // A declined call counts, so that a model that asks again and again uses up its budget.
        return done({ declined: true });
      }
      try {
        const { value, from } = await attempt(node, () => {
          world.tell({ kind: 'call', path, tool, input });
          return world.call(spotOf(node), tool, input);
        });
        world.tell({ kind: 'result', path, tool, value, from });
        return done(value);
      } catch (error) {
        if (!(error instanceof Failure) || !error.isRetried) throw error;
        if (!world.pauses || !interruptsAt(node).some(({ name }) => name === 'on_tool_error'))
          return afterFailure(error);
        // Each answer runs a node that waits again, and must not call the tool again.
        const { code, message } = error;
        return { update: { wanted: { ...call, failed: { code, message } } }, to: [node.id] };
      }
    },

    async call_service(node, state) {
      const path = pathOf(node);
      world.tell({ ...entered(node), ...stateOf(state) });
      const { value, from } = await attempt(node, () => world.serve(spotOf(node), state.input));
      world.tell({ kind: 'output', path, value, from });
      return { update: { output: { value } }, to: next(node) };
    },

    async check_exit(node, state) {
      const path = pathOf(node);
      world.tell({ ...entered(node), ...stateOf(state) });
      let output = state.output ? state.output.value : outputOf(node, shape, state);
      if (exitCondition.on === 'output_schema' && state.ended === undefined) {
        const { schema } = exitCondition;
        const wrong = violation(schema, output);
        if (wrong !== '') {
          const problemOf = (answer: unknown): string => violation(schema, (answer ?? null) as Json);
          const fired = await fire(node, state.input, 'on_output_mismatch', { schema, problemOf });
          if (!fired) throw new Failure('OUTPUT_MISMATCH', `The output does not match the output schema: ${wrong}`);
          if (!fired.ends) output = (fired.answer ?? null) as Json;
        }
      }
      let { ended } = state;
      for (const name of raisedAt(node, ['on_output_mismatch'])) {
        if ((await fireBefore(node, state.input, name))?.ends) ended = name;
      }
      world.tell({ kind: 'output', path, value: output, from: 'flow' });
      return { update: { output: { value: output }, ended }, to: [END] };
    },

    async skill(node, state, config) {
      const cancel = cancels.get(node.id);
      if (cancel?.signal.aborted) return { update: {}, to: next(node) };
      const input = inputOf(node, state);
      const signals = [config.signal, cancel?.signal].filter((signal) => signal !== undefined);
      let first = true;
      const once = async (signal: AbortSignal | undefined): Promise<Json> => {
        if (first) world.tell({ ...entered(node), input, ...stateOf(state) });
        first = false;
        const all = [...signals, ...(signal ? [signal] : [])];
        const ended = await nested(node).invoke(
          { input },
          { ...config, ...(all.length > 0 && { signal: AbortSignal.any(all) }) },
        );
        return ended.output?.value ?? null;
      };
      const isPaused = world.pauses === true && mayAsk(node.subgraph);
      const fallen = ownValue(state.fallen, node.id);
      let output: Json;
      try {
        if (fallen !== undefined) output = await replacement(node, node.subgraph, new Failure(fallen), input, config);
        else output = await (isPaused ? inTime(node, once) : attempt(node, once));
      } catch (error) {
        if (cancel?.signal.aborted) return { update: {}, to: next(node) };
        const sameCode = `${node.id} ${codeOf(error)}`;
        const count = (state.attempts[node.id] ?? 0) + 1;
        const ofCode = (state.attempts[sameCode] ?? 0) + 1;
        // Each answer runs a node that waits again, and must not run the failed attempts again.
        if (isPaused && fallen === undefined && (await isTriedAgain(node, error, count, ofCode)))
          return { update: { attempts: { [node.id]: count, [sameCode]: ofCode } }, to: [node.id] };
        const fallback = fallen === undefined ? fallbackOf(node.subgraph, error) : undefined;
        if (!fallback && cancel && isReplaceable(error)) {
          // Only a step that is kept may end the run.
          failures.set(node.id, error);
          const { code, message } = error;
          return { update: { held: { [node.id]: { failed: { code, message } } } }, to: next(node) };
        }
        if (!fallback) throw error;
        if (world.pauses && 'subgraph' in fallback && mayAsk(fallback.subgraph))
          return { update: { fallen: { [node.id]: codeOf(error) } }, to: [node.id] };
        output = await replacement(node, node.subgraph, error, input, config);
      }
      const step = node.skill?.step ?? node.id;
      const given = { outputs: { [step]: output }, flow: flowOf(node, output) };
      const known = { ...state, outputs: { ...state.outputs, ...given.outputs } };
      for (const { to, unless } of edgesFrom(node.id, 'cancel')) {
        if (unless !== undefined && !holds(unless, known)) cancels.get(to)?.abort();
      }
      // The output of a step that may be cancelled is not visible before the speculation ends.
      const update = cancel ? { held: { [node.id]: given } } : given;
      return { update, to: next(node) };
    },

    parallel: (node, state) => {
      world.tell({ ...entered(node), ...stateOf(state) });
      return { update: {}, to: next(node) };
    },

    speculate(node, state) {
      world.tell({ ...entered(node), ...stateOf(state) });
      return { update: {}, to: next(node) };
    },

    /** Continues once when all parallel nodes have ended, with the outputs that the speculation keeps. */
    join(node, state) {
      const path = pathOf(node);
      world.tell({ ...entered(node), ...stateOf(state) });
      const group = shape.nodes.find(({ join }) => join === node.id);
      const judged = edgesFrom(group?.until, 'cancel').map(({ to, unless }) => ({
        to,
        isKept: unless === undefined || holds(unless, state),
      }));
      const kept = judged.flatMap(({ to, isKept }) => {
        const held = ownValue(state.held, to);
        return isKept && held && 'outputs' in held ? [held] : [];
      });
      for (const { to, isKept } of judged) {
        if (!isKept) world.tell({ kind: 'cancel', path, step: nodes.get(to)?.skill?.step ?? to });
      }
      for (const { to, isKept } of judged) {
        const held = ownValue(state.held, to);
        if (isKept && held && 'failed' in held) throw failures.get(to) ?? failureOf(held, nodes.get(to));
      }
      const outputs = Object.fromEntries(kept.flatMap((one) => Object.entries<Json>(one.outputs)));
      const flow = Object.fromEntries(kept.flatMap((one) => Object.entries<Json>(one.flow)));
      return { update: { outputs, flow }, to: next(node) };
    },

    branch(node, state) {
      const path = pathOf(node);
      world.tell({ ...entered(node), ...stateOf(state) });
      const arms = edgesFrom(node.id, 'branch');
      const chosen =
        arms.find(({ condition, to }) => {
          if (condition === undefined) return false;
          const isTrue = holds(condition, state);
          world.tell({ kind: 'condition', path, condition, holds: isTrue, to });
          return isTrue;
        }) ?? arms.find(({ condition }) => condition === undefined);
      return { update: {}, to: chosen ? [chosen.to] : [] };
    },
  };

  // The events and the policy of a node.

  type Entered = Extract<RunEvent, { kind: 'enter' }>;

  function entered(node: GraphNode): Entered {
    const { kind, label, uri, span, skill, stage, instructions, guidance } = node;
    const step = skill?.step ?? stage?.name;
    const text = instructions ?? guidance;
    return {
      ...{ kind: 'enter', path: pathOf(node), node: kind, label, uri, span },
      ...(step !== undefined && { step }),
      ...(text !== undefined && { instructions: text }),
    };
  }

  const stateOf = (state: State): Pick<Entered, 'state' | 'replies'> =>
    world.isDetailed ? { state: shownState(state), ...(world.repliesUsed && { replies: world.repliesUsed() }) } : {};

  /** Does the work of a node again as its retry says, each time within its timeout. */
  async function attempt<Value>(
    node: GraphNode,
    work: (signal: AbortSignal | undefined) => Value | Promise<Value>,
  ): Promise<Value> {
    const failures = new Map<string, number>();
    for (let count = 1; ; count++) {
      try {
        return await inTime(node, work);
      } catch (error) {
        const code = codeOf(error);
        const ofCode = (failures.get(code) ?? 0) + 1;
        failures.set(code, ofCode);
        if (!(await isTriedAgain(node, error, count, ofCode))) throw error;
      }
    }
  }

  /**
   * Returns whether the retry of a node asks for one more attempt, and pauses before it. `count` attempts have failed,
   * `ofCode` of them with the code of this error.
   */
  async function isTriedAgain(node: GraphNode, error: unknown, count: number, ofCode: number): Promise<boolean> {
    const { retry } = node;
    const of = retry?.maxAttempts ?? 1;
    const code = isRetriable(error) ? codeOf(error) : undefined;
    const isRetried = code !== undefined && (retry?.retryOn.length === 0 || retry?.retryOn.includes(code));
    if (!isRetried || count >= of) return false;
    const { errors = [] } = (node.kind === 'skill' ? node.subgraph : shape) ?? {};
    const declared = errors.find((one) => one.code === code)?.retry;
    if (declared === 'never' || (declared === 'once' && ofCode > 1)) return false;
    world.tell({ kind: 'retry', path: pathOf(node), attempt: count + 1, of, code });
    await world.time?.pause(backoff(retry?.backoff, count));
    return true;
  }

  /** Does work within the timeout of the node, if time passes in this world. */
  const inTime = async <Value>(
    node: GraphNode,
    work: (signal: AbortSignal | undefined) => Value | Promise<Value>,
  ): Promise<Value> => {
    const { timeoutMs } = node;
    if (timeoutMs === undefined || !world.time) return work(undefined);
    const late = new Failure('TIMEOUT', `\`${pathOf(node)}\` took longer than ${timeoutMs} ms.`);
    return world.time.within(timeoutMs, late, async (signal) => work(signal));
  };

  // Fallbacks (docs/subgraph.md, "Errors").

  /** Returns the result that replaces that of a failed graph. Throws the failure if the graph has no fallback for it. */
  async function replacement(
    node: GraphNode,
    failed: Subgraph | undefined,
    error: unknown,
    input: RunValues,
    config: RunConfig,
  ): Promise<Json> {
    const fallback = fallbackOf(failed, error);
    if (!failed || !fallback) throw error;
    const value = await fallbackValue(node, fallback, input, config);
    const { exitCondition: exit } = failed;
    const wrong = exit.on === 'output_schema' ? violation(exit.schema, value) : '';
    const code = codeOf(error);
    if (wrong !== '')
      throw new Failure('OUTPUT_MISMATCH', `The fallback of \`${code}\` does not match the output schema: ${wrong}`);
    world.tell({ kind: 'output', path: pathOf(node), value, from: 'fallback' });
    return value;
  }

  async function fallbackValue(
    node: GraphNode,
    fallback: GraphFallback,
    input: RunValues,
    config: RunConfig,
  ): Promise<Json> {
    if ('value' in fallback) return fallback.value;
    if ('mapping' in fallback) return resolve(fallback.mapping, input, {}) ?? null;
    const { skill, subgraph } = fallback;
    const { name } = skill;
    const given = { step: name, inputMapping: {}, outputMapping: {}, inputs: undefined };
    const { subgraph: _, ...own } = node;
    const instead: GraphNode = { ...own, label: name, skill: { ...skill, ...given }, ...(subgraph && { subgraph }) };
    const ownInput = inputsOf(subgraph, input);
    world.tell({ ...entered(instead), input: ownInput });
    try {
      const ended = await nested(instead).invoke({ input: ownInput }, config);
      return ended.output?.value ?? null;
    } catch (error) {
      return replacement(instead, subgraph, error, ownInput, config);
    }
  }

  return async (node, state, config) => {
    try {
      return await run[node.kind](node, state, config);
    } catch (error) {
      // The failure of a composed skill is handled at its node, after its retries.
      if (at !== '' || ownValue(state.fallen, '') !== undefined || !fallbackOf(shape, error)) throw error;
      const value = await replacement(node, shape, error, state.input, config);
      const fallen = { '': codeOf(error) };
      const to = node.kind === 'check_exit' ? END : 'check_exit';
      return { update: { output: { value }, wanted: undefined, fallen }, to: [to] };
    }
  };
}

/** Returns the fallback of a graph for a failure. */
const fallbackOf = (failed: Subgraph | undefined, error: unknown): GraphFallback | undefined =>
  isReplaceable(error) ? failed?.errors?.find(({ code }) => code === error.code)?.fallback : undefined;

/** Returns whether a run may go on after a failure. A run that waits or reaches a limit of the runtime may not. */
const isReplaceable = (error: unknown): error is Failure =>
  !isGraphBubbleUp(error) && error instanceof Failure && !NOT_REPLACED.includes(error.code);

const NOT_REPLACED: readonly string[] = ['WAITING', 'STEP_LIMIT', 'WRONG_ANSWER'];

/** Returns whether a skill, or a skill that it composes, has an interrupt. */
const mayAsk = (shape: Subgraph | undefined): boolean =>
  shape !== undefined && (shape.interrupts.length > 0 || shape.nodes.some(({ subgraph }) => mayAsk(subgraph)));

/** Returns whether a failure may be temporary. */
const isRetriable = (error: unknown): boolean =>
  !isGraphBubbleUp(error) && !(error instanceof Failure && !error.isRetried);

const codeOf = (error: unknown): string => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'ERROR';
};

/** The waiting time before a retry, in milliseconds (docs/subgraph.md, "Retries"). */
function backoff(kind: string | undefined, attempt: number): number {
  if (kind === 'fixed') return BACKOFF_MS;
  if (kind === 'linear') return BACKOFF_MS * attempt;
  return kind === 'exponential' ? BACKOFF_MS * 2 ** Math.min(attempt - 1, 10) : 0;
}

const BACKOFF_MS = 500;

const denied = (message: string): Failure => new Failure('CAPABILITY_DENIED', message, false);

const isValues = (value: unknown): value is RunValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the output of a skill whose model gave none: without a model, the values that the output schema names. */
function outputOf({ schema }: GraphNode, { nodes }: Subgraph, { flow }: State): Json {
  if (nodes.some(({ kind }) => kind === 'plan')) return null;
  const names = isMap(schema) && isMap(schema.properties) ? Object.keys(schema.properties) : [];
  if (names.length === 0) return flow;
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = ownValue(flow, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
