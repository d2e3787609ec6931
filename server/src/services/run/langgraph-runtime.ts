/**
 * The runtime of an exported project (docs/langgraph.md): a skill as a graph for LangGraph's server, whose model and
 * tools are functions of the project, and the dry runs of its samples.
 */
import { createRequire } from 'node:module';
import { isGraphBubbleUp, StateGraph } from '@langchain/langgraph/web';
import { type Composer, createComposer } from '../../composer/compose.ts';
import type { ComposeRequest, Subgraph } from '../../composer/composition.ts';
import { isMap, isTooDeep, MAX_DEPTH } from '../../composer/json.ts';
import { availableTools, closureOf } from '../../composer/prepare.ts';
import {
  type ExportedRequest,
  type ExportedShape,
  type ExportedSkill,
  importPackages,
  importShape,
  type RunSummary,
  summaryOf,
} from '../../exchange/langgraph-project.ts';
import type { Json } from '../../languages/yaml/node.ts';
import type { RunQuery, RunRequest, RunValues } from '../../protocol.ts';
import type { SkillPackage } from '../../skill/package.ts';
import { jsonIn } from '../../testing/assertion.ts';
import { type AnsweringRuns, ask, requireNames } from './answers.ts';
import { compiledGraph, graphOf } from './engine.ts';
import { run } from './run.ts';
import { worldOf } from './run-world.ts';
import { begun, State } from './state.ts';
import { type CallResult, Failure, type Reply, type Spot, type World } from './world.ts';

interface Sample {
  readonly name: string;
  readonly request: Omit<RunRequest, 'compose'> & { readonly compose: ExportedRequest };
  readonly expected: RunSummary;
}

interface Project {
  readonly shape: ExportedShape;
  readonly skill: ExportedSkill;
  readonly samples: readonly Sample[];
}

type ModelQuery = Omit<Extract<RunQuery, { kind: 'model' }>, 'kind' | 'tokens'>;
type ModelReply = { readonly call: string; readonly input: RunValues } | { readonly output: Json };

interface ToolCall {
  readonly name: string;
  readonly input: RunValues;
  readonly path: string;
}

interface Functions {
  readonly askModel: (query: ModelQuery) => ModelReply | Promise<ModelReply>;
  readonly callTool: (call: ToolCall) => Json | Promise<Json>;
}

/** Reads the files of the folder `skill` beside a file, or in a folder whose URL ends with a slash. */
export function readProject(beside: string | URL): Project {
  const read = createRequire(beside);
  return {
    shape: read('./skill/shape.json'),
    skill: read('./skill/skill.json'),
    samples: read('./skill/samples.json'),
  };
}

/** Runs a sample without a model and without tools (docs/run.md). Rejects if the skill does not compose. */
export async function dryRun({ skill }: Project, { request }: Sample): Promise<RunSummary> {
  const compose = requestOf(importPackages(skill.packages), request.compose);
  const result = await run({ ...request, compose }, createComposer());
  if (!result.ok) throw new Error(result.errors.map(({ message }) => message).join(' '));
  return summaryOf(result);
}

/**
 * Returns a function that makes a graph for one run. The graph has the nodes of the exported shape. If the parameters
 * choose the approach of a skill, it has one node, which runs the shape of its parameters.
 */
export function skillGraph({ shape: exported, skill }: Project, functions: Functions) {
  const composer = createComposer();
  const compose = requestOf(importPackages(skill.packages), skill.request);
  const shape = importShape(exported);
  const isFixed = [...closureOf(compose.skillPackage)].every(({ artifacts }) =>
    artifacts.every(({ kind, includeWhen }) => kind !== 'Approach' || !includeWhen),
  );
  return () => {
    const runs: AnsweringRuns = new Map();
    const world = serverWorld(compose, composer, functions, runs);
    const graph = isFixed ? compiledGraph(shape, world) : choosingGraph(shape, compose, composer, world);
    return requireNames(graph.withConfig({ recursionLimit: MAX_STEPS }), runs);
  };
}

/** The number of steps at which LangGraph ends a graph, unless the caller sets another limit. */
const MAX_STEPS = 1000;

/** Returns a graph whose only node runs the shape that the parameters choose. */
function choosingGraph(exported: Subgraph, compose: ComposeRequest, composer: Composer, world: World) {
  const shapeOf = (parameters: RunValues): Subgraph => {
    const result = composer.compose({ ...compose, parameters });
    // The graph itself asks for missing parameters, or rejects them.
    return result.ok ? result.composition.subgraph : exported;
  };
  return new StateGraph(State)
    .addNode('skill', async ({ input, request }, config) =>
      begun(await graphOf(shapeOf(input), world).invoke({ input, request }, config)),
    )
    .addEdge('__start__', 'skill')
    .addEdge('skill', '__end__')
    .compile();
}

const requestOf = (skillPackage: SkillPackage, request: ExportedRequest): ComposeRequest => ({
  ...request,
  skillPackage,
  availableTools: availableTools(skillPackage, request.callerCapabilities, request.invocationSource),
  places: undefined,
});

/** Returns the world of a run on a server, in which time passes and an interrupt pauses the thread. */
function serverWorld(
  compose: ComposeRequest,
  composer: Composer,
  { askModel, callTool }: Functions,
  runs: AnsweringRuns,
): World {
  const packages = [...closureOf(compose.skillPackage)];
  const worldFor = (userRequest: string) =>
    worldOf({ ...EMPTY, compose: { ...compose, userRequest } }, composer, () => {});
  const call = async ({ path }: Spot, name: string, input: RunValues): Promise<CallResult> => {
    const value = await withCode(() => callTool({ name, input, path }));
    return { value: checked(value, `The result of \`${name}\``), from: 'tool' };
  };
  const { evaluate, variables, tell } = worldFor('');
  return {
    async plan(spot, state): Promise<Reply> {
      const { kind: _, tokens: __, ...query } = worldFor(state.request).modelQuery(spot, state);
      const reply = await withCode(() => askModel(query));
      const wrong = (what: string): Failure => new Failure('WRONG_REPLY', `At \`${spot.path}\`, ${what}`, false);
      if (!isMap(reply)) throw wrong('`askModel` must return `{call, input}` or `{output}`.');
      if ('call' in reply) {
        const { call: name, input = {} } = reply;
        if (typeof name !== 'string' || !isMap(input)) throw wrong('`call` must be a name, and `input` an object.');
        return { call: name, input: checked(input, `The input of \`${name}\``) as RunValues, from: 'model' };
      }
      if (!('output' in reply)) throw wrong('`askModel` must return `{call, input}` or `{output}`.');
      const { output } = reply;
      const json = query.schema !== undefined && typeof output === 'string' ? jsonIn(output) : undefined;
      return { output: checked(json ?? output, `The output of \`${spot.path}\``), from: 'model' };
    },
    call,
    serve: (spot, input) => call(spot, packages.find(({ uri }) => uri === spot.node.uri)?.name?.name ?? '', input),
    ask: ({ uri: _, span: __, ...question }, asked) => ask({ ...question, ...(asked && { call: asked }) }, runs),
    raises: () => false,
    evaluate,
    variables,
    tell,
    pauses: true,
    isInOrder: false,
    time: { within, pause: (milliseconds) => new Promise((done) => setTimeout(done, milliseconds)) },
  };
}

/** A request without values: the project provides them. */
const EMPTY: Omit<RunRequest, 'compose'> = {
  ...{ expected: [], stubs: [], answers: [], answered: [], patches: [], replies: [] },
  ...{ maxSteps: Number.POSITIVE_INFINITY, detailed: false },
};

/** Returns a value of the project, or null for undefined. Throws for a value that is too deep to be read. */
function checked(value: Json | undefined, what: string): Json {
  if (value === undefined) return null;
  if (!isTooDeep(value)) return value;
  throw new Failure('WRONG_REPLY', `${what} is nested more than ${MAX_DEPTH} levels deep.`, false);
}

/** Calls a function of the project. Its errors become failures with their code, which retries and interrupts handle. */
async function withCode<Value>(work: () => Value | Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (isGraphBubbleUp(error) || error instanceof Failure) throw error;
    const { code = 'ERROR', message = String(error) } = (error ?? {}) as { code?: unknown; message?: string };
    throw new Failure(typeof code === 'string' ? code : 'ERROR', message);
  }
}

async function within<Value>(
  milliseconds: number,
  late: Failure,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      controller.abort();
      reject(late);
    }, milliseconds);
  });
  return Promise.race([work(controller.signal), limit]).finally(() => clearTimeout(timer));
}
