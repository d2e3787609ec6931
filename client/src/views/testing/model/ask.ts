/**
 * Runs one sample with a model: sends the prompt, answers tool calls, and returns the output (docs/testing-vscode.md). Also
 * sends the queries of debug sessions (docs/debugging.md).
 */
import type {
  ModelRun,
  ModelTool,
  QueryTool,
  RunQuery,
  RunReply,
  RunValues,
} from '../../../../../server/src/protocol.ts';

export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: object;
}

export type Message =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly ModelToolCall[] }
  | { readonly role: 'results'; readonly results: readonly { readonly id: string; readonly text: string }[] };

export interface OfferedTool {
  /** The name in the form that models accept. */
  readonly name: string;
  readonly tool: ModelTool;
}

/** A connection to a model, whose methods reject with a `ModelRunError` if later requests would fail, too. */
export interface Model {
  readonly name: string;
  readonly count: (text: string) => Promise<number>;
  readonly send: (
    messages: readonly Message[],
    tools: readonly OfferedTool[],
  ) => Promise<{ readonly text: string; readonly calls: readonly ModelToolCall[] }>;
}

/** An error that ends the whole run, with a message for the user. */
export class ModelRunError extends Error {}

/** The token limit of a run. */
export class Budget {
  readonly #limit: number;
  readonly #messageAbove: (used: number, limit: number) => string;
  #used = 0;

  /** `messageAbove` returns the message for the user. */
  constructor(limit: number, messageAbove: (used: number, limit: number) => string) {
    this.#limit = limit;
    this.#messageAbove = messageAbove;
  }

  get used(): number {
    return this.#used;
  }

  /** Counts tokens to send. Throws a `ModelRunError` if they exceed the limit. */
  send(tokens: number): void {
    if (this.#used + tokens > this.#limit)
      throw new ModelRunError(this.#messageAbove(this.#used + tokens, this.#limit));
    this.#used += tokens;
  }

  /** Counts received tokens, also beyond the limit. */
  receive(tokens: number): void {
    this.#used += tokens;
  }
}

/** The source and text of a tool call's result; `missing` if the call has neither a stub nor a tool. */
export type Answered =
  | { readonly by: 'stub' | 'editor' | 'failed' | 'declined' | 'unavailable'; readonly text: string }
  | { readonly by: 'missing' };

export interface AnsweredCall {
  readonly name: string;
  readonly input: object;
  readonly answer: Answered;
}

export interface ModelResult {
  readonly outcome:
    | { readonly output: string }
    | { readonly problem: 'empty' | 'endless' }
    | { readonly unanswered: string };
  readonly calls: readonly AnsweredCall[];
  readonly tokens: number;
  readonly requests: number;
}

/** The maximum number of requests in one run of a sample. */
const MAX_REQUESTS = 12;

/**
 * Sends a prompt and answers tool calls until the model returns an output. `runTool` runs one of the editor's tools.
 */
export async function askModel(
  model: Model,
  { prompt, tools }: Pick<ModelRun, 'prompt' | 'tools'>,
  budget: Budget,
  runTool: (tool: string, input: object) => Promise<Answered>,
): Promise<ModelResult> {
  const offered = withUniqueNames(tools);
  const before = budget.used;
  const calls: AnsweredCall[] = [];
  const messages: Message[] = [{ role: 'user', text: prompt }];
  let requests = 0;
  const end = (outcome: ModelResult['outcome']): ModelResult => ({
    outcome,
    calls,
    tokens: budget.used - before,
    requests,
  });
  let length = await model.count(prompt + (tools.length > 0 ? JSON.stringify(tools) : ''));
  while (requests < MAX_REQUESTS) {
    budget.send(length);
    requests++;
    const reply = await model.send(messages, offered);
    const received = await model.count(textOf(reply));
    budget.receive(received);
    if (reply.calls.length === 0) return end(reply.text.trim() === '' ? { problem: 'empty' } : { output: reply.text });
    const results: { readonly id: string; readonly text: string }[] = [];
    for (const { id, name, input } of reply.calls) {
      const called = offered.find((one) => one.name === name)?.tool.name ?? name;
      const count = 1 + calls.filter((one) => one.name === called).length;
      const answer = await answerCall(offered, name, input, count, runTool);
      calls.push({ name: called, input, answer });
      if (answer.by === 'missing') return end({ unanswered: called });
      results.push({ id, text: answer.text });
    }
    messages.push({ role: 'assistant', ...reply }, { role: 'results', results });
    length += received + (await model.count(results.map(({ text }) => text).join('\n')));
  }
  return end({ problem: 'endless' });
}

/** Answers a call. `count` is the number of calls of this tool so far, including this call. */
async function answerCall(
  offered: readonly OfferedTool[],
  name: string,
  input: object,
  count: number,
  runTool: (tool: string, input: object) => Promise<Answered>,
): Promise<Answered> {
  const tool = offered.find((one) => one.name === name)?.tool;
  // A model can call a tool that was not offered.
  if (!tool) return { by: 'unavailable', text: `Unknown tool \`${name}\`.` };
  const { returns, fails, times = Number.POSITIVE_INFINITY } = tool.stub ?? {};
  if (fails !== undefined && count <= times)
    return { by: 'stub', text: `The call failed with the error \`${fails}\`.` };
  if (returns === undefined) return runTool(tool.name, input);
  return { by: 'stub', text: asText(returns) };
}

type ModelQuery = Extract<RunQuery, { readonly kind: 'model' }>;

/**
 * Sends a query of a run with a model (docs/debugging.md, "With a model"). Returns the first call of a tool, or else the
 * output; undefined if the model returns neither. Rejects like `model`, and at the limit of the budget.
 */
export async function askQuery(model: Model, query: ModelQuery, budget: Budget): Promise<RunReply | undefined> {
  const called = query.results.map(({ tool }) => tool).filter((name) => !query.tools.some((one) => one.name === name));
  const unavailable = [...new Set(called)].map((name) => ({ name }));
  const offered = withUniqueNames(
    [...query.tools, ...unavailable].map(({ name, description, inputSchema }: QueryTool) => {
      return { name, description: description ?? null, inputSchema: inputSchema ?? null, stub: null };
    }),
  );
  const messages = messagesOf(query, offered);
  budget.send(await model.count(messages.map(contentOf).join('\n') + JSON.stringify(query.tools)));
  const reply = await model.send(messages, offered.slice(0, query.tools.length));
  budget.receive(await model.count(textOf(reply)));
  const [call] = reply.calls;
  if (!call) return reply.text.trim() === '' ? undefined : { kind: 'output', text: reply.text };
  const tool = offered.find(({ name }) => name === call.name)?.tool.name ?? call.name;
  return { kind: 'call', tool, input: call.input as RunValues };
}

/** Returns the prompt, then the stage with the outputs so far, then the calls so far with their results. */
function messagesOf(query: ModelQuery, offered: readonly OfferedTool[]): readonly Message[] {
  const { prompt, label, instructions, outputs, results, schema } = query;
  const stage = [
    ...outputs.map(({ name, value }) => `Output of ${name}:\n\n${asText(value)}`),
    ...(instructions === undefined ? [] : [`${label}\n\n${instructions}`]),
    ...(schema === undefined ? [] : [`Return only JSON that matches this JSON Schema:\n\n${JSON.stringify(schema)}`]),
  ].join('\n\n');
  return [
    { role: 'user', text: prompt },
    ...(stage === '' ? [] : [{ role: 'user', text: stage } as const]),
    ...results.flatMap(({ tool, input, result }, index): readonly Message[] => {
      const id = `call_${index + 1}`;
      const name = offered.find((one) => one.tool.name === tool)?.name ?? tool;
      return [
        { role: 'assistant', text: '', calls: [{ id, name, input }] },
        { role: 'results', results: [{ id, text: asText(result) }] },
      ];
    }),
  ];
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const contentOf = (message: Message): string =>
  message.role === 'results'
    ? message.results.map(({ text }) => text).join('\n')
    : 'calls' in message
      ? textOf(message)
      : message.text;

/** Returns the model's answer to a question. The model gets no tools. */
export async function askQuestion(model: Model, question: string, budget: Budget): Promise<string> {
  budget.send(await model.count(question));
  const reply = await model.send([{ role: 'user', text: question }], []);
  budget.receive(await model.count(textOf(reply)));
  return reply.text;
}

const textOf = ({ text, calls }: { readonly text: string; readonly calls: readonly ModelToolCall[] }): string =>
  [text, ...calls.map(({ name, input }) => `${name} ${JSON.stringify(input)}`)].join('\n');

const MAX_NAME = 64;

/** Gives each tool a unique name of letters, digits, `_` and `-`, as models require. */
function withUniqueNames(tools: readonly ModelTool[]): readonly OfferedTool[] {
  const taken = new Set<string>();
  return tools.map((tool) => {
    const plain = tool.name.replace(/[^\w-]/g, '_').slice(0, MAX_NAME);
    let name = plain;
    for (let at = 2; taken.has(name); at++) name = `${plain.slice(0, MAX_NAME - 4)}_${at}`;
    taken.add(name);
    return { name, tool };
  });
}
