/** The behaviour and the next nodes of each kind of node. */

import { END } from '@langchain/langgraph';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { GraphNode, Subgraph, SubgraphInterrupt } from '../../server/src/composer/composition.ts';
import type { Json } from '../../server/src/languages/yaml/node.ts';
import type { Environment, Values } from './environment.ts';
import type { RunConfig, Runnable, Step } from './run-shape.ts';
import { flowOf, inputOf, isConditionTrue, isInterruptTrue, isMap, type State } from './state.ts';

export interface Setting {
  readonly shape: Subgraph;
  readonly world: Environment;
  readonly at: string;
  readonly subgraphs: ReadonlyMap<string, Runnable>;
  /** Pauses the thread, and returns the value that it is resumed with. */
  readonly pause: (value: { readonly name: string; readonly node: string; readonly message?: string }) => unknown;
}

export function nodeRunners(setting: Setting) {
  const { shape, world, at, pause, subgraphs } = setting;
  /** The abort controllers of speculated nodes, by node id. */
  const cancels = new Map<string, AbortController>();
  const nextOf = ({ id }: GraphNode) => shape.edges.filter(({ from, kind }) => from === id && kind === 'next');
  const along = (node: GraphNode): string[] => nextOf(node).map(({ to }) => to);
  const spot = ({ id }: GraphNode): string => `${at}${id}`;

  /** Fires the interrupt if the node has it and its condition is true; otherwise returns undefined. */
  const fire = (
    node: GraphNode,
    state: State,
    name: string,
    tool?: string,
  ): { readonly resumed: unknown } | undefined => {
    const found = shape.interrupts.find((one) => one.node === node.id && one.name === name);
    if (!found || (found.tools && !found.tools.includes(tool ?? ''))) return undefined;
    if (found.when !== undefined && !isInterruptTrue(found.when, state.input, world.ambient ?? {})) return undefined;
    return { resumed: pause(said(found, spot(node))) };
  };

  const run: Record<GraphNode['kind'], (node: GraphNode, state: State, config: RunConfig) => Step | Promise<Step>> = {
    validate_input(node, state) {
      let input = filled(node.schema, state.input);
      const missing = complaint(node.schema, input);
      if (missing !== undefined) {
        const answer = fire(node, { ...state, input }, 'on_missing_input');
        if (!answer) throw new Error(`${spot(node)}: ${missing}`);
        input = { ...input, ...(isMap(answer.resumed) ? answer.resumed : {}) };
      }
      for (const { name, when } of interruptsAt(node)) {
        if (name === 'on_missing_input' || !(when !== undefined || world.raises?.includes(name))) continue;
        const answer = fire(node, { ...state, input }, name);
        if (isMap(answer?.resumed)) input = { ...input, ...answer.resumed };
      }
      return { update: { input, flow: input, log: [spot(node)] }, to: along(node) };
    },

    plan(node, state) {
      const turns = state.log.filter((line) => line.startsWith(`${spot(node)}:`)).length;
      if (turns === 0 && node.stage) fire(node, state, 'before_stage');
      const replies = world.says[spot(node)] ?? [];
      const reply = replies[Math.min(turns, replies.length - 1)];
      if (!reply) throw new Error(`Nobody said what the model says at ${spot(node)}.`);
      if ('output' in reply) {
        return { update: { output: reply.output, wanted: null, log: [`${spot(node)}: done`] }, to: along(node) };
      }
      const most = shape.exitCondition.maxToolCalls ?? Number.POSITIVE_INFINITY;
      if (state.calls >= most) {
        fire(node, state, 'on_budget_exhausted');
        return { update: { wanted: null, log: [`${spot(node)}: budget used up`] }, to: ['check_exit'] };
      }
      const call = shape.edges.find(({ from, kind }) => from === node.id && kind === 'branch');
      if (!call) throw new Ceiling(`${spot(node)} may call no tool, and not ${reply.call}.`);
      return { update: { wanted: reply, log: [`${spot(node)}: ${reply.call}`] }, to: [call.to] };
    },

    async call_tools(node, state) {
      const { call = '', input = {} } = state.wanted ?? {};
      // The shape lists the tools twice, at the node and globally, and both lists must contain the tool.
      if (!node.tools?.includes(call) || !shape.toolAvailability.includes(call)) {
        throw new Ceiling(`${spot(node)} may not call ${call}.`);
      }
      for (const { name } of interruptsAt(node)) {
        if (name === 'on_tool_error' || (name.startsWith('on_') && !world.raises?.includes(name))) continue;
        fire(node, state, name, call);
      }
      let result: Json = null;
      try {
        result = (await world.tools?.[call]?.(input)) ?? null;
      } catch (error) {
        const answer = fire(node, state, 'on_tool_error', call);
        if (!answer) throw error;
        result = answer.resumed as Json;
      }
      const loop = shape.edges.filter(({ from, kind }) => from === node.id && kind === 'loop');
      return {
        update: { wanted: null, calls: 1, log: [`${spot(node)}: ${call} -> ${JSON.stringify(result)}`] },
        to: loop.map(({ to }) => to),
      };
    },

    call_service(node, state) {
      const output = world.services?.[spot(node)]?.(state.input) ?? null;
      return { update: { output, log: [spot(node)] }, to: along(node) };
    },

    check_exit(node, state) {
      const { exitCondition } = shape;
      let output: Json = state.output ?? state.flow;
      const wrong = exitCondition.on === 'output_schema' ? complaint(exitCondition.schema, output) : undefined;
      if (wrong !== undefined) {
        const answer = fire(node, state, 'on_output_mismatch');
        if (!answer) throw new Error(`${spot(node)}: ${wrong}`);
        output = answer.resumed as Json;
      }
      fire(node, state, 'before_exit');
      return { update: { output, log: [spot(node)] }, to: [END] };
    },

    async skill(node, state, config) {
      const graph = subgraphs.get(node.id);
      if (!graph) throw new Error(`${spot(node)} has no shape.`);
      const cancel = cancels.get(node.id);
      const signals = [config.signal, cancel?.signal].filter((signal) => signal !== undefined);
      let result: Awaited<ReturnType<Runnable['invoke']>>;
      try {
        const input = inputOf(node, state);
        result = await graph.invoke(
          { input },
          { ...config, ...(signals.length > 0 && { signal: AbortSignal.any(signals) }) },
        );
      } catch (error) {
        if (!cancel?.signal.aborted) throw error;
        return { update: {}, to: along(node) };
      }
      const { output, log } = result;
      const step = node.skill?.step ?? node.id;
      const given = { outputs: { [step]: output }, flow: flowOf(node, output) };
      const known = { ...state, outputs: { ...state.outputs, ...given.outputs } };
      for (const { to, unless } of cancelsFrom(node.id)) if (!isKept(unless, known)) cancels.get(to)?.abort();
      // The output of a step that may be cancelled is not visible before the speculation ends.
      const update = cancel ? { held: { [node.id]: given } } : given;
      return { update: { ...update, log: [...log, `${spot(node)}: ended`] }, to: along(node) };
    },

    parallel: (node) => ({ update: { log: [spot(node)] }, to: along(node) }),

    speculate(node) {
      for (const { to } of cancelsFrom(node.until)) cancels.set(to, new AbortController());
      return { update: { log: [spot(node)] }, to: along(node) };
    },

    /** Continues once when all parallel nodes have ended, with the outputs that the speculation keeps. */
    join(node, state) {
      const { taken, held } = state;
      const group = shape.nodes.find(({ join }) => join === node.id);
      const awaited = shape.edges.filter(({ from }) => from === group?.id).length;
      const arrived = new Set(taken.filter(([, to]) => to === node.id).map(([from]) => from)).size;
      const wentOn = taken.some(([from]) => from === node.id);
      if (wentOn || arrived < awaited) return { update: {}, to: [] };
      const judged = cancelsFrom(group?.until).map(({ to, unless }) => ({ to, kept: isKept(unless, state) }));
      const kept = judged.flatMap(({ to, kept: isKeptOne }) => (isKeptOne ? (held[to] ?? []) : []));
      const log = judged.flatMap(({ to, kept: isKeptOne }) => (isKeptOne ? [] : [`${at}${to}: cancelled`]));
      const outputs = Object.assign({}, ...kept.map((one) => one.outputs));
      const flow = Object.assign({}, ...kept.map((one) => one.flow));
      return { update: { outputs, flow, log: [...log, spot(node)] }, to: along(node) };
    },

    branch(node, state) {
      const edges = shape.edges.filter(({ from }) => from === node.id);
      const chosen =
        edges.find(({ condition }) => condition !== undefined && isConditionTrue(condition, state)) ??
        edges.find(({ condition }) => condition === undefined);
      if (chosen?.untaken) throw new Error(`${node.id} takes the edge to ${chosen.to}, which is marked as untaken.`);
      return { update: { log: [spot(node)] }, to: chosen ? [chosen.to] : [] };
    },
  };

  const interruptsAt = ({ id }: GraphNode): readonly SubgraphInterrupt[] =>
    shape.interrupts.filter(({ node }) => node === id);

  const cancelsFrom = (id: string | undefined) =>
    shape.edges.filter(({ from, kind }) => from === id && kind === 'cancel');

  return async (node: GraphNode, state: State, config: RunConfig): Promise<Step> => run[node.kind](node, state, config);
}

const isKept = (unless: string | undefined, state: State): boolean =>
  unless === undefined || isConditionTrue(unless, state);

/** The error for a call that the shape does not allow; such a call is never retried. */
class Ceiling extends Error {
  readonly isCeiling = true;
}

const said = ({ name, message }: SubgraphInterrupt, node: string) => ({
  name,
  node,
  ...(message !== undefined && { message }),
});

const ajv = new Ajv2020({ strict: false, useDefaults: true, validateFormats: false });

function complaint(schema: Json | undefined, value: Json): string | undefined {
  if (!isMap(schema)) return undefined;
  return ajv.validate(schema, structuredClone(value)) ? undefined : ajv.errorsText();
}

function filled(schema: Json | undefined, input: Values): Values {
  const copy = structuredClone(input);
  if (isMap(schema)) ajv.validate(schema, copy);
  return copy;
}
