/** A thread that runs a shape, and its pending interrupts. */
import { setMaxListeners } from 'node:events';
import { Command, MemorySaver } from '@langchain/langgraph';
import type { Subgraph } from '../../server/src/composer/composition.ts';
import type { Environment, Values } from './environment.ts';
import { graphOf, type Result } from './run-shape.ts';

// Every composed skill adds a listener to the abort signal of the run, so a run needs many listeners.
setMaxListeners(1000);
// The environment of a developer may enable tracing. Tests must not send any data.
process.env.LANGSMITH_TRACING = 'false';
process.env.LANGCHAIN_TRACING_V2 = 'false';

export interface Thread {
  /** Runs to the end or to the next interrupt. */
  start(input?: Values, signal?: AbortSignal): Promise<Result>;
  /** Continues after the interrupt with the given value. */
  resume(value: unknown): Promise<Result>;
}

/** Creates a thread with its own checkpointer, which all nested skills share. */
export function threadOf(shape: Subgraph, world: Environment): Thread {
  const graph = graphOf(shape, world, '', new MemorySaver());
  const config = { configurable: { thread_id: 'thread' } };
  return {
    start: (input = {}, signal = undefined) => graph.invoke({ input }, { ...config, ...(signal && { signal }) }),
    resume: (value) => graph.invoke(new Command({ resume: value }), config),
  };
}

/** Returns the pending interrupts of a run, for example `before_write at draft/call_tools`. */
export const pendingInterrupts = ({ __interrupt__ = [] }: Result): string[] =>
  __interrupt__.map(({ value }) => {
    const { name, node } = value as { name: string; node: string };
    return `${name} at ${node}`;
  });
