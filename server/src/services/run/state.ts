/** The state of one graph, and the variables of conditions and mappings (docs/format.md, section 4). */
import { Annotation, Overwrite } from '@langchain/langgraph/web';
import type { GraphNode, Subgraph } from '../../composer/composition.ts';
import { isMap } from '../../composer/json.ts';
import type { Json } from '../../languages/yaml/node.ts';
import type { RunState, RunValues, ToolResult } from '../../protocol.ts';
import { referencesInCondition, referencesInValue } from '../../skill/execution/execution.ts';

/** The output of a step, as steps and as later inputs see it. */
interface StepOutput {
  readonly outputs: RunValues;
  readonly flow: RunValues;
}

/** The failure of a step, as data. */
export interface StepFailure {
  readonly failed: { readonly code: string; readonly message: string };
}

const merged = <Value>() =>
  Annotation<Readonly<Record<string, Value>>>({ reducer: (old, more) => ({ ...old, ...more }), default: () => ({}) });
const last = <Value>(initial: Value) => Annotation<Value>({ reducer: (_, value) => value, default: () => initial });

export const State = Annotation.Root({
  input: last<RunValues>({}),
  /** The user's request, in a run on a server. */
  request: last(''),
  flow: merged<Json>(),
  outputs: merged<Json>(),
  /** The results of speculated steps that may still be cancelled, by node ID. */
  held: merged<StepOutput | StepFailure>(),
  /** The output of the last `plan` or of the service; undefined before it. */
  output: last<{ readonly value: Json } | undefined>(undefined),
  /** The outputs of the stages that have ended, oldest first. */
  stages: last<readonly { readonly name: string; readonly value: Json }[]>([]),
  /** The tool that the `plan` requested; with its failure, if `on_tool_error` is asked as another step. */
  wanted: last<
    | {
        readonly tool: string;
        readonly input: RunValues;
        readonly failed?: { readonly code: string; readonly message: string };
      }
    | undefined
  >(undefined),
  results: last<readonly ToolResult[]>([]),
  /** The number of tool calls. */
  calls: last(0),
  /** The number of visits of each `plan`, by node ID. */
  visits: merged<number>(),
  /** The number of failed attempts of each composed skill that may ask, by node ID, and by node ID and code. */
  attempts: merged<number>(),
  /** The code of the failure that a fallback replaces, by node ID; of the whole graph by the empty name. */
  fallen: merged<string>(),
  /** The number of arms that have reached each `join`, by node ID. */
  arrived: Annotation<Readonly<Record<string, number>>>({
    reducer: (old, more) => ({
      ...old,
      ...Object.fromEntries(Object.entries(more).map(([id, count]) => [id, (old[id] ?? 0) + count])),
    }),
    default: () => ({}),
  }),
  /** The interrupt that ended the skill, because it is the exit condition. */
  ended: last<string | undefined>(undefined),
});

export type State = typeof State.State;
export type Update = typeof State.Update;

/** Returns an update that also drops the state of an earlier run on the thread. */
export const begun = ({ flow, outputs, arrived, ...update }: Update): Update => ({
  ...{ output: undefined, stages: [], wanted: undefined, results: [], calls: 0, ended: undefined },
  ...update,
  ...{ held: new Overwrite({}), visits: new Overwrite({}), attempts: new Overwrite({}), fallen: new Overwrite({}) },
  flow: new Overwrite({ ...flow }),
  outputs: new Overwrite({ ...outputs }),
  arrived: new Overwrite({ ...arrived }),
});

/** Returns the state for people and for programs. */
export const shownState = ({ input, flow, outputs, results, wanted, output }: State): RunState => ({
  ...{ input, flow, outputs, results },
  ...(wanted && { wanted }),
  output: output?.value ?? null,
});

/** Evaluates an expression on variables. Throws if it fails. */
export type Evaluate = (source: string, variables: RunValues) => boolean;

/**
 * Evaluates the condition of an edge. Each reference, such as `$input.x` or `$step.output.x`, becomes a variable for
 * MiniJinja, which is undefined if the step has not run. Parameters and `variables` are available by name
 * (docs/format.md, section 4, "Execution").
 */
export function isConditionTrue(
  evaluate: Evaluate,
  condition: string,
  { input, outputs }: Pick<State, 'input' | 'outputs'>,
  variables: RunValues,
): boolean {
  const references = referencesInCondition(condition);
  const nameOf = (one: Reference): string => `_reference_${references.indexOf(one)}`;
  const values = references.flatMap((one) => {
    const value = referredValue(one, input, outputs);
    return value === undefined ? [] : [[nameOf(one), value] as const];
  });
  const source = replaced(condition, references, nameOf);
  try {
    return evaluate(source, { ...input, parameters: input, ...variables, ...Object.fromEntries(values) });
  } catch (error) {
    throw error instanceof Error ? new Error(asWritten(error.message, references)) : error;
  }
}

/** Returns a message with the references as the author wrote them, and without another reference as a suggestion. */
const asWritten = (message: string, references: readonly Reference[]): string =>
  message
    .replace(/ Did you mean `_reference_\d+`\?/g, '')
    .replace(/_reference_(\d+)/g, (name, at: string) => references[Number(at)]?.whole ?? name);

type Reference = ReturnType<typeof referencesInValue>[number];

/** Returns the text with another text for each reference. */
function replaced(text: string, references: readonly Reference[], other: (one: Reference) => string): string {
  let end = 0;
  let result = '';
  for (const one of references) {
    result += text.slice(end, one.index) + other(one);
    end = one.index + one.whole.length;
  }
  return result + text.slice(end);
}

/** Returns the inputs of a composed skill: the mapping of its step, or else the values with the same names. */
export function inputOf({ skill, subgraph }: GraphNode, { input, flow, outputs }: State): RunValues {
  const { inputMapping = {}, inputs } = skill ?? {};
  const mapped = Object.entries(inputMapping).map(([from, own]) => [own, ownValue(flow, from)] as const);
  const written = Object.entries(isMap(inputs) ? inputs : {}).map(
    ([own, value]) => [own, resolve(value, input, outputs)] as const,
  );
  const known = [...Object.entries<Json>(flow), ...mapped, ...written];
  return inputsOf(subgraph, Object.fromEntries(known));
}

/** Returns the values that are inputs of a skill. A skill without a list of its inputs gets all values. */
export function inputsOf(shape: Subgraph | undefined, known: Readonly<Record<string, Json | undefined>>): RunValues {
  const schema = shape?.nodes.find(({ kind }) => kind === 'validate_input')?.schema;
  const wanted = isMap(schema) && isMap(schema.properties) ? Object.keys(schema.properties) : Object.keys(known);
  return Object.fromEntries(
    wanted.flatMap((name) => {
      const value = ownValue(known, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Returns the output of a composed skill after its mapping. */
export function flowOf({ skill }: GraphNode, output: Json): RunValues {
  if (!isMap(output)) return {};
  const mapping = skill?.outputMapping ?? {};
  return Object.fromEntries(
    Object.entries<Json>(output).map(([own, value]) => [ownValue(mapping, own) ?? own, value] as const),
  );
}

/**
 * Returns the value of an input: a constant, a reference, or text that contains references. A value that needs a missing
 * reference is left out, also of its list or map (docs/subgraph.md, "Mappings").
 */
export function resolve(value: Json, input: RunValues, outputs: RunValues): Json | undefined {
  if (Array.isArray(value)) return value.map((one) => resolve(one, input, outputs)).filter((one) => one !== undefined);
  if (isMap(value)) {
    const inner = Object.entries<Json>(value).map(([key, one]) => [key, resolve(one, input, outputs)] as const);
    return Object.fromEntries(inner.filter((one): one is readonly [string, Json] => one[1] !== undefined));
  }
  if (typeof value !== 'string') return value;
  const references = referencesInValue(value);
  const [first] = references;
  if (first && first.whole === value.trim()) return referredValue(first, input, outputs);
  const values = references.map((one) => referredValue(one, input, outputs));
  if (values.includes(undefined)) return undefined;
  return replaced(value, references, (one) => {
    const found = values[references.indexOf(one)];
    return typeof found === 'string' ? found : JSON.stringify(found);
  });
}

/** Returns the value to which a reference refers; undefined if it does not exist. */
function referredValue({ source, rest }: Reference, input: RunValues, outputs: RunValues): Json | undefined {
  const output = ownValue(outputs, source);
  const from: Json = source === 'input' ? input : output === undefined ? {} : { output };
  const keys = rest.split('.').slice(1);
  return keys.reduce<Json | undefined>((at, key) => (isMap(at) ? ownValue(at, key) : undefined), from);
}

/** Returns the value of an own key, so that a name such as `constructor` is not found in the prototype. */
export const ownValue = <Value>(map: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(map, key) ? map[key] : undefined;
