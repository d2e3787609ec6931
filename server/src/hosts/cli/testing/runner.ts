/** The user's command that runs a model (docs/testing.md, "With a model"). */
import stringArgv from 'string-argv';
import { formatNumber } from '../../../format-amounts.ts';
import { listed } from '../../../nearest.ts';
import { runCommand } from '../../node/processes.ts';
import { readText } from '../../node/read-named.ts';
import type { SkillTests, TestOptions } from '../../testing/test-skill.ts';
import { UserError } from '../../user-error.ts';
import type { Console } from '../console.ts';

/** The default maximum number of runs. */
const MAX_RUNS = 10;

export interface RunnerWords {
  readonly runner?: string;
  readonly maxRuns?: number;
  readonly record?: true;
}

/** Prints a note on the number of runs, and returns the function that runs a model; undefined without `--runner`. */
export async function runnerOf(
  { runner, maxRuns, record }: RunnerWords,
  cwd: string,
  findPrompts: () => Promise<SkillTests['prompts']>,
  console: Pick<Console, 'note'>,
): Promise<TestOptions['run']> {
  if (runner === undefined) {
    if (record) throw new UserError('`--record` has no effect without a model. Add `--runner COMMAND`.');
    if (maxRuns !== undefined)
      throw new UserError('`--max-runs` has no effect without a model. Add `--runner COMMAND`.');
    return undefined;
  }
  const command = stringArgv(runner);
  if (command.length === 0)
    throw new UserError('`--runner` has no command. Write for example `--runner "node model.mjs"`.');
  const unclosed = /["']/.exec(runner.replace(/"[^"]*"|'[^']*'/g, ''))?.[0];
  if (unclosed !== undefined) throw new UserError(`\`--runner ${runner}\` has an unclosed \`${unclosed}\`.`);
  const most = maxRuns ?? MAX_RUNS;
  const prompts = await findPrompts();
  const tokens = prompts.reduce((sum, one) => sum + one.tokens, 0);
  const plan = `${formatNumber(prompts.length)} ${prompts.length === 1 ? 'run' : 'runs'} with prompts of ${formatNumber(tokens)} tokens`;
  if (prompts.length > most) {
    throw new UserError(`The tests need ${plan}; the limit is ${most}. Use \`--filter\`, or increase \`--max-runs\`.`);
  }
  console.note(`${plan}.`);
  return (input) => runCommand(command, cwd, input);
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
