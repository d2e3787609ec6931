/** The way to a model: a command that the user has named (docs/testing.md, "With a model"). */
import stringArgv from 'string-argv';
import { grouped } from '../../../amounts.ts';
import { listed } from '../../../nearest.ts';
import { readText } from '../../node/read-named.ts';
import { runCommand } from '../../testing/run-command.ts';
import type { SkillTests, TestOptions } from '../../testing/test-skill.ts';
import { UserError } from '../../user-error.ts';
import type { Console } from '../console.ts';

/** The most runs where nobody says. */
const MAX_RUNS = 10;

export interface RunnerWords {
  readonly runner?: string;
  readonly maxRuns?: number;
  readonly record?: true;
}

/** What asks a model, once it is said how often; undefined without `--runner`. */
export async function runnerOf(
  { runner, maxRuns, record }: RunnerWords,
  cwd: string,
  findPrompts: () => Promise<SkillTests['prompts']>,
  console: Pick<Console, 'note'>,
): Promise<TestOptions['run']> {
  if (runner === undefined) {
    if (record) throw new UserError('`--record` keeps what a model gives: name the way to it with `--runner COMMAND`.');
    if (maxRuns !== undefined)
      throw new UserError('`--max-runs` limits the runs of `--runner COMMAND`, which is not given.');
    return undefined;
  }
  const command = stringArgv(runner);
  if (command.length === 0) throw new UserError('`--runner` names no command.');
  const unclosed = /["']/.exec(runner.replace(/"[^"]*"|'[^']*'/g, ''))?.[0];
  if (unclosed !== undefined) throw new UserError(`\`--runner ${runner}\` has a \`${unclosed}\` that is not closed.`);
  const most = maxRuns ?? MAX_RUNS;
  const prompts = await findPrompts();
  const tokens = prompts.reduce((sum, one) => sum + one.tokens, 0);
  const plan = `${grouped(prompts.length)} ${prompts.length === 1 ? 'run' : 'runs'} with prompts of ${grouped(tokens)} tokens`;
  if (prompts.length > most) {
    throw new UserError(
      `These are ${plan}, and at most ${most} are allowed: narrow them with \`--filter\`, or raise \`--max-runs\`.`,
    );
  }
  console.note(`${plan}.`);
  return (input) => runCommand(command, cwd, input);
}

/** Gives the text of a file in place of a model's output, to the one sample that `--filter` leaves. */
export async function recordedOf(
  file: string,
  { runner, filter }: RunnerWords & { readonly filter?: string },
  cwd: string,
  findPrompts: () => Promise<SkillTests['prompts']>,
): Promise<TestOptions['run']> {
  const option = `--recorded ${file}`;
  if (runner !== undefined) {
    throw new UserError(`\`${option}\` is an output, and \`--runner\` asks for one: leave one of them out.`);
  }
  const advice = 'name one sample with `--filter TEXT`, by a part of its name or of `SKILL › SAMPLE`';
  if (filter === undefined) throw new UserError(`\`${option}\` is the output of one sample: ${advice}.`);
  const output = await readText(cwd, file, option);
  const found = await findPrompts();
  if (found.length !== 1) {
    const names = found.slice(0, MAX_NAMED).map(({ key: { sample } }) => `\`${sample}\``);
    const rest = found.length > MAX_NAMED ? [`${found.length - MAX_NAMED} more`] : [];
    const which =
      found.length === 0 ? 'no sample that composes' : `${found.length} samples: ${listed([...names, ...rest], 'and')}`;
    throw new UserError(
      `\`${option}\` is the output of one sample, and \`--filter ${filter}\` matches ${which}; ${advice}.`,
    );
  }
  const { kind, sample } = found[0]?.key ?? {};
  return async (_, key) => (key.kind === kind && key.sample === sample ? { output } : undefined);
}

/** So many samples are named in a message. */
const MAX_NAMED = 3;
