/** Runs a shape on a thread of LangGraph with a scripted model, and tools and services that are functions. */
import { setMaxListeners } from 'node:events';
import { Command, interrupt, MemorySaver } from '@langchain/langgraph';
import type { Subgraph } from '../../server/src/composer/composition.ts';
import { evaluateCondition } from '../../server/src/composer/render/explain.ts';
import type { Json } from '../../server/src/languages/yaml/node.ts';
import type { RunEvent, RunValues } from '../../server/src/protocol.ts';
import { graphOf } from '../../server/src/services/run/engine.ts';
import type { State } from '../../server/src/services/run/state.ts';
import { Failure, type World } from '../../server/src/services/run/world.ts';
import { engine } from '../core/composer/shapes.ts';

// Every composed skill adds a listener to the abort signal of the run, so a run needs many listeners.
setMaxListeners(1000);

export interface Environment {
  /** The replies of the model at each `plan`, by path and in order; the last reply is repeated. */
  readonly says: Readonly<Record<string, readonly Reply[]>>;
  readonly tools?: Readonly<Record<string, (input: RunValues) => Json | Promise<Json>>>;
  /** The services, by the path of their node. */
  readonly services?: Readonly<Record<string, (input: RunValues) => Json>>;
}

type Reply = { readonly call: string; readonly input?: RunValues } | { readonly output: Json };

export interface Thread {
  /** Runs to the end or to the next interrupt. */
  start(input?: RunValues, signal?: AbortSignal): Promise<Result>;
  /** Continues after the interrupt with the given value. */
  resume(value: unknown): Promise<Result>;
}

interface Result extends Pick<State, 'input' | 'flow' | 'outputs' | 'calls'> {
  readonly output: Json;
  /** One line for each node that ended, for example `plan: read_page`. */
  readonly log: readonly string[];
  readonly pending: readonly string[];
}

/** Creates a thread with its own checkpointer, which all nested skills share. */
export function threadOf(shape: Subgraph, environment: Environment): Thread {
  const log: string[] = [];
  const graph = graphOf(shape, worldOf(environment, log), new MemorySaver());
  const config = { configurable: { thread_id: 'thread' } };
  const resultOf = (state: State & { readonly __interrupt__?: readonly { readonly value?: unknown }[] }): Result => ({
    ...state,
    output: state.output?.value ?? null,
    log,
    pending: (state.__interrupt__ ?? []).map(({ value }) => {
      const { name, path } = value as { readonly name: string; readonly path: string };
      return `${name} at ${path}`;
    }),
  });
  return {
    start: async (input = {}, signal = undefined) =>
      resultOf(await graph.invoke({ input }, { ...config, ...(signal && { signal }) })),
    resume: async (value) => resultOf(await graph.invoke(new Command({ resume: value }), config)),
  };
}

function worldOf({ says, tools, services }: Environment, log: string[]): World {
  return {
    plan({ path }, { visits }) {
      const replies = says[path] ?? [];
      const visit = Object.values(visits)[0] ?? 1;
      const reply = replies[Math.min(visit, replies.length) - 1];
      if (!reply) throw new Error(`Nobody said what the model says at ${path}.`);
      if (!('call' in reply)) return { output: reply.output, from: 'recorded' };
      log.push(`${path}: ${reply.call}`);
      return { call: reply.call, input: reply.input ?? {}, from: 'recorded' };
    },
    call: async (_, tool, input) => ({ value: (await tools?.[tool]?.(input)) ?? null, from: 'stub' }),
    serve: ({ path }, input) => ({ value: services?.[path]?.(input) ?? null, from: 'stub' }),
    ask: (question) => interrupt(question),
    raises: () => false,
    evaluate(source, variables) {
      const result = evaluateCondition(engine, source, variables);
      if (!result.ok) throw new Failure('CONDITION', result.failure.message);
      return result.value;
    },
    variables: {},
    tell: (event) => log.push(...lineOf(event)),
    pauses: true,
    isInOrder: false,
    time: { within, pause: () => Promise.resolve() },
  };
}

async function within<Value>(
  milliseconds: number,
  late: Failure,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      controller.abort();
      reject(late);
    }, milliseconds);
  });
  return Promise.race([work(controller.signal), limit]).finally(() => clearTimeout(timer));
}

function lineOf(event: RunEvent): readonly string[] {
  const { path } = event;
  const node = /[^/]*$/.exec(path)?.[0] ?? '';
  switch (event.kind) {
    case 'output':
      return node.startsWith('plan') ? [`${path}: done`] : [];
    case 'result':
      return [`${path}: ${event.tool} -> ${JSON.stringify(event.value)}`];
    case 'cancel':
      return [`${path.slice(0, -node.length)}skill_${event.step}: cancelled`];
    case 'leave':
      if (/^(plan|call_tools)/.test(node)) return [];
      return [node.startsWith('skill') ? `${path}: ended` : path];
    default:
      return [];
  }
}
