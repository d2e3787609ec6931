/** `skill-composer test`: the tests of skills. */
import { lstat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import stringArgv from 'string-argv';
import { grouped } from '../../../amounts.ts';
import { lineStartsOf } from '../../../text.ts';
import { UNREADABLE } from '../../../workspace/unreadable.ts';
import { createComposing } from '../../composing/composing.ts';
import { startNodeWorker } from '../../composing/node-worker.ts';
import { nodeFiles } from '../../disk/node-files.ts';
import { readFound } from '../../disk/read-file.ts';
import { runCommand } from '../../testing/run-command.ts';
import { type SkillTests, type TestOptions, testSkill } from '../../testing/test-skill.ts';
import type { Console } from '../console.ts';
import { byFile } from '../formats/report.ts';
import { type TestReport, testsToGithub, testsToJson, testsToJunit, testsToPretty } from '../formats/tests.ts';
import { assertCatalogsParse, openProject, type Project } from '../project.ts';
import { Stop } from '../stop.ts';
import { parseCount } from '../words.ts';
import { writeResult } from '../write-result.ts';

export const TEST_FORMATS = ['pretty', 'json', 'junit', 'github'] as const;

export interface TestWords {
  readonly filter?: string;
  readonly snapshots?: true;
  readonly update?: true;
  readonly out?: string;
  readonly shard?: string;
  readonly runner?: string;
  readonly maxRuns?: string;
  readonly record?: true;
}

export interface TestCommand {
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly config: string | undefined;
  readonly format: (typeof TEST_FORMATS)[number];
  readonly quiet: boolean;
  readonly words: TestWords;
}

/** Prints what the tests found; returns 1 where one failed, else 0. Throws a `Stop` for 2. */
export async function runTest(command: TestCommand, console: Console): Promise<number> {
  const { cwd, paths, config, format, quiet, words } = command;
  const { progress, colors } = console;
  const shard = parseShard(words.shard);
  const project = await openProject({ cwd, paths, config, progress });
  assertCatalogsParse(project);
  const report = await testAll(project, shard, words, console).finally(() => progress.end());
  const text = {
    pretty: () => testsToPretty(report, colors, quiet),
    json: () => testsToJson(report),
    junit: () => testsToJunit(report),
    github: () => testsToGithub(report),
  }[format]();
  if (words.out === undefined) console.print(text);
  else await writeResult(resolve(cwd, words.out), text, `--out ${words.out}`);
  return report.files.some(({ results }) => results.some(({ status }) => status === 'failed')) ? 1 : 0;
}

async function testAll(project: Project, shard: Shard, words: TestWords, console: Console): Promise<TestReport> {
  const { workspace, named, fileOf } = project;
  const all = [...named].map((uri) => ({ uri, file: fileOf(uri) })).sort(byFile);
  const files = all.filter((_, at) => at % shard.count === shard.index);
  const composing = createComposing(startNodeWorker());
  const base = {
    composing,
    readKept: (kept: string) => readKept(project, kept),
    files: nodeFiles,
    snapshots: words.snapshots === true,
    filter: words.filter,
  };
  const test = (uri: string, options: TestOptions) => testSkill(workspace.analysis, uri, options).catch(refuse);
  const tested: TestReport['files'][number][] = [];
  const written: string[] = [];
  try {
    const run = await runnerOf(words, project, async (uri) => (await test(uri, base))?.prompts ?? [], files, console);
    for (const [at, { uri, file }] of files.entries()) {
      console.progress.step('Testing', at, files.length);
      let tests = await test(uri, { ...base, run });
      if (tests && words.update && tests.outdated.length > 0) {
        written.push(...(await keep(project, tests.outdated)));
        tests = { ...tests, results: withKept(tests.results) };
      }
      if (tests && words.record) {
        const recorded = await record(project, tests.outputs);
        written.push(...recorded.written);
        for (const note of recorded.notes) console.note(note);
      }
      const skill = workspace.analysis.file(uri);
      if (!tests || !skill) continue;
      const name = skill.contract.name?.name ?? file;
      if (tests.results.length > 0) tested.push({ file, skill: name, lines: skill.lines, results: tests.results });
      for (const { uri: other, text, results } of tests.evals) {
        tested.push({ file: fileOf(other), skill: name, lines: lineStartsOf(text), results });
      }
    }
  } finally {
    composing.dispose();
  }
  return { files: tested, written };
}

/** The results once the prompts are kept as they are now. */
const withKept = (results: SkillTests['results']): SkillTests['results'] =>
  results.map((one) => {
    if (one.kind !== 'snapshot' || one.status !== 'failed') return one;
    const { kind, name, of, span } = one;
    return { kind, name, span, status: 'passed', ...(of === undefined ? {} : { of }) };
  });

async function keep({ pathOf, fileOf }: Project, texts: SkillTests['outdated']): Promise<readonly string[]> {
  for (const { uri, text } of texts) {
    const path = pathOf(uri);
    if (await isLink(dirname(path))) {
      throw new Stop(`\`${fileOf(uri)}\` is not written: its folder is a link, which may lead anywhere.`);
    }
    await writeResult(path, text, `\`${fileOf(uri)}\``);
  }
  return texts.map(({ uri }) => fileOf(uri));
}

const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );

/** An output is kept once: one that is there in the other form stays, and is told. */
async function record(
  project: Project,
  outputs: SkillTests['outputs'],
): Promise<{ readonly written: readonly string[]; readonly notes: readonly string[] }> {
  const notes: string[] = [];
  const fresh: SkillTests['outputs'][number][] = [];
  for (const output of outputs) {
    if ((await readKept(project, output.other)) === undefined) fresh.push(output);
    else
      notes.push(
        `\`${project.fileOf(output.uri)}\` is not recorded: \`${project.fileOf(output.other)}\` is there, and an output is kept once.`,
      );
  }
  return { written: await keep(project, fresh), notes };
}

/** The most runs where nobody says. */
const MAX_RUNS = 10;

/** What asks a model, once it is said how often; undefined without `--runner`. */
async function runnerOf(
  { runner, maxRuns, record: records }: TestWords,
  { cwd }: Project,
  promptsOf: (uri: string) => Promise<SkillTests['prompts']>,
  files: readonly { readonly uri: string }[],
  console: Console,
): Promise<TestOptions['run']> {
  if (runner === undefined) {
    if (records) throw new Stop('`--record` keeps what a model gives: name the way to it with `--runner COMMAND`.');
    return undefined;
  }
  const command = stringArgv(runner);
  if (command.length === 0) throw new Stop('`--runner` names no command.');
  const most = parseCount(maxRuns ?? String(MAX_RUNS), '--max-runs');
  const prompts: SkillTests['prompts'][number][] = [];
  for (const { uri } of files) prompts.push(...(await promptsOf(uri)));
  const tokens = prompts.reduce((sum, one) => sum + one.tokens, 0);
  const plan = `${grouped(prompts.length)} ${prompts.length === 1 ? 'run' : 'runs'} with prompts of ${grouped(tokens)} tokens`;
  if (prompts.length > most) {
    throw new Stop(
      `These are ${plan}, and at most ${most} are allowed: narrow them with \`--filter\`, or raise \`--max-runs\`.`,
    );
  }
  console.note(`${plan}.`);
  return (input) => runCommand(command, cwd, input);
}

function refuse(error: unknown): never {
  throw new Stop(`The skills cannot be tested: ${error instanceof Error ? error.message : error}`);
}

async function readKept({ pathOf, fileOf, named }: Project, uri: string): Promise<string | undefined> {
  const content = await readFound(pathOf(uri), { folders: [], readsItself: () => named.has(uri) });
  if (content.kind === 'text') return content.text;
  if (content.kind === 'absent') return undefined;
  throw new Error(
    `\`${fileOf(uri)}\` cannot be read: ${UNREADABLE[content.kind === 'unreadable' ? content.reason : 'outside'].reason}.`,
  );
}

interface Shard {
  /** From 0. */
  readonly index: number;
  readonly count: number;
}

function parseShard(word: string | undefined): Shard {
  if (word === undefined) return { index: 0, count: 1 };
  const [, part, count] = /^(\d{1,4})\/(\d{1,4})$/.exec(word) ?? [];
  const shard = { index: Number(part) - 1, count: Number(count) };
  if (shard.index >= 0 && shard.index < shard.count) return shard;
  throw new Stop(`\`--shard ${word}\`: write the part and how many there are, such as 1/4.`);
}
