/** Runs the tests of one skill that need no model (docs/testing.md). */

import type { Analysis } from '../../analysis/analysis.ts';
import { failureMessage, nameOfCase, type RoutingCase, route, routingCases } from '../../analysis/routing.ts';
import type { ComposeRequest, ComposeResult, Composition } from '../../composer/composition.ts';
import type { Files } from '../../io/files.ts';
import { userMessage } from '../../io/user-error.ts';
import { isJson } from '../../languages/yaml/json.ts';
import type { RunKey } from '../../protocol.ts';
import { fileProblem, type TestProblem, testProblems } from '../../rules/engine/test-problems.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { resolvePath } from '../../skill-folder/links.ts';
import {
  checkOutput,
  checkSample,
  invalidAssertions,
  type SampleCase,
  withoutOutput,
} from '../../testing/check-sample.ts';
import { type EvalCase, type Evals, withModelOutput } from '../../testing/evals.ts';
import { exampleTests, exampleTexts } from '../../testing/example-tests.ts';
import { readExpectation } from '../../testing/expectation.ts';
import { type ExportedCase, exportedCase } from '../../testing/export.ts';
import { numbered, type TestKind, type TestResult, withoutOwnSource } from '../../testing/result.ts';
import { OUTPUTS, PROMPTS, savedText } from '../../testing/saved-files.ts';
import { folderOf } from '../../vocabulary/dialect.ts';
import { sampleRequests } from '../composing/compose-samples.ts';
import type { Composing } from '../composing/composing.ts';
import { checkRun, expectsRun } from './check-run.ts';
import { composeCase, evalFiles } from './eval-files.ts';
import { keptUri, nameOf, type ReadKept, readRecorded, runRequestOf } from './run-request.ts';

/** The JSON that the command receives on its standard input. */
export interface RunInput {
  readonly prompt: string;
  readonly tools: readonly string[];
  readonly model: string | null;
  readonly output_schema: unknown;
}

export type RunOutcome = { readonly output: string } | { readonly problem: string };

export interface TestOptions {
  readonly composing: Composing;
  readonly readKept: ReadKept;
  readonly files: Pick<Files, 'list' | 'exists'>;
  /** Calls a model. Without this function, or if it returns undefined for a sample, the recorded outputs are tested. */
  readonly run?: ((input: RunInput, key: RunKey) => Promise<RunOutcome | undefined>) | undefined;
  /** True to return the prompts of evals although no model is called. */
  readonly evalPrompts?: boolean;
  /** True to compare every sample with its saved prompt, not only the samples that request it. */
  readonly snapshots: boolean;
  /** The text that the name of a test must contain. */
  readonly filter?: string | undefined;
  /** The names of the samples and examples to test; undefined for all. */
  readonly only?: ReadonlySet<string> | undefined;
}

export interface SkillTests {
  readonly results: readonly TestResult[];
  /** The results of files in `evals/` beside a `SKILL.md`; spans refer to the text of these files. */
  readonly evals: readonly { readonly uri: string; readonly text: string; readonly results: readonly TestResult[] }[];
  /** The selected routing cases, each with the URI of its file, which may be in `evals/`. */
  readonly routing: readonly (RoutingCase & { readonly uri: string })[];
  /** The prompts for a model. */
  readonly prompts: readonly {
    readonly key: RunKey;
    readonly tokens: number;
    /** Undefined for a case in `evals/`, which is not exported. */
    readonly exported?: () => ExportedCase;
  }[];
  /** The outputs of a model, each with the file to record it in. The file `other` must not exist beside `uri`. */
  readonly outputs: readonly { readonly uri: string; readonly other: string; readonly text: string }[];
  /** The saved prompts that differ from the prompts of this run, with the new text. */
  readonly outdated: readonly { readonly uri: string; readonly text: string }[];
}

/**
 * Runs the tests of a skill. Returns undefined if the file is not a skill, or if a newer run replaces the current run.
 * Rejects if no composing worker can be started.
 */
export async function testSkill(
  analysis: Analysis,
  uri: string,
  options: TestOptions,
): Promise<SkillTests | undefined> {
  const file = analysis.file(uri);
  if (!file?.isSkill || file.frontmatter.tree.broken || fileProblem(analysis, file)) return undefined;
  const { composing, filter, only } = options;
  const isSelected = (sample: string | undefined): boolean => !only || (sample !== undefined && only.has(sample));
  const results: TestResult[] = [];
  const outdated: SkillTests['outdated'][number][] = [];
  const prompts: SkillTests['prompts'][number][] = [];
  const outputs: SkillTests['outputs'][number][] = [];
  const invalid = problemResults(testProblems(analysis, file));
  const isInvalid = (kind: TestKind, name: string): boolean =>
    invalid.some((one) => one.kind === kind && one.of === name && !one.isOfFile);
  for (const { sample: name, request } of sampleRequests(analysis, uri)) {
    const sample = caseOf(file, name);
    if (!sample || !isSelected(name)) continue;
    if (isInvalid('composes', name)) {
      results.push(...invalid.filter((one) => one.kind === 'composes' && one.of === name));
      continue;
    }
    const composed = await composing.compose(`test ${name} of ${uri}`, request);
    if (composed === 'superseded') return undefined;
    const { result } = composed;
    const snapshot = await snapshotOf(analysis, file, sample, options).catch(userMessage);
    if (typeof snapshot === 'string') {
      results.push({ kind: 'snapshot', name, of: name, status: 'failed', span: sample.span, message: snapshot });
      continue;
    }
    const total = result.ok ? result.composition.tokens.total : 0;
    const judged = checkSample(sample, result, { snapshot, countTokens: () => total });
    results.push(...judged.map((one) => withoutOwnSource(one, uri)));
    if (!result.ok || sample.expect.fails) continue;
    results.push(...invalidAssertions(sample, result.composition).map((one) => withoutOwnSource(one, uri)));
    const { prompt } = result.composition;
    const isWantedSample = filter === undefined || isWanted(file, name, filter);
    if (isWantedSample) {
      if (snapshot && savedText(prompt) !== snapshot.text)
        outdated.push({ uri: snapshot.uri, text: savedText(prompt) });
      const { composition } = result;
      const asExported = () => exportedCase(nameOf(file), sample, composition, file.contract.output?.schema);
      prompts.push({ key: { kind: 'sample', sample: name }, tokens: total, exported: asExported });
    }
    if (expectsRun(sample)) {
      const checked = await runResults(analysis, file, sample, request, options);
      if (!checked) return undefined;
      results.push(...checked);
    }
    const base = keptUri(analysis, file, OUTPUTS, name);
    if (options.run && !isWantedSample) continue;
    const asked = await options.run?.(inputOf(result.composition, request), { kind: 'sample', sample: name });
    const outcome = asked ?? (await recordedOutcome(base, options));
    if (!outcome) {
      results.push(...withoutOutput(sample));
      continue;
    }
    if ('problem' in outcome) {
      results.push({ kind: 'output', name, of: name, status: 'failed', span: sample.span, message: outcome.problem });
      continue;
    }
    if (asked) outputs.push(recordOf(base, outcome.output));
    const count = await counting(composing, [outcome.output]);
    results.push(...checkOutput(sample, outcome.output, result.composition, file.contract.output?.schema, count));
  }
  const routing: SkillTests['routing'][number][] = [];
  for (const one of routingCases(file)) {
    if (!isSelected(nameOfCase(one))) continue;
    results.push(routingTest(analysis, file, one));
    if (filter === undefined || isWanted(file, nameOfCase(one), filter)) routing.push({ ...one, uri });
  }
  const examples = exampleTests(file, await counting(composing, exampleTexts(file)));
  results.push(...examples.filter(({ of = '' }) => !isInvalid('example', of)));
  results.push(...invalid.filter((one) => !results.includes(one)));
  const wanted = results.filter((one) => isSelected(one.of) && (filter === undefined || isFiltered(file, one, filter)));
  const { evals, triggers } = await evalsOf(analysis, file, options, prompts);
  return { results: wanted, outdated, prompts, outputs, evals, routing: [...routing, ...triggers] };
}

/**
 * Returns one failed result for a skill whose tests cannot be read, because it may have tests; undefined for other
 * files.
 */
export function unreadTests(analysis: Analysis, uri: string): SkillTests | undefined {
  const file = analysis.file(uri);
  const problem = file && fileProblem(analysis, file);
  const none = { evals: [], routing: [], prompts: [], outputs: [], outdated: [] };
  return problem && { ...none, results: [notRun(problem)] };
}

/** Returns the result of a file or a folder whose tests cannot be read. */
export const notRun = ({ span, message }: Pick<TestResult, 'span'> & { readonly message: string }): TestResult => ({
  ...{ kind: 'composes', name: 'all tests', status: 'failed' },
  ...{ isNotRun: true, isOfFile: true, span, message },
});

/**
 * Returns a failed result for each problem. A problem that may concern a test with any name is selected by every
 * filter.
 */
function problemResults(problems: readonly TestProblem[]): readonly TestResult[] {
  const names = numbered(problems.map(({ part }) => part.name));
  return problems.map(({ part, span, message }, at) => ({
    ...{ kind: part.kind === 'sample' ? 'composes' : part.kind, name: names[at] ?? part.name, of: part.name },
    ...{ status: 'failed', isNotRun: true, message, span },
    ...(part.isWhole ? { isOfFile: true } : {}),
  }));
}

/** Runs a sample without a model. Returns undefined if a newer run replaces the current run. */
async function runResults(
  analysis: Analysis,
  file: SkillFile,
  sample: SampleCase,
  compose: ComposeRequest,
  { composing, readKept }: TestOptions,
): Promise<readonly TestResult[] | undefined> {
  const { name, span } = sample;
  const failed = (message: string): readonly TestResult[] => [
    { kind: 'path', name, of: name, status: 'failed', span, message },
  ];
  const request = await runRequestOf(analysis, file, name, compose, readKept).catch(userMessage);
  if (typeof request === 'string') return failed(request);
  const trace = await composing.run(`test ${name} of ${file.uri}`, request);
  if (trace === 'superseded') return undefined;
  return trace.ok ? checkRun(sample, trace) : failed(trace.errors.map(({ message }) => message).join(' '));
}

/** Returns the results and the routing cases of the files in `evals/`, and adds their prompts to `prompts`. */
async function evalsOf(
  analysis: Analysis,
  file: SkillFile,
  options: TestOptions,
  prompts: SkillTests['prompts'][number][],
): Promise<{ readonly evals: SkillTests['evals']; readonly triggers: SkillTests['routing'] }> {
  const { files, readKept, filter, only } = options;
  const folder = folderOf(file.uri);
  const found: SkillTests['evals'][number][] = [];
  const triggers: SkillTests['routing'][number][] = [];
  for (const { uri, text, evals } of await evalFiles(file, files, readKept)) {
    const isSelected = ({ name }: EvalCase): boolean =>
      (!only || only.has(name)) && (filter === undefined || isWanted(file, name, filter));
    const cases = evals.cases.filter(isSelected);
    const results = [...(await runCases(analysis, file, { ...evals, cases }, options, prompts))];
    for (const { request, shouldTrigger: should, span } of evals.triggers) {
      const one = { request, should, span };
      if (only && !only.has(nameOfCase(one))) continue;
      results.push(routingTest(analysis, file, one));
      if (filter === undefined || isWanted(file, nameOfCase(one), filter)) triggers.push({ ...one, uri });
    }
    for (const { name, of, path, span } of evals.files) {
      const isThere = !/^[/\\]|(^|[/\\])\.\.([/\\]|$)/.test(path) && (await files.exists(resolvePath(folder, path)));
      const message = `\`${path}\` does not exist in the skill's folder. Paths are relative to this folder.`;
      const test = { kind: 'evals', name, of, span } as const;
      results.push(isThere ? { ...test, status: 'passed' } : { ...test, status: 'failed', message });
    }
    const wanted = results.filter(
      (one) =>
        (!only || (one.of !== undefined && only.has(one.of))) &&
        (filter === undefined || isFiltered(file, one, filter)),
    );
    if (wanted.length > 0) found.push({ uri, text, results: wanted });
  }
  return { evals: found, triggers };
}

/** Returns the results of an eval file, including the results of cases that were run with a model. */
async function runCases(
  analysis: Analysis,
  file: SkillFile,
  evals: Evals,
  { composing, run, evalPrompts }: TestOptions,
  prompts: SkillTests['prompts'][number][],
): Promise<readonly TestResult[]> {
  let { results } = evals;
  if (!run && !evalPrompts) return results;
  for (const one of evals.cases) {
    const composed = await composeCase(analysis, file, one, composing);
    if (!composed) continue;
    const key = { kind: 'evals', sample: one.name } as const;
    prompts.push({ key, tokens: composed.composition.tokens.total });
    const outcome = await run?.(inputOf(composed.composition, composed.request), key);
    if (outcome) results = withModelOutput(one, outcome, results);
  }
  return results;
}

/**
 * Returns whether a filter selects a result. A test that was not run has no results for its expectations, so a filter
 * with the name of an expectation selects the whole test.
 */
function isFiltered(file: SkillFile, { name, of = name, isNotRun, isOfFile }: TestResult, filter: string): boolean {
  if (isOfFile || isWanted(file, name, filter)) return true;
  const end = filter.lastIndexOf('›');
  const owner = filter.slice(0, Math.max(0, end)).trim().toLowerCase();
  return isNotRun === true && end >= 0 && `${nameOf(file)} › ${of}`.toLowerCase().endsWith(owner);
}

/** Returns whether the name of a test, preceded by the name of its skill, contains the filter, ignoring case. */
const isWanted = (file: SkillFile, name: string, filter: string): boolean =>
  `${nameOf(file)} › ${name}`.toLowerCase().includes(filter.toLowerCase());

/** The results of the expectations of a sample that need only its composition. */
interface ComposedChecks {
  /** The results that did not pass. */
  readonly failed: readonly TestResult[];
  /** True if the sample also expects something of a run or an output, which is not checked. */
  readonly isPartial: boolean;
}

/**
 * Checks the expectations of a sample that need only its composition (docs/testing.md, "Expectations of a sample").
 * Returns undefined if the sample does not exist, expects an error or does not compose. A saved prompt that cannot be read
 * fails.
 */
export async function checkComposed(
  analysis: Analysis,
  file: SkillFile,
  name: string,
  result: ComposeResult,
  readKept: ReadKept,
): Promise<ComposedChecks | undefined> {
  const sample = caseOf(file, name);
  if (!sample || !result.ok || sample.expect.fails) return undefined;
  const { composition } = result;
  const snapshot = await snapshotOf(analysis, file, sample, { snapshots: false, readKept }).catch(userMessage);
  if (typeof snapshot === 'string') {
    const { span } = sample;
    return {
      failed: [{ kind: 'snapshot', name, of: name, status: 'failed', span, message: snapshot }],
      isPartial: true,
    };
  }
  const results = checkSample(sample, result, { snapshot, countTokens: () => composition.tokens.total });
  const isOpen = results.some(({ status }) => status === 'skipped');
  return {
    failed: results.filter(({ status }) => status === 'failed' || status === 'warned'),
    isPartial: isOpen || expectsRun(sample) || sample.expect.output.length > 0,
  };
}

function caseOf({ contract }: SkillFile, name: string): SampleCase | undefined {
  const entry = contract.samples.find((one) => one.name === name);
  return entry && { name, span: entry.span, expect: readExpectation(entry.value) };
}

function routingTest(analysis: Analysis, file: SkillFile, one: RoutingCase): TestResult {
  const routed = route(analysis, file.uri, one);
  const name = nameOfCase(one);
  const test = { kind: 'routing', name, of: name, span: one.span } as const;
  if (!routed.isApplicable) {
    return { ...test, status: 'skipped', message: 'The skill is disabled, or another skill replaces it.' };
  }
  return routed.holds
    ? { ...test, status: 'passed' }
    : { ...test, status: 'failed', message: failureMessage(one, routed) };
}

async function snapshotOf(
  analysis: Analysis,
  file: SkillFile,
  { name, expect }: SampleCase,
  { snapshots, readKept }: Pick<TestOptions, 'snapshots' | 'readKept'>,
): Promise<{ readonly uri: string; readonly file: string; readonly text: string | undefined } | undefined> {
  if (!snapshots && !expect.snapshot) return undefined;
  const uri = `${keptUri(analysis, file, PROMPTS, name)}.txt`;
  return { uri, file: decodeURIComponent(uri.slice(folderOf(file.uri).length + 1)), text: await readKept(uri) };
}

const recordedOutcome = (base: string, { readKept }: TestOptions): Promise<RunOutcome | undefined> =>
  readRecorded(base, readKept).then(
    (recorded) => recorded && { output: recorded.text },
    (error: unknown) => ({ problem: userMessage(error) }),
  );

const inputOf = (composition: Composition, { model, skillPackage }: ComposeRequest): RunInput => ({
  prompt: composition.prompt,
  tools: composition.subgraph.toolAvailability,
  model: model ?? null,
  output_schema: skillPackage.outputSchema?.json ?? null,
});

function recordOf(base: string, text: string): SkillTests['outputs'][number] {
  const [own, other] = isJson(text) ? ['json', 'txt'] : ['txt', 'json'];
  return { uri: `${base}.${own}`, other: `${base}.${other}`, text };
}

/** Counts the tokens of strings in the worker, and returns a function that looks up the count of a string. */
async function counting(composing: Composing, texts: readonly string[]): Promise<(text: string) => number> {
  const counts = texts.length === 0 ? [] : await composing.count(texts);
  const known = new Map(texts.map((text, at) => [text, counts[at] ?? 0]));
  return (text) => known.get(text) ?? 0;
}
