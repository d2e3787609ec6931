/** The state of one graph, and the variables of conditions and mappings (docs/format.md, section 4). */
import { Annotation } from '@langchain/langgraph';
import type { GraphNode } from '../../server/src/composer/composition.ts';
import { evaluateCondition } from '../../server/src/composer/render/explain.ts';
import type { Json } from '../../server/src/languages/yaml/node.ts';
import { engine } from '../core/composer/shapes.ts';
import type { Reply, Values } from './environment.ts';

const added = <Item>() => Annotation<readonly Item[]>({ reducer: (old, more) => [...old, ...more], default: () => [] });
const merged = () => Annotation<Values>({ reducer: (old, more) => ({ ...old, ...more }), default: () => ({}) });
const last = <Value>(initial: Value) => Annotation<Value>({ reducer: (_, value) => value, default: () => initial });

export const State = Annotation.Root({
  input: last<Values>({}),
  /** The inputs of the composite and the mapped outputs of its steps. */
  flow: merged(),
  /** The output of each step, by the name of the step. */
  outputs: merged(),
  /** The outputs of speculated steps that may still be cancelled, by node id. */
  held: Annotation<Readonly<Record<string, { readonly outputs: Values; readonly flow: Values }>>>({
    reducer: (old, more) => ({ ...old, ...more }),
    default: () => ({}),
  }),
  /** The output of the last plan. */
  output: last<Json>(null),
  /** The tool that the plan requested. */
  wanted: last<Extract<Reply, { call: string }> | null>(null),
  /** The number of tool calls. */
  calls: Annotation<number>({ reducer: (sum, more) => sum + more, default: () => 0 }),
  /** The edges that the run has taken, as `[from, to]`. */
  taken: added<readonly [string, string]>(),
  /** The events, for example `plan: read_page`, including those of composed skills. */
  log: added<string>(),
});

export type State = typeof State.State;
export type Update = typeof State.Update;

/**
 * Evaluates the condition of an edge. Converts `$input.x` and `$step.output.x` to names for MiniJinja; parameters are
 * also available by name.
 */
export function isConditionTrue(condition: string, { input, outputs }: State): boolean {
  const plain = (name: string): string => `_${name.replaceAll('-', '_')}`;
  const source = condition.replace(/\$([A-Za-z_][\w-]*)/g, (_, name: string) => plain(name));
  const steps = Object.entries(outputs).map(([step, output]) => [plain(step), { output }] as const);
  return truth(source, { ...input, parameters: input, ...Object.fromEntries(steps), [plain('input')]: input });
}

/** Evaluates the `when` of an interrupt. */
export const isInterruptTrue = (when: string, parameters: Values, ambient: Values): boolean =>
  truth(when, { ...parameters, parameters, ...ambient });

function truth(source: string, context: Values): boolean {
  const result = evaluateCondition(engine, source, context);
  if (!result.ok) throw new Error(`${source}: ${result.failure.message}`);
  return result.value;
}

/** Returns the inputs of a composed skill: the mapping of its step, or else the values with the same names. */
export function inputOf({ skill, subgraph }: GraphNode, { input, flow, outputs }: State): Values {
  const { inputMapping = {}, inputs = {} } = skill ?? {};
  const mapped = Object.entries(inputMapping).map(([from, own]) => [own, flow[from]] as const);
  const said = Object.entries(inputs ?? {}).map(([own, value]) => [own, resolve(value, input, outputs)] as const);
  const all = { ...flow, ...Object.fromEntries(mapped), ...Object.fromEntries(said) };
  const schema = subgraph?.nodes.find(({ kind }) => kind === 'validate_input')?.schema;
  const wanted = isMap(schema) && isMap(schema.properties) ? Object.keys(schema.properties) : [];
  return Object.fromEntries(wanted.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name] as Json]])));
}

/** Returns the output of a composed skill after its mapping. */
export function flowOf({ skill }: GraphNode, output: Json): Values {
  if (!isMap(output)) return {};
  return Object.fromEntries(Object.entries(output).map(([own, value]) => [skill?.outputMapping[own] ?? own, value]));
}

function resolve(value: Json, input: Values, outputs: Values): Json | undefined {
  const path = typeof value === 'string' ? /^\$([\w-]+)((?:\.[\w-]+)*)$/.exec(value) : null;
  if (Array.isArray(value)) return value.map((one) => resolve(one, input, outputs) ?? null);
  if (isMap(value)) {
    const inner = Object.entries(value).map(([key, one]) => [key, resolve(one, input, outputs)] as const);
    return Object.fromEntries(inner.flatMap(([key, one]) => (one === undefined ? [] : [[key, one]])));
  }
  if (!path) return value;
  const [, source = '', rest = ''] = path;
  const from: Json = source === 'input' ? input : { output: outputs[source] ?? null };
  return rest
    .split('.')
    .slice(1)
    .reduce<Json | undefined>((at, key) => (isMap(at) ? at[key] : undefined), from);
}

export const isMap = (value: unknown): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
