/** `skill-composer test`: the tests of skills. */
import { resolve } from 'node:path';
import { skillChoices } from '../../../analysis/routing.ts';
import { keptReader } from '../../../io/kept-reader.ts';
import { nodeFiles } from '../../../io/node-files.ts';
import { assertCatalogsParse, openProject, type Project } from '../../../io/project.ts';
import { writeResult } from '../../../io/read-named.ts';
import { parseShard, partOf, type Shard } from '../../../io/select-files.ts';
import { UserError, userMessage } from '../../../io/user-error.ts';
import { byFile } from '../../../reports/check-report.ts';
import {
  type TestReport,
  testsToGithub,
  testsToJson,
  testsToJunit,
  testsToPretty,
} from '../../../reports/test-results.ts';
import { createComposing } from '../../../services/composing/composing.ts';
import { startNodeWorker } from '../../../services/composing/node-worker.ts';
import { type RunnerWords, recordedOf, runnerOf } from '../../../services/testing/runner.ts';
import {
  notRun,
  type SkillTests,
  type TestOptions,
  testSkill,
  unreadTests,
} from '../../../services/testing/test-skill.ts';
import { lineStartsOf, span } from '../../../text.ts';
import { nameFromUri } from '../../../vocabulary/dialect.ts';
import { type Console, reportText } from '../console.ts';
import { type ExportTool, exportTests, type TestsToExport } from '../testing/export-tests.ts';
import { hasFailed, record, saveTexts, type TestedFile, testedFiles } from '../testing/watch-tests.ts';

export interface TestWords extends RunnerWords {
  readonly filter?: string;
  readonly snapshots?: true;
  readonly update?: true;
  readonly out?: string;
  readonly shard?: string;
  readonly recorded?: string;
  readonly export?: ExportTool;
}

export interface TestCommand {
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly config: string | undefined;
  readonly format: 'pretty' | 'json' | 'junit' | 'github';
  readonly quiet: boolean;
  readonly words: TestWords;
}

/** Prints the test results. Returns 1 if a test failed, else 0. Throws a `UserError` for status 2. */
export async function runTest(command: TestCommand, console: Console): Promise<number> {
  const { cwd, paths, config, format, quiet, words } = command;
  const { progress, colors } = console;
  const shard = parseShard(words.shard);
  const project = await openProject({ cwd, paths, config, progress });
  assertCatalogsParse(project);
  if (words.export !== undefined) return exportAll(project, words.export, words, console);
  const report = await testAll(project, shard, words, console).finally(() => progress.end());
  if (report.files.length === 0) reportNoTests(project, words, console);
  const text = {
    pretty: () => testsToPretty(report, colors, quiet),
    json: () => testsToJson(report),
    junit: () => testsToJunit(report, { note: console.note }),
    github: () => testsToGithub(report),
  }[format]();
  if (words.out === undefined) console.print(text, format);
  else await writeResult(resolve(cwd, words.out), reportText(text, format), `--out ${words.out}`);
  return report.files.some(hasFailed) ? 1 : 0;
}

/** Reports that no tests were found. Throws a `UserError` if the filter matches nothing. A shard may be empty. */
function reportNoTests({ named }: Project, { filter, shard }: TestWords, { note }: Console): void {
  if (shard !== undefined) return;
  if (filter !== undefined) {
    throw new UserError(`No test matches \`--filter ${filter}\`. Remove \`--filter\` to run all tests.`);
  }
  const files = named.size === 1 ? 'file' : 'files';
  note(
    `No tests found in ${named.size} ${files}. Add \`samples\`, an example with an output, a routing case, or \`evals/evals.json\` beside a \`SKILL.md\`.`,
  );
}

async function exportAll(
  project: Project,
  to: ExportTool,
  { out, filter }: TestWords,
  console: Console,
): Promise<number> {
  const { workspace, named, fileOf, cwd } = project;
  const files = [...named].map((uri) => ({ uri, file: fileOf(uri) })).sort(byFile);
  const composing = createComposing(startNodeWorker());
  const options = { composing, readKept: keptReader(project), files: nodeFiles, snapshots: false, filter };
  const choiceOf = skillChoices(workspace.analysis);
  const tests: TestsToExport[] = [];
  try {
    for (const { uri } of files) {
      const found = await testSkill(workspace.analysis, uri, options).then(
        (one) => one ?? unreadTests(workspace.analysis, uri),
        refuse,
      );
      const skill = workspace.analysis.file(uri)?.contract.name?.name ?? nameFromUri(uri);
      const choice = found && found.routing.length > 0 ? choiceOf(uri) : undefined;
      if (found) tests.push({ ...found, uri, skill, choice });
    }
  } finally {
    composing.dispose();
  }
  return exportTests({ to, cwd, out }, tests, console);
}

async function testAll(project: Project, shard: Shard, words: TestWords, console: Console): Promise<TestReport> {
  const { workspace, named, fileOf } = project;
  const all = [...named].map((uri) => ({ uri, file: fileOf(uri) })).sort(byFile);
  const files = partOf(all, shard);
  const composing = createComposing(startNodeWorker());
  const base = {
    composing,
    readKept: keptReader(project),
    files: nodeFiles,
    snapshots: words.snapshots === true,
    filter: words.filter,
  };
  const test = (uri: string, options: TestOptions) => testSkill(workspace.analysis, uri, options).catch(refuse);
  const promptsOfAll = async (evalPrompts: boolean): Promise<SkillTests['prompts']> => {
    const prompts: SkillTests['prompts'][number][] = [];
    for (const { uri } of files) prompts.push(...((await test(uri, { ...base, evalPrompts }))?.prompts ?? []));
    return prompts;
  };
  const tested: TestedFile[] = [];
  const written: string[] = [];
  try {
    const run =
      words.recorded === undefined
        ? await runnerOf(
            words,
            project.cwd,
            () => promptsOfAll(true),
            (line) => console.note(line),
          )
        : await recordedOf(words.recorded, words, project.cwd, () => promptsOfAll(false));
    for (const [at, { uri }] of files.entries()) {
      console.progress.step('Testing', at, files.length);
      let tests = await test(uri, { ...base, run });
      if (tests && words.update && tests.outdated.length > 0) {
        written.push(...(await saveTexts(project, tests.outdated)));
        tests = { ...tests, results: withSavedPrompts(tests.results) };
      }
      if (tests && words.record) {
        const recorded = await record(project, tests.outputs);
        written.push(...recorded.written);
        for (const note of recorded.notes) console.note(note);
      }
      tested.push(...testedFiles(workspace.analysis, uri, tests, fileOf));
    }
  } finally {
    composing.dispose();
  }
  return { files: [...tested, ...unreadFolders(project, shard)], written };
}

/** Returns a failed result for each folder that cannot be read, because it may contain tests. */
const unreadFolders = ({ unreadable }: Project, shard: Shard): readonly TestedFile[] =>
  partOf(
    unreadable.map(({ folder, message }) => ({ uri: folder, file: folder, message })),
    shard,
  ).map(({ file, message }) => ({
    ...{ file, skill: file, lines: lineStartsOf('') },
    results: [notRun({ message, span: span(0, 0) })],
  }));

/** Returns the results as they are once the current prompts are saved: failed snapshots pass. */
const withSavedPrompts = (results: SkillTests['results']): SkillTests['results'] =>
  results.map((one) => {
    if (one.kind !== 'snapshot' || one.status !== 'failed') return one;
    const { kind, name, of, span } = one;
    return { kind, name, span, status: 'passed', ...(of === undefined ? {} : { of }) };
  });

function refuse(error: unknown): never {
  throw new UserError(`The skills cannot be tested: ${userMessage(error)}`);
}
