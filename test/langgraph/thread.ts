/** A thread that runs a shape, and what it waits at. */
import { setMaxListeners } from 'node:events';
import { Command, MemorySaver } from '@langchain/langgraph';
import type { Subgraph } from '../../server/src/composer/composition.ts';
import { graphOf, type Result } from './run-shape.ts';
import type { Values, World } from './world.ts';

// Every composed skill listens to the one signal of its run.
setMaxListeners(1000);
// A developer may trace other programs of hers; a test sends nothing anywhere.
process.env.LANGSMITH_TRACING = 'false';
process.env.LANGCHAIN_TRACING_V2 = 'false';

export interface Thread {
  /** Runs to the end or to the next interrupt. */
  start(input?: Values, signal?: AbortSignal): Promise<Result>;
  /** Goes on behind the interrupt with what the author said. */
  resume(value: unknown): Promise<Result>;
}

/** One thread with a checkpointer of its own, which the whole tree of skills shares. */
export function threadOf(shape: Subgraph, world: World): Thread {
  const graph = graphOf(shape, world, '', new MemorySaver());
  const config = { configurable: { thread_id: 'thread' } };
  return {
    start: (input = {}, signal = undefined) => graph.invoke({ input }, { ...config, ...(signal && { signal }) }),
    resume: (value) => graph.invoke(new Command({ resume: value }), config),
  };
}

/** The interrupts that a run waits at, `before_write at draft/call_tools`. */
export const waitingAt = ({ __interrupt__ = [] }: Result): string[] =>
  __interrupt__.map(({ value }) => {
    const { name, node } = value as { name: string; node: string };
    return `${name} at ${node}`;
  });
