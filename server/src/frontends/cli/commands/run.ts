/** `skill-composer run`: runs a skill, by default without a model, and never calls tools or services (docs/run.md). */
import type { ComposeResult, InvocationRecord } from '../../../composer/composition.ts';
import { isTooDeep, MAX_NESTING, tooDeep } from '../../../composer/json.ts';
import { closureOf } from '../../../composer/prepare.ts';
import { formatNumber } from '../../../format-amounts.ts';
import { keptReader } from '../../../io/kept-reader.ts';
import { UserError } from '../../../io/user-error.ts';
import { boundedLabel, isObject, toShorthand } from '../../../languages/schema/schema.ts';
import type { Json } from '../../../languages/yaml/node.ts';
import type {
  Answer,
  AskMore,
  ModelQuery,
  Question,
  RunEnd,
  RunEvent,
  RunRequest,
  RunResult,
} from '../../../protocol.ts';
import type { CheckReport } from '../../../reports/check-report.ts';
import { jsonLine, placed, printedJson, shortJson } from '../../../reports/json.ts';
import { errorsToPretty } from '../../../reports/pretty.ts';
import {
  endToPretty,
  eventsWriter,
  headToPretty,
  questionText,
  type RunHead,
  traceToJson,
} from '../../../reports/run.ts';
import { knownNames } from '../../../services/composing/compose-samples.ts';
import { createComposing } from '../../../services/composing/composing.ts';
import { startNodeWorker } from '../../../services/composing/node-worker.ts';
import { runRequestOf } from '../../../services/testing/run-request.ts';
import {
  type CommandWords,
  limitReached,
  modelOf,
  type RunnerModel,
  requestsOf,
} from '../../../services/testing/runner.ts';
import { showInvisible } from '../../../text.ts';
import type { Console } from '../console.ts';
import {
  fileFinder,
  type InvocationOptions,
  lacksParameters,
  openInvocation,
  parametersAdvice,
  readJson,
} from './invocation.ts';

export interface RunOptions extends InvocationOptions, CommandWords {
  readonly format: RunFormat;
  /** The values of `--answer` and `--stub`, each as `NAME=JSON`. */
  readonly answers: readonly string[];
  readonly stubs: readonly string[];
  readonly maxSteps: number | undefined;
}

type RunFormat = 'text' | 'json';

const invocationRecordOf = (result: ComposeResult): InvocationRecord =>
  result.ok ? result.composition.invocationRecord : result.invocationRecord;

/**
 * Prints the trace of a run. Asks the model of `--runner`, and in a terminal for the answers to interrupts. Returns 0 if
 * the exit condition is met, otherwise 1. Throws a `UserError` for status 2 (docs/run.md, "The command").
 */
export async function runSkill(options: RunOptions, console: Console): Promise<number> {
  const { cwd, format, quiet, invocation } = options;
  const model = modelOf(options, cwd);
  const composing = createComposing(startNodeWorker());
  try {
    // Starts the worker while the files are read.
    composing.warm('run');
    const [answers, stubs] = await Promise.all([
      readValues(options.answers, '--answer', cwd),
      readValues(options.stubs, '--stub', cwd),
    ]);
    const opened = await openInvocation(options, console, (sample) => sample === undefined);
    const { project, skillFile, skillPackage, sample, request: compose } = opened;
    const packages = [...closureOf(skillPackage)];
    const namesOf = (entries: readonly { readonly name: string }[]) => entries.map(({ name }) => name);
    assertKnown(
      answers,
      '--answer',
      packages.flatMap(({ interrupts }) => namesOf(interrupts)),
      'interrupt',
    );
    // The stub of a backing service has the name of its contract.
    const services = packages.flatMap(({ backed, name }) => (backed && name ? [name.name] : []));
    const tools = packages.flatMap((one) => namesOf(one.tools));
    assertKnown(stubs, '--stub', [...tools, ...services], 'tool');
    const { analysis } = project.workspace;
    const request = await runRequestOf(analysis, skillFile, sample, compose, keptReader(project), {
      ...(options.maxSteps === undefined ? {} : { maxSteps: options.maxSteps }),
      stubs: stubs.map(({ name, value }) => ({ name, returns: value })),
      answers,
      ...(model && { replies: [] }),
    });
    if (sample === undefined && skillPackage.samples.length > 0 && invocation.params === undefined && !quiet) {
      console.note(parametersAdvice(skillPackage));
    }
    const run = async (request: RunRequest, askMore?: AskMore): Promise<RunResult> => {
      const result = await composing.run('', request, undefined, askMore);
      if (result === 'superseded') throw new UserError('The run was stopped.');
      return result;
    };
    const place = (value: unknown): unknown => placed(analysis, project.fileOf, value);
    const composed = format === 'json' ? await composing.compose('', compose) : 'superseded';
    const head: RunHead = {
      skill: skillPackage.name?.name ?? skillPackage.id ?? '',
      file: project.fileOf(skillPackage.uri),
      sample,
      parameters: compose.parameters,
      generated: compose.madeUp,
      ...(composed !== 'superseded' && { invocationRecord: invocationRecordOf(composed.result) }),
    };
    const given = answers.map(({ name }) => name);
    const printing = { head, format, quiet, given, findFile: fileFinder(project), place, model };
    return await printRun(run, request, printing, console);
  } finally {
    composing.dispose();
  }
}

export interface RunPrinting {
  readonly head: RunHead;
  readonly format: RunFormat;
  readonly quiet: boolean;
  /** The names of the interrupts that `--answer` answers. */
  readonly given: readonly string[];
  readonly findFile: CheckReport['findFile'];
  /** Returns a value with files and ranges instead of URIs and spans. */
  readonly place: (value: unknown) => unknown;
  /** Undefined in a dry run. */
  readonly model?: RunnerModel | undefined;
}

/**
 * Runs and prints, and asks the model while the run stays open. In a terminal, asks for answers and runs again, until the
 * run ends or waits for something that nobody gives.
 */
export async function printRun(
  run: (request: RunRequest, askMore?: AskMore) => Promise<RunResult>,
  request: RunRequest,
  { head, format, quiet, given, findFile, place, model }: RunPrinting,
  console: Console,
): Promise<number> {
  const { colors } = console;
  const isText = format === 'text';
  const answered = [...request.answered];
  /** Only the model replies. */
  const replies = [...(request.replies ?? [])];
  const write = eventsWriter(colors);
  let heading = headToPretty(head, colors);
  /** The number of printed events. */
  let shown = 0;
  const show = (events: readonly RunEvent[]): void => {
    shown += events.length;
    if (!isText || quiet) return;
    console.print(heading + write(events));
    heading = '';
  };
  for (;;) {
    /** The number of events that this run has sent. */
    let sent = 0;
    const askMore: AskMore = async (query, events) => {
      show(events.slice(Math.max(0, shown - sent)));
      sent += events.length;
      if (!model || query.kind !== 'model' || replies.length >= model.most) return undefined;
      if (replies.length === 0) console.note(modelNote(query, model));
      const reply = await model.ask(query);
      replies.push(reply);
      return reply;
    };
    const result = await run({ ...request, answered, ...(request.replies && { replies: [...replies] }) }, askMore);
    if (!result.ok) {
      if (isText) console.printError(errorsToPretty(result.errors, findFile, console));
      else console.print(printedJson({ ...(place(result) as object), invocationRecord: head.invocationRecord }));
      if (!quiet && lacksParameters(result.errors) && !request.compose.makesUp) {
        console.note('Use `--made-up` to generate the missing parameters.');
      }
      return 1;
    }
    const { events, end } = result;
    const question = end.kind === 'waiting' ? end.question : undefined;
    if (question?.problem !== undefined && given.includes(question.name)) {
      throw new UserError(`\`--answer ${question.name}\`: ${question.problem}`);
    }
    show(events.slice(shown));
    const answer = question && isText && console.isTerminal ? await askFor(question, console) : undefined;
    if (answer !== undefined) {
      answered.push(answer);
      continue;
    }
    const status = end.kind === 'met' ? 0 : 1;
    if (!isText) await console.printPieces(traceToJson(head, result, (at) => place(at) as object));
    else if (!quiet || status > 0) console.print(endToPretty(end, findFile, colors));
    const advice = adviceFor(end, head, model);
    if (advice !== undefined) console.note(advice);
    return status;
  }
}

/** Returns the note before the first request. */
const modelNote = ({ tokens }: ModelQuery, { most }: RunnerModel): string =>
  `Asking the model, with at most ${requestsOf(most)}. The first prompt has ${formatNumber(tokens)} tokens.`;

/** Asks for the answer to an interrupt. Returns undefined if the user gives none. */
async function askFor(question: Question, { ask }: Pick<Console, 'ask'>): Promise<Json | undefined> {
  const { schema, message, problem } = question;
  const preset = isObject(schema) ? schema.default : undefined;
  const hints = [schemaText(schema), ...(preset === undefined ? [] : [`default: ${shortJson(preset, 60)}`])];
  const text = [
    `? ${questionText(question)}${message === undefined ? '' : `: ${showInvisible(message)}`}`,
    ...(problem === undefined ? [] : [`  ${showInvisible(problem)}`]),
    `  Answer (${hints.join(', ')}): `,
  ].join('\n');
  for (;;) {
    const line = await ask(text);
    if (line === undefined) return undefined;
    const answer = line.trim() === '' ? preset : typedAnswer(line.trim(), schema);
    if (answer !== undefined) return answer;
  }
}

/** Returns the schema of an answer in a few words. */
function schemaText(schema: Json | undefined): string {
  if (!isObject(schema)) return 'yes, no, or any value as JSON';
  const fields = toShorthand(schema);
  return fields ? `JSON such as ${shortJson(fields, 100)}` : boundedLabel(schema, schema);
}

/** Returns what a user typed as a value: text needs quotes only if it could be another value. */
function typedAnswer(text: string, schema: Json | undefined): Json {
  const type = isObject(schema) ? schema.type : 'boolean';
  if (type === 'boolean' && /^(?:y(?:es)?|no?)$/i.test(text)) return /^y/i.test(text);
  const json = parsedJson(text);
  return json === undefined || (type === 'string' && typeof json !== 'string') ? text : json;
}

function parsedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Returns a sentence that shows how to give what a run waits for; undefined if the run has ended. */
function adviceFor(end: RunEnd, { sample }: RunHead, model: RunnerModel | undefined): string | undefined {
  const where = sample === undefined ? 'a sample' : `the sample \`${sample}\``;
  if (end.kind === 'waiting') {
    const { name, schema } = end.question;
    const { default: preset, const: constant, enum: values, type = 'boolean' } = isObject(schema) ? schema : {};
    const example = preset ?? constant ?? (Array.isArray(values) ? values[0] : type === 'boolean' ? true : undefined);
    return `Answer with \`--answer ${optionWord(name, example)}\`, or with the key \`answers\` of ${where}.`;
  }
  if (end.kind !== 'asking') return undefined;
  const { query } = end;
  if (query.kind === 'model') return model && limitReached(model);
  return `Tools are not called. Give the result with \`--stub ${optionWord(query.tool)}\`, or with the key \`stubs\` of ${where}.`;
}

/** Returns a value of `--answer` or `--stub`, in quotes if a shell requires them. */
function optionWord(name: string, value?: Json): string {
  const word = `${name}=${value === undefined ? 'JSON' : jsonLine(value)}`;
  return /^[\w=.-]+$/.test(word) ? word : `'${word}'`;
}

/** Reads the values of an option that is written as `NAME=JSON`. Throws a `UserError` for an invalid or second value. */
async function readValues(words: readonly string[], option: string, cwd: string): Promise<readonly Answer[]> {
  const values = new Map<string, Json>();
  for (const word of words) {
    const [, name = '', text] = /^([^=]+)=(.+)$/s.exec(word) ?? [];
    if (text === undefined) throw new UserError(`\`${option} ${word}\` must have the form \`NAME=JSON\`.`);
    if (values.has(name)) throw new UserError(`\`${option}\` names \`${name}\` twice. Remove one of the values.`);
    const value = text.startsWith('@') ? await readJson(text, option, cwd) : wordValue(text, name, option);
    if (isTooDeep(value, MAX_NESTING)) throw new UserError(tooDeep(`The value of \`${option} ${name}\``).join(' '));
    values.set(name, value);
  }
  return [...values].map(([name, value]) => ({ name, value }));
}

/** Returns a value of the command line: JSON, or a string without quotes if it cannot be mistaken for another value. */
function wordValue(text: string, name: string, option: string): Json {
  const json = parsedJson(text);
  if (json !== undefined) return json;
  const isText = /^\p{L}/u.test(text) && text === text.trim() && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
  if (isText) return text;
  throw new UserError(
    `The value of \`${option} ${name}\` is not valid JSON. Write a string in both kinds of quotes: \`${option} '${name}="…"'\`.`,
  );
}

/**
 * Throws a `UserError` for a name that is not in `known`. `what` is the noun for the names.
 */
function assertKnown(values: readonly Answer[], option: string, known: readonly string[], what: string): void {
  const unknown = values.find(({ name }) => !known.includes(name));
  if (!unknown) return;
  const { name } = unknown;
  throw new UserError(
    `\`${option}\`: unknown ${what} \`${name}\`.${knownNames(name, [...new Set(known)], `${what}s`)}`,
  );
}
