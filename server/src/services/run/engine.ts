/**
 * Converts a shape to a LangGraph `StateGraph` (docs/run.md). The conversion reads only the shape, not a skill file.
 * Composed skills are separate graphs, which run on the thread of their composite.
 */
import { type BaseCheckpointSaver, Command, END, START, StateGraph } from '@langchain/langgraph/web';
import type { GraphNode, Subgraph } from '../../composer/composition.ts';
import { nodeRunner, type RunConfig, type Runnable } from './nodes.ts';
import { begun, State, shownState, type Update } from './state.ts';
import { type Changes, Failure, type World } from './world.ts';

/** LangGraph's own limit of steps in one graph. Runs have their own limit. */
const NO_LIMIT = 10_000_000;

/** Like `compiledGraph`, without the limit of steps. */
export function graphOf(...of: Parameters<typeof compiledGraph>): Runnable {
  const graph = compiledGraph(...of);
  return {
    invoke: (input, config) =>
      graph.invoke(input, { recursionLimit: NO_LIMIT, ...config }).catch((error: unknown) => {
        throw mainFailure(error);
      }),
  };
}

/**
 * Returns the failure that ends a graph in which parallel nodes failed together. A failure that is never retried, such
 * as an answer that declines, takes precedence.
 */
export function mainFailure(error: unknown): unknown {
  if (!(error instanceof AggregateError)) return error;
  const errors: readonly unknown[] = error.errors;
  return errors.find((one) => one instanceof Failure && !one.isRetried) ?? errors[0];
}

/**
 * Returns the graph of a shape for one run. `at` is the path of the shape: `''` at the top, `road/` in the step `road`.
 * `entered` counts the nodes that all graphs of a run have entered.
 */
export function compiledGraph(
  shape: Subgraph,
  world: World,
  checkpointer?: BaseCheckpointSaver,
  at = '',
  entered = { count: 0 },
): Compiled {
  /** Composed skills that are never reached need no graph. Each attempt has its own graph. */
  const nested = (node: GraphNode): Runnable => {
    if (!node.subgraph) {
      const message = `\`${node.label}\` has no subgraph, because the composition has too many skills. Run it alone.`;
      throw new Failure('UNKNOWN_SKILL', message, false);
    }
    return graphOf(node.subgraph, world, undefined, `${at}${node.skill?.step ?? node.label}/`, entered);
  };
  const run = nodeRunner(shape, world, at, nested);
  const inTurn = world.isInOrder ? oneAtATime() : <Value>(work: () => Promise<Value>) => work();
  // LangGraph starts parallel nodes in the alphabetical order of their names, and a run of a request in the order of the
  // file. The step that decides about a speculation runs first, so that a step that is not needed asks nothing.
  const digits = String(shape.nodes.length).length;
  const deciding = new Set(shape.nodes.flatMap(({ until }) => until ?? []));
  const inOrder = [...shape.nodes].sort((a, b) => Number(deciding.has(b.id)) - Number(deciding.has(a.id)));
  const names = new Map(
    inOrder.map(({ id }, index) => [id, world.isInOrder ? `${String(index).padStart(digits, '0')} ${id}` : id]),
  );
  const named = (id: string): string => names.get(id) ?? id;
  const targets = new Map<string, Set<string>>(shape.nodes.map(({ id }) => [id, new Set()]));
  for (const { from, to, kind } of shape.edges) if (kind !== 'cancel') targets.get(from)?.add(named(to));
  const joins = new Set(shape.nodes.flatMap(({ id, kind }) => (kind === 'join' ? [id] : [])));
  const builder = new StateGraph(State) as unknown as Builder;
  for (const node of shape.nodes) {
    const path = `${at}${node.id}`;
    const enter = (state: State): Changes => {
      const { maxSteps = Number.POSITIVE_INFINITY } = world;
      if (++entered.count > maxSteps) throw stepLimit(maxSteps);
      return world.changed?.(shownState(state), path) ?? {};
    };
    const awaited = node.kind === 'join' ? armsOf(shape, node.id) : 0;
    builder.addNode(
      named(node.id),
      (state, config) =>
        inTurn(async () => {
          // A join continues once, when its last arm has ended.
          if ((state.arrived[node.id] ?? 0) < awaited) return new Command({ goto: [] });
          try {
            const changes = enter(state);
            const { update, to } = await run(node, { ...state, ...changes }, config);
            world.tell({ kind: 'leave', path, to });
            const goto = to.map((id) => (id === END ? END : named(id)));
            const arrived = Object.fromEntries(to.filter((id) => joins.has(id)).map((id) => [id, 1]));
            const whole = { ...together(changes, update), arrived };
            return new Command({ update: node.kind === 'validate_input' ? begun(whole) : whole, goto });
          } catch (error) {
            if (error instanceof Failure) error.spot ??= { node, shape, path };
            throw error;
          }
        }),
      { ends: [...(targets.get(node.id) ?? []), named('check_exit'), END] },
    );
  }
  const first = shape.nodes.find(({ kind }) => kind === 'validate_input');
  builder.addEdge(START, first ? named(first.id) : END);
  return builder.compile(checkpointer ? { checkpointer } : {});
}

/** Returns the number of arms for which a join waits. */
function armsOf({ nodes, edges }: Subgraph, join: string): number {
  const start = nodes.find((node) => node.join === join);
  return edges.filter(({ from, kind }) => from === start?.id && kind !== 'cancel').length;
}

/** Returns the changes of a user and the update of a node as one update. */
const together = (changes: Changes, update: Update): Update => ({
  ...changes,
  ...update,
  ...(changes.flow && { flow: { ...changes.flow, ...update.flow } }),
  ...(changes.outputs && { outputs: { ...changes.outputs, ...update.outputs } }),
});

const stepLimit = (most: number): Failure =>
  new Failure(
    'STEP_LIMIT',
    `The run entered ${most} nodes and was stopped. If it is not endless, allow more with \`--max-steps\`.`,
    false,
  );

/** Returns a function that runs pieces of work one after another. After a failure, the rest is not run. */
function oneAtATime(): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn;
    return turn;
  };
}

/** The graph builder without the types of LangGraph, which require node names that the compiler knows. */
interface Builder {
  addNode(
    id: string,
    run: (state: typeof State.State, config: RunConfig) => Promise<Command>,
    how: { readonly ends: readonly string[] },
  ): void;
  addEdge(from: string, to: string): void;
  compile(how: { checkpointer?: BaseCheckpointSaver }): Compiled;
}

interface Compiled extends Runnable {
  withConfig(config: { readonly recursionLimit: number }): Runnable & ServedGraph;
}

/** The methods with which a graph continues a thread. */
export interface ServedGraph {
  _streamIterator(input: unknown, options?: RunConfig): AsyncGenerator<unknown>;
  getState(config: RunConfig): Promise<{
    readonly tasks: readonly {
      readonly interrupts: readonly { readonly id?: string }[];
      readonly result?: unknown;
    }[];
  }>;
}
