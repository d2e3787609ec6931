/** The world of a dry run: values of the sample, and generated values (docs/run.md, "Where values come from"). */
import type { Composer } from '../../composer/compose.ts';
import type { ComposeRequest } from '../../composer/composition.ts';
import { isMap } from '../../composer/json.ts';
import { availableTools, closureOf, conditionContext } from '../../composer/prepare.ts';
import type { Json } from '../../languages/yaml/node.ts';
import type { Patch, Question, RunEvent, RunRequest, RunState, Values } from '../../protocol.ts';
import type { SkillPackage, ToolDescriptor } from '../../skill/package.ts';
import { ownValue, type State } from './state.ts';
import { filled, generated, violation } from './values.ts';
import { type Changes, Failure, type Reply, type Result, type Spot, type World } from './world.ts';

/** Ends a run at an interrupt that nobody has answered. */
export class Waiting extends Failure {
  readonly question: Question;
  constructor(question: Question) {
    super('WAITING', `The run waits for an answer to \`${question.name}\`.`, false);
    this.question = question;
  }
}

/** Returns the world of a dry run. `tell` receives the events of the run, and the warnings of the world. */
export function dryWorld(request: RunRequest, composer: Composer, tell: (event: RunEvent) => void): World {
  const { compose, recorded, stubs, answers, answered, patches, maxSteps, detailed } = request;
  const packages = [...closureOf(compose.skillPackage)];
  const tools = new Map<string, ToolDescriptor>();
  for (const { tools: own } of packages) {
    for (const { name, descriptor } of own) if (descriptor && !tools.has(name)) tools.set(name, descriptor);
  }
  const calls = new Map<string, number>();
  const warned = new Set<string>();
  let answerCount = 0;
  let entered = -1;

  const warn = (path: string, message: string): void => {
    if (!warned.has(message)) tell({ kind: 'warning', path, message });
    warned.add(message);
  };

  /** Returns the stub of a tool or a service, or else a value of its schema. Throws if the stub fails. */
  function resultOf({ path }: Spot, name: string, schema: Json | undefined): Result {
    const stub = stubs.find((one) => one.name === name);
    const count = (calls.get(name) ?? 0) + 1;
    calls.set(name, count);
    if (stub?.fails !== undefined && count <= (stub.times ?? Number.POSITIVE_INFINITY)) {
      tell({ kind: 'failure', path, tool: name, code: stub.fails });
      throw new Failure(stub.fails, `\`${name}\` failed with \`${stub.fails}\`, as its stub says.`);
    }
    if (stub?.returns === undefined)
      return { value: make(path, schema, `the result of \`${name}\``), from: 'generated' };
    const wrong = violation(schema, stub.returns);
    if (wrong !== '') warn(path, `The stub of \`${name}\` does not match the output schema of the tool: ${wrong}`);
    return { value: stub.returns, from: 'stub' };
  }

  function make(path: string, schema: Json | undefined, what: string): Json {
    if (schema === undefined || (isMap(schema) && Object.keys(schema).length === 0))
      return `«${what.replaceAll('`', '')}»`;
    const value = generated(schema);
    if (value === undefined) warn(path, `No value can be generated for ${what}.`);
    return value ?? null;
  }

  function plan(spot: Spot, state: State): Reply {
    const { node, shape, path } = spot;
    const { exitCondition } = shape;
    const loop = shape.edges.find(({ from, kind }) => from === node.id && kind === 'branch')?.to;
    const callable = shape.nodes.find(({ id }) => id === loop)?.tools ?? [];
    const isLast = shape.nodes.findLast(({ kind }) => kind === 'plan') === node;
    const visit = (state.visits[node.id] ?? 1) - 1;
    const usesBudget = isLast && exitCondition.on === 'tool_budget' && callable.length > 0;
    const isUsedUp =
      exitCondition.on !== 'tool_budget' && state.calls >= (exitCondition.maxToolCalls ?? Number.POSITIVE_INFINITY);
    const tool = usesBudget ? callable[visit % callable.length] : isUsedUp ? undefined : callable[visit];
    if (tool !== undefined) return { call: tool, input: inputFor(spot, tool, state, loop), from: 'generated' };
    if (!isLast) return { output: `«${node.label}»`, from: 'generated' };
    if (recorded && !path.includes('/')) return { output: recorded.value, from: 'recorded' };
    const schema = shape.nodes.find(({ kind }) => kind === 'check_exit')?.schema;
    return { output: make(path, schema, 'the output'), from: 'generated' };
  }

  /** Returns an input that matches the tool's schema and its constraints, with the known values of the same names. */
  function inputFor({ shape, path }: Spot, tool: string, { input, flow }: State, loop: string | undefined): Values {
    const constraints = shape.nodes.find(({ id }) => id === loop)?.constraints ?? {};
    const narrowed = ownValue(constraints, tool);
    const schema = tools.get(tool)?.inputSchema;
    const parts = [schema, narrowed].filter((part) => part !== undefined);
    if (parts.length === 0) return {};
    const value = generated(parts.length === 1 ? parts[0] : together(parts), { ...flow, ...input });
    if (value === undefined) warn(path, `No input can be generated for \`${tool}\`.`);
    return isMap(value) ? value : {};
  }

  function ask(question: Question): Json {
    const { name, problem } = question;
    const own = answers.find((one) => one.name === name);
    // A wrong answer of the sample is not given again.
    if (own && problem === undefined) return own.value;
    if (answerCount < answered.length) return answered[answerCount++] ?? null;
    throw new Waiting(question);
  }

  const { parameters: _, ...variables } = conditionContext({}, compose);
  const prompts = new Map<string, { readonly text: string; readonly tokens: number }>();

  return {
    plan,
    call: (spot, tool) => resultOf(spot, tool, tools.get(tool)?.outputSchema),
    serve(spot) {
      const { shape, node } = spot;
      const schema = shape.nodes.find(({ kind }) => kind === 'check_exit')?.schema;
      const name = packages.find(({ uri }) => uri === node.uri)?.name?.name ?? '';
      return resultOf(spot, name, schema);
    },
    ask,
    raises: (interrupt) => answers.some(({ name }) => name === interrupt),
    evaluate(source, values) {
      const result = composer.evaluate({ kind: 'condition', source, context: values });
      if (!result.ok) throw new Error(result.message);
      return result.value === true;
    },
    variables,
    tell,
    changed(state, path) {
      entered++;
      let changes: Changes | undefined;
      for (const patch of patches.filter((one) => one.entered === entered)) {
        const { scope, path: name, value } = patch;
        tell({ kind: 'patch', path, scope, name: name.join('.'), value });
        changes = { ...changes, ...changeOf({ ...state, ...changes }, patch) };
      }
      return changes;
    },
    planned(spot, { input }) {
      const key = `${spot.node.uri} ${JSON.stringify(input)}`;
      const known = prompts.get(key) ?? promptOf(composer, compose, packages, spot, input);
      if (!known) return {};
      prompts.set(key, known);
      return { prompt: known };
    },
    maxSteps,
    isDry: true,
    isDetailed: detailed,
  };
}

/** Returns the prompt of the skill to which a node belongs, for the input of this run. */
function promptOf(
  composer: Composer,
  compose: ComposeRequest,
  packages: readonly SkillPackage[],
  { path, node }: Spot,
  input: Values,
): { readonly text: string; readonly tokens: number } | undefined {
  const isTop = !path.includes('/');
  const skillPackage = isTop ? compose.skillPackage : packages.find(({ uri }) => uri === node.uri);
  if (!skillPackage) return undefined;
  const parameters = skillPackage.inputSchema ? filled(skillPackage.inputSchema.json, input) : input;
  const own = { ...compose, skillPackage, parameters, places: undefined };
  const tools = availableTools(skillPackage, compose.callerCapabilities, compose.invocationSource);
  const result = composer.compose(isTop ? own : { ...own, userRequest: '', availableTools: tools });
  if (!result.ok) return undefined;
  const { prompt: text, tokens } = result.composition;
  return { text, tokens: tokens.total };
}

/** Returns a schema that matches the values which all `parts` match. */
function together(parts: readonly Json[]): Json {
  const fields = parts.flatMap((part) =>
    isMap(part) && isMap(part.properties) ? Object.entries<Json>(part.properties) : [],
  );
  const names = [...new Set(fields.map(([name]) => name))];
  const properties = names.map((name) => {
    const own = fields.flatMap(([field, schema]) => (field === name ? [schema] : []));
    return [name, own.length === 1 ? (own[0] ?? {}) : { allOf: own }] as const;
  });
  return { type: 'object', properties: Object.fromEntries(properties), allOf: [...parts] };
}

/** Returns the changed part of the state. */
function changeOf(state: RunState, { scope, path, value }: Patch): Changes {
  return { [scope]: withValue(state[scope] as Json, path, value) };
}

/** Returns a copy of a value with another value at a path. A path that does not exist changes nothing. */
function withValue(root: Json, [key, ...rest]: readonly string[], value: Json): Json {
  if (key === undefined) return value;
  if (Array.isArray(root)) return root.map((item, at) => (String(at) === key ? withValue(item, rest, value) : item));
  if (!isMap(root)) return root;
  return { ...root, [key]: withValue(ownValue(root, key) ?? null, rest, value) };
}
