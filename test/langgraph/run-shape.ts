/**
 * Converts a shape to a LangGraph `StateGraph`. The conversion reads only the shape, not a skill file, so the tests run
 * exactly the result of the composer. Composed skills are separate graphs on the same thread.
 */
import { type BaseCheckpointSaver, Command, END, interrupt, START, StateGraph } from '@langchain/langgraph';
import type { GraphNode, Subgraph } from '../../server/src/composer/composition.ts';
import type { Environment } from './environment.ts';
import { nodeRunners } from './nodes.ts';
import { State, type Update } from './state.ts';

/** The state update of a node, and its next nodes. */
export interface Step {
  readonly update: Update;
  readonly to: readonly string[];
}

/** @param at the path of the shape: `''` at the top, `road/` in the skill `road` */
export function graphOf(shape: Subgraph, world: Environment, at = '', checkpointer?: BaseCheckpointSaver) {
  const subgraphs = new Map(
    shape.nodes.flatMap((node) =>
      node.subgraph ? [[node.id, graphOf(node.subgraph, world, `${at}${node.label}/`)] as const] : [],
    ),
  );
  const runners = nodeRunners({ shape, world, at, subgraphs, pause: (value) => interrupt(value) });
  const builder = new StateGraph(State) as unknown as Builder;
  for (const node of shape.nodes) {
    const ends = shape.edges.filter(({ from, kind }) => from === node.id && kind !== 'cancel').map(({ to }) => to);
    const leads = [...new Set([...ends, ...exits(node)])];
    builder.addNode(
      node.id,
      async (state, config) => {
        const { update, to } = await runners(node, state, config);
        const taken = to.map((target) => [node.id, target] as const);
        return new Command({ update: { ...update, taken }, goto: [...to] });
      },
      { ends: leads, ...attemptsOf(node) },
    );
  }
  const [first] = shape.nodes.filter(({ kind }) => kind === 'validate_input');
  builder.addEdge(START, first?.id ?? END);
  return builder.compile(checkpointer ? { checkpointer } : {});
}

/** A plan may end the run, because the exit condition may be a budget. */
const exits = ({ kind }: GraphNode): readonly string[] =>
  kind === 'plan' ? ['check_exit'] : kind === 'check_exit' ? [END] : [];

/** Without a retry, the first failure ends the run. */
function attemptsOf({ retry, timeoutMs }: GraphNode): object {
  const retryPolicy = retry && {
    maxAttempts: retry.maxAttempts,
    initialInterval: 1,
    jitter: false,
    logWarning: false,
    retryOn: (error: { readonly code?: string; readonly isCeiling?: boolean }) =>
      !error.isCeiling && (retry.retryOn.length === 0 || retry.retryOn.includes(error.code ?? '')),
  };
  return { ...(retryPolicy && { retryPolicy }), ...(timeoutMs !== undefined && { timeout: timeoutMs }) };
}

/** The graph builder without the types of LangGraph, which require node names that the compiler knows. */
interface Builder {
  addNode(id: string, run: (state: typeof State.State, config: RunConfig) => Promise<Command>, how: object): void;
  addEdge(from: string, to: string): void;
  compile(how: { checkpointer?: BaseCheckpointSaver }): Runnable;
}

export interface RunConfig {
  readonly signal?: AbortSignal;
  readonly configurable?: Readonly<Record<string, unknown>>;
}

export type Result = typeof State.State & { readonly __interrupt__?: readonly { readonly value?: unknown }[] };

export interface Runnable {
  invoke(input: Update | Command | null, config: RunConfig): Promise<Result>;
}
