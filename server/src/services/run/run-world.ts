/**
 * The world of a request (docs/run.md, "Where values come from"). Both kinds of runs use the values of the sample and
 * generated values. A run with a model takes the calls and outputs of models, and the results of tools without a stub,
 * from the replies of the request.
 */
import type { Composer } from '../../composer/compose.ts';
import type { ComposeRequest, GraphNode } from '../../composer/composition.ts';
import { isMap, isTooDeep, MAX_DEPTH } from '../../composer/json.ts';
import { availableTools, closureOf, conditionContext } from '../../composer/prepare.ts';
import { toNode } from '../../languages/schema/schema.ts';
import type { Json } from '../../languages/yaml/node.ts';
import type {
  ModelQuery,
  OutputAssertion,
  Patch,
  QueryTool,
  Question,
  RunEnd,
  RunEvent,
  RunPrompt,
  RunQuery,
  RunReply,
  RunRequest,
  RunState,
  RunValues,
  Trace,
} from '../../protocol.ts';
import type { SkillPackage, ToolDescriptor } from '../../skill/package.ts';
import { checkAssertion, jsonIn, nameOf, readAssertions } from '../../testing/assertion.ts';
import { ownValue, type State } from './state.ts';
import { filled, generated, violation } from './values.ts';
import { type CallResult, type Changes, Failure, type Reply, type Spot, type World } from './world.ts';

/** Ends a run that needs an answer or a reply. */
export class Pause extends Failure {
  readonly end: RunEnd;
  constructor(end: Extract<RunEnd, { readonly kind: 'waiting' | 'asking' }>) {
    super('WAITING', 'The run waits.', false);
    this.end = end;
  }
}

interface RequestWorld extends World {
  /** The number of assertions that were checked so far, and of those that passed. */
  readonly assertions: Trace['assertions'];
  /** Returns the question to the model at a `plan`. Throws a `Failure` if the prompt does not compose. */
  readonly modelQuery: (spot: Spot, state: State) => ModelQuery;
}

/**
 * Returns the world of a request. `tell` receives the events of the run, and the warnings of the world. `askMore` answers
 * the queries after the replies of the request; without a reply, the run pauses.
 */
export function worldOf(
  request: RunRequest,
  composer: Composer,
  tell: (event: RunEvent) => void,
  askMore?: (query: RunQuery) => Promise<RunReply | undefined>,
): RequestWorld {
  const { compose, recorded, expected, stubs, answers, answered, patches, replies, maxSteps, detailed } = request;
  const packages = [...closureOf(compose.skillPackage)];
  const tools = new Map<string, ToolDescriptor>();
  for (const { tools: own } of packages) {
    for (const { name, descriptor } of own) if (descriptor && !tools.has(name)) tools.set(name, descriptor);
  }
  const calls = new Map<string, number>();
  const warned = new Set<string>();
  let answerCount = 0;
  let replyCount = 0;
  let entered = -1;
  const assertions = { run: 0, passed: 0 };

  const warn = (path: string, message: string): void => {
    if (!warned.has(message)) tell({ kind: 'warning', path, message });
    warned.add(message);
  };

  /** Returns the stub of a tool or a service, or else a value of its schema. Throws if the stub fails. */
  function resultOf({ path }: Spot, name: string, schema: Json | undefined): CallResult {
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
    if (isEmpty(schema)) return `«${what.replaceAll('`', '')}»`;
    const value = generated(schema);
    if (value === undefined) warn(path, `No value can be generated for ${what}.`);
    return value ?? null;
  }

  function generatedReply(spot: Spot, state: State): Reply {
    const prompt = promptFor(spot, state.input);
    if (prompt instanceof Failure) throw prompt;
    const { node, shape, path } = spot;
    const { exitCondition } = shape;
    const { tools: callable = [] } = loopOf(spot) ?? {};
    const isLast = isLastPlan(spot);
    const visit = (state.visits[node.id] ?? 1) - 1;
    const usesBudget = isLast && exitCondition.on === 'tool_budget' && callable.length > 0;
    const isUsedUp =
      exitCondition.on !== 'tool_budget' && state.calls >= (exitCondition.maxToolCalls ?? Number.POSITIVE_INFINITY);
    const tool = usesBudget ? callable[visit % callable.length] : isUsedUp ? undefined : callable[visit];
    if (tool !== undefined) return { call: tool, input: inputFor(spot, tool, state), from: 'generated' };
    if (!isLast) return { output: `«${node.label}»`, from: 'generated' };
    if (recorded && isTop(spot)) {
      checkOutput(spot, state, recorded.text);
      return { output: recorded.value, from: 'recorded' };
    }
    return { output: make(path, exitOf(spot)?.schema, 'the output'), from: 'generated' };
  }

  /**
   * Checks an output against the assertions of the artifacts in its prompt and of the sample (docs/run.md, "Assertions").
   * Throws if one with the severity `hard` fails.
   */
  function checkOutput(spot: Spot, { input }: State, text: string): void {
    const prompt = promptFor(spot, input);
    const found = [...(isTop(spot) ? expected : []), ...(prompt instanceof Failure ? [] : prompt.assertions)];
    for (const { assertion: json, uri, span, isInvalid } of found) {
      const [assertion] = readAssertions(toNode([json]));
      if (!assertion || isInvalid) continue;
      const { status, message = '' } = checkAssertion(assertion, text, composer.count);
      if (status !== 'skipped') assertions.run++;
      if (status === 'passed') assertions.passed++;
      if (status !== 'failed') continue;
      const failed = `The output does not meet the assertion "${nameOf(assertion)}"`;
      const reason = message === '' ? `${failed}.` : `${failed}: ${message}`;
      if (assertion.severity === 'hard') throw new Failure('ASSERTION_FAILED', reason, false, { uri, span });
      warn(spot.path, reason);
    }
  }

  /** Returns an input that matches the schema of the tool here, with the known values of the same names. */
  function inputFor(spot: Spot, tool: string, { input, flow }: State): RunValues {
    const schema = inputSchemaOf(spot, tool);
    if (schema === undefined) return {};
    const value = generated(schema, { ...flow, ...input });
    if (value === undefined) warn(spot.path, `No input can be generated for \`${tool}\`.`);
    return isMap(value) ? value : {};
  }

  /** Returns the input schema of a tool together with its constraints in the loop of a `plan`. */
  function inputSchemaOf(spot: Spot, tool: string): Json | undefined {
    const narrowed = ownValue(loopOf(spot)?.constraints ?? {}, tool);
    const parts = [tools.get(tool)?.inputSchema, narrowed].filter((part) => part !== undefined);
    return parts.length < 2 ? parts[0] : together(parts);
  }

  // The queries of a run with a model.

  /** Returns the next reply. Rejects if there is none, if it is a failure, or if it is not one of the `kinds`. */
  async function replyTo<Kind extends RunReply['kind']>(
    query: RunQuery,
    kinds: readonly Kind[],
  ): Promise<Extract<RunReply, { kind: Kind }>> {
    const reply = replies?.[replyCount] ?? (await askMore?.(query));
    if (!reply) throw new Pause({ kind: 'asking', query });
    replyCount++;
    if (reply.kind === 'failure') {
      const tool = query.kind === 'tool' ? query.tool : 'model';
      tell({ kind: 'failure', path: query.path, tool, code: reply.code });
      throw new Failure(reply.code, reply.message);
    }
    const isFitting = (one: RunReply): one is Extract<RunReply, { kind: Kind }> =>
      kinds.some((kind) => kind === one.kind);
    if (isFitting(reply)) return reply;
    throw wrongReply(`\`${query.path}\` needs ${nouns(kinds)}, but the reply is ${nouns([reply.kind])}.`);
  }

  async function modelReply(spot: Spot, state: State): Promise<Reply> {
    const reply = await replyTo(modelQuery(spot, state), ['call', 'output']);
    if (reply.kind === 'call') {
      const { tool, input } = reply;
      if (isTooDeep(input)) throw wrongReply(`The input of \`${tool}\` is nested more than ${MAX_DEPTH} levels deep.`);
      const wrong = violation(tools.get(tool)?.inputSchema, input);
      if (wrong !== '')
        warn(spot.path, `The input of \`${tool}\` does not match the input schema of the tool: ${wrong}`);
      return { call: tool, input, from: 'model' };
    }
    const { text } = reply;
    const json = isLastPlan(spot) && !isEmpty(exitOf(spot)?.schema) ? jsonIn(text) : undefined;
    if (isTooDeep(json)) throw wrongReply(`The output of the model is nested more than ${MAX_DEPTH} levels deep.`);
    if (isLastPlan(spot)) checkOutput(spot, state, text);
    return { output: json === undefined ? text : json, from: 'model' };
  }

  function modelQuery(spot: Spot, { input, results, outputs, stages }: State): ModelQuery {
    const { node, shape, path } = spot;
    const prompt = promptFor(spot, input);
    if (prompt instanceof Failure) throw prompt;
    const exit = isLastPlan(spot) ? exitOf(spot) : undefined;
    const instructions = [node.instructions ?? node.guidance, exit?.instructions].filter((text) => text !== undefined);
    const callable = loopOf(spot)?.tools?.filter((name) => shape.toolAvailability.includes(name)) ?? [];
    const { text, tokens, model } = prompt;
    return {
      ...{ kind: 'model', path, label: node.label, prompt: text, tokens },
      ...(instructions.length > 0 && { instructions: instructions.join('\n\n') }),
      results,
      outputs: [...Object.entries<Json>(outputs).map(([name, value]) => ({ name, value })), ...stages],
      tools: callable.map((name): QueryTool => {
        const description = tools.get(name)?.description;
        const inputSchema = inputSchemaOf(spot, name);
        return {
          name,
          ...(description !== undefined && { description }),
          ...(inputSchema !== undefined && { inputSchema }),
        };
      }),
      ...(model !== undefined && { model }),
      ...(exit?.schema !== undefined && { schema: exit.schema }),
    };
  }

  async function toolResult(spot: Spot, tool: string, input: RunValues): Promise<CallResult> {
    const schema = tools.get(tool)?.outputSchema;
    if (!replies || stubs.some(({ name }) => name === tool)) return resultOf(spot, tool, schema);
    const { path } = spot;
    const { value } = await replyTo({ kind: 'tool', path, tool, input }, ['result']);
    if (isTooDeep(value)) throw wrongReply(`The result of \`${tool}\` is nested more than ${MAX_DEPTH} levels deep.`);
    const wrong = violation(schema, value);
    if (wrong !== '') warn(path, `The result of \`${tool}\` does not match the output schema of the tool: ${wrong}`);
    return { value, from: 'tool' };
  }

  function ask(question: Question): Json {
    const { name, problem } = question;
    const own = answers.find((one) => one.name === name);
    // A wrong answer of the sample is not given again.
    if (own && problem === undefined) return own.value;
    if (answerCount < answered.length) return answered[answerCount++] ?? null;
    throw new Pause({ kind: 'waiting', question });
  }

  const { parameters: _, ...variables } = conditionContext({}, compose);
  const prompts = new Map<string, Prompt | Failure>();

  const packageOf = (spot: Spot): SkillPackage | undefined =>
    isTop(spot) ? compose.skillPackage : packages.find(({ uri }) => uri === spot.node.uri);

  /** Returns the prompt of the skill of a node for its input, or the failure if it does not compose. */
  function promptFor(spot: Spot, input: RunValues): Prompt | Failure {
    const key = `${spot.node.uri} ${JSON.stringify(input)}`;
    const prompt = prompts.get(key) ?? composePrompt(composer, compose, packageOf(spot), isTop(spot), input);
    prompts.set(key, prompt);
    return prompt;
  }

  return {
    modelQuery,
    plan: replies ? modelReply : generatedReply,
    call: toolResult,
    serve: (spot) => resultOf(spot, packageOf(spot)?.name?.name ?? '', exitOf(spot)?.schema),
    ask,
    raises: (interrupt) => answers.some(({ name }) => name === interrupt),
    evaluate(source, values) {
      const result = composer.evaluate({
        kind: 'condition',
        source,
        context: values,
        isStrict: compose.strictTemplates,
      });
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
      const prompt = promptFor(spot, input);
      if (prompt instanceof Failure) return {};
      const { assertions: _, ...shown } = prompt;
      return { prompt: shown };
    },
    assertions,
    ...(replies && { repliesUsed: () => replyCount }),
    maxSteps,
    isInOrder: true,
    isDetailed: detailed,
  };
}

const isTop = ({ path }: Spot): boolean => !path.includes('/');

const isLastPlan = ({ node, shape }: Spot): boolean => shape.nodes.findLast(({ kind }) => kind === 'plan') === node;

const exitOf = ({ shape }: Spot): GraphNode | undefined => shape.nodes.find(({ kind }) => kind === 'check_exit');

/** Returns whether every value matches a schema. */
const isEmpty = (schema: Json | undefined): boolean =>
  schema === undefined || (isMap(schema) && Object.keys(schema).length === 0);

/** Returns the `call_tools` node of the loop of a `plan`. */
function loopOf({ node, shape }: Spot): GraphNode | undefined {
  const loop = shape.edges.find(({ from, kind }) => from === node.id && kind === 'branch')?.to;
  return shape.nodes.find(({ id }) => id === loop);
}

const REPLIES: Readonly<Record<RunReply['kind'], string>> = {
  call: 'a call',
  output: 'an output',
  result: 'a result',
  failure: 'a failure',
};

const nouns = (kinds: readonly RunReply['kind'][]): string => kinds.map((kind) => REPLIES[kind]).join(' or ');

const wrongReply = (message: string): Failure => new Failure('WRONG_REPLY', message, false);

interface Prompt extends RunPrompt {
  /** The assertions of the artifacts in the prompt. */
  readonly assertions: readonly OutputAssertion[];
}

/** Returns the model of a skill: the model of the request, or the first one that a composed skill prefers. */
function modelOf({ modelPreference: [preferred] }: SkillPackage, { model }: ComposeRequest, isTop: boolean) {
  return isTop ? model : (preferred ?? model);
}

/** Composes the prompt of a skill for its input in this run. */
function composePrompt(
  composer: Composer,
  compose: ComposeRequest,
  skillPackage: SkillPackage | undefined,
  isTop: boolean,
  input: RunValues,
): Prompt | Failure {
  if (!skillPackage) return new Failure('PROMPT_FAILED', 'The skill of the prompt is unknown.', false);
  const parameters = skillPackage.inputSchema ? filled(skillPackage.inputSchema.json, input) : input;
  const own = { ...compose, skillPackage, parameters, places: undefined };
  const tools = availableTools(skillPackage, compose.callerCapabilities, compose.invocationSource);
  const result = composer.compose(isTop ? own : { ...own, userRequest: '', availableTools: tools });
  if (!result.ok) {
    const reason = result.errors.map(({ message }) => message).join(' ');
    return new Failure('PROMPT_FAILED', `The prompt cannot be composed: ${reason}`, false, result.errors[0]);
  }
  const { prompt: text, tokens, usedArtifacts, assertions } = result.composition;
  const model = modelOf(skillPackage, compose, isTop);
  return {
    ...{ text, tokens: tokens.total, artifacts: usedArtifacts.map(({ id }) => id) },
    ...(model !== undefined && { model }),
    assertions,
  };
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
