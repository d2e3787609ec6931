/** The command that runs a model, for `test` and `run` (docs/testing.md and docs/run.md, "With a model"). */
import stringArgv from 'string-argv';
import { isMap, isTooDeep, MAX_DEPTH } from '../../composer/json.ts';
import { formatNumber } from '../../format-amounts.ts';
import { runCommand } from '../../io/processes.ts';
import { readText } from '../../io/read-named.ts';
import { UserError } from '../../io/user-error.ts';
import { isJson } from '../../languages/yaml/json.ts';
import type { Json } from '../../languages/yaml/node.ts';
import { listed } from '../../nearest.ts';
import type { ModelQuery, RunReply } from '../../protocol.ts';
import type { RunInput, SkillTests, TestOptions } from './test-skill.ts';

/** The default maximum number of runs in tests. */
const MAX_RUNS = 10;

export interface CommandWords {
  readonly runner?: string | undefined;
  readonly maxRuns?: number | undefined;
}

export interface RunnerWords extends CommandWords {
  readonly record?: true;
}

/** Returns the words of the command in `--runner`; undefined without it. Throws a `UserError` for invalid options. */
function commandOf({ runner, maxRuns }: CommandWords): readonly string[] | undefined {
  if (runner === undefined) {
    if (maxRuns === undefined) return undefined;
    throw new UserError('`--max-runs` has no effect without a model. Add `--runner COMMAND`.');
  }
  const command = stringArgv(runner);
  if (command.length === 0)
    throw new UserError('`--runner` has no command. Write for example `--runner "node model.mjs"`.');
  const unclosed = /["']/.exec(runner.replace(/"[^"]*"|'[^']*'/g, ''))?.[0];
  if (unclosed !== undefined) throw new UserError(`\`--runner ${runner}\` has an unclosed \`${unclosed}\`.`);
  return command;
}

/** Passes a line on the number of runs to `note`, and returns the function that runs a model; undefined without `--runner`. */
export async function runnerOf(
  words: RunnerWords,
  cwd: string,
  findPrompts: () => Promise<SkillTests['prompts']>,
  note: (line: string) => void,
): Promise<TestOptions['run']> {
  const { runner, maxRuns, record } = words;
  if (runner === undefined && record)
    throw new UserError('`--record` has no effect without a model. Add `--runner COMMAND`.');
  const command = commandOf(words);
  if (!command) return undefined;
  const most = maxRuns ?? MAX_RUNS;
  const prompts = await findPrompts();
  const tokens = prompts.reduce((sum, one) => sum + one.tokens, 0);
  const plan = `${formatNumber(prompts.length)} ${prompts.length === 1 ? 'run' : 'runs'} with prompts of ${formatNumber(tokens)} tokens`;
  if (prompts.length > most) {
    throw new UserError(`The tests need ${plan}; the limit is ${most}. Use \`--filter\`, or increase \`--max-runs\`.`);
  }
  note(`${plan}.`);
  return (input) => runCommand(command, cwd, input);
}

/** The JSON that the command receives in a run of a skill: that of a test, and what the run knows at this point. */
interface StageInput extends RunInput {
  readonly stage: string;
  readonly instructions: string | null;
  readonly results: ModelQuery['results'];
  readonly outputs: ModelQuery['outputs'];
  readonly tool_details: readonly {
    readonly name: string;
    readonly description: string | null;
    readonly input_schema: Json;
  }[];
}

const inputOf = ({ prompt, tools, model, schema, label, instructions, results, outputs }: ModelQuery): StageInput => ({
  prompt,
  tools: tools.map(({ name }) => name),
  model: model ?? null,
  output_schema: schema ?? null,
  stage: label,
  instructions: instructions ?? null,
  results,
  outputs,
  tool_details: tools.map(({ name, description = null, inputSchema = null }) => ({
    name,
    description,
    input_schema: inputSchema,
  })),
});

/** The default maximum number of requests to a model in a run. */
const MAX_REQUESTS = 30;

export interface RunnerModel {
  /** Asks the model. `signal` ends the command. Never rejects: a failure of the command is a reply. */
  readonly ask: (query: ModelQuery, signal?: AbortSignal) => Promise<RunReply>;
  /** The maximum number of requests. */
  readonly most: number;
}

/**
 * Returns the model that the command in `--runner` asks (docs/run.md, "With a model"); undefined without the option.
 * Throws a `UserError` for invalid options.
 */
export function modelOf(words: CommandWords, cwd: string): RunnerModel | undefined {
  const command = commandOf(words);
  if (!command) return undefined;
  const ask = async (query: ModelQuery, signal?: AbortSignal): Promise<RunReply> => {
    const outcome = await runCommand(command, cwd, inputOf(query), undefined, signal);
    if ('problem' in outcome) return { kind: 'failure', code: 'MODEL_FAILED', message: outcome.problem };
    // Most programs print a line break after their output.
    return callIn(outcome.output) ?? { kind: 'output', text: outcome.output.replace(/\r?\n$/, '') };
  };
  return { ask, most: words.maxRuns ?? MAX_REQUESTS };
}

/** Returns a number of requests in words. */
export const requestsOf = (count: number): string => `${formatNumber(count)} ${count === 1 ? 'request' : 'requests'}`;

export const limitReached = ({ most }: RunnerModel): string =>
  `The limit of ${requestsOf(most)} to the model is reached. Increase \`--max-runs\`.`;

/** Returns the call in the output of the command: a JSON object with only `call` and optionally `input`. */
function callIn(text: string): RunReply | undefined {
  const json: Json = isJson(text) ? JSON.parse(text) : null;
  if (!isMap(json)) return undefined;
  const { call, input = {}, ...others } = json;
  if (typeof call !== 'string' || !isMap(input) || Object.keys(others).length > 0) return undefined;
  if (isTooDeep(input)) {
    const message = `The input of \`${call}\` is nested more than ${MAX_DEPTH} levels deep.`;
    return { kind: 'failure', code: 'WRONG_REPLY', message };
  }
  return { kind: 'call', tool: call, input };
}

/** Returns a function that uses the text of a file as the model's output for the sample that `--filter` selects. */
export async function recordedOf(
  file: string,
  { runner, filter }: RunnerWords & { readonly filter?: string },
  cwd: string,
  findPrompts: () => Promise<SkillTests['prompts']>,
): Promise<TestOptions['run']> {
  const option = `--recorded ${file}`;
  if (runner !== undefined) {
    throw new UserError(`\`${option}\` cannot be used with \`--runner\`. Remove one of them.`);
  }
  const advice = 'Select one sample with `--filter TEXT`, where TEXT is part of its name or of `SKILL › SAMPLE`';
  if (filter === undefined) throw new UserError(`\`${option}\` requires a sample. ${advice}.`);
  const output = await readText(cwd, file, option);
  const found = await findPrompts();
  if (found.length !== 1) {
    const names = found.slice(0, MAX_NAMED).map(({ key: { sample } }) => `\`${sample}\``);
    const rest = found.length > MAX_NAMED ? [`${found.length - MAX_NAMED} more`] : [];
    const which =
      found.length === 0 ? 'no sample that composes' : `${found.length} samples: ${listed([...names, ...rest], 'and')}`;
    throw new UserError(`\`${option}\` requires one sample, but \`--filter ${filter}\` matches ${which}. ${advice}.`);
  }
  const { kind, sample } = found[0]?.key ?? {};
  return async (_, key) => (key.kind === kind && key.sample === sample ? { output } : undefined);
}

/** The maximum number of samples that a message names. */
const MAX_NAMED = 3;
