/** Runs the tests of one skill that need no model (docs/testing.md). */
import type { Analysis } from '../../analysis/analysis.ts';
import { nameOfCase, type RoutingCase, route, routingCases, sentenceOn } from '../../analysis/routing.ts';
import type { ComposeRequest, Composition } from '../../composer/composition.ts';
import { isJson } from '../../languages/yaml/json.ts';
import type { RunKey } from '../../protocol.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { type EvalCase, type Evals, judgeCase } from '../../testing/evals.ts';
import { exampleTests, exampleTexts } from '../../testing/example-tests.ts';
import { readExpectation } from '../../testing/expectation.ts';
import { type ExportedCase, exportedCase } from '../../testing/export.ts';
import { judgeOutput, judgeSample, type SampleCase } from '../../testing/judge-sample.ts';
import { asKept, keptName, OUTPUTS, PROMPTS } from '../../testing/kept-files.ts';
import { type TestResult, withoutOwnPlace } from '../../testing/result.ts';
import { folderOf, nameFromUri } from '../../vocabulary/dialect.ts';
import { resolvePath } from '../../workspace/links.ts';
import { skillsNamed } from '../../workspace/workspace-index.ts';
import { sampleRequests } from '../composing/compose-samples.ts';
import type { Composing } from '../composing/composing.ts';
import type { Files } from '../files/files.ts';
import { composeCase, evalFiles } from './eval-files.ts';
import type { RunInput, RunOutcome } from './run-command.ts';

export interface TestOptions {
  readonly composing: Composing;
  /** The text of a file beside a skill; undefined where there is none. */
  readonly readKept: (uri: string) => Promise<string | undefined>;
  readonly files: Pick<Files, 'list' | 'exists'>;
  /** Asks a model; without it, or where it has nothing for a sample, the recorded outputs are tested. */
  readonly run?: ((input: RunInput, key: RunKey) => Promise<RunOutcome | undefined>) | undefined;
  /** Whether the prompts of evals are wanted although no model is asked. */
  readonly evalPrompts?: boolean;
  /** Every sample is held against a kept prompt, not those alone that say so. */
  readonly snapshots: boolean;
  /** Only tests whose name has it. */
  readonly filter?: string | undefined;
  /** Only the tests of these samples and examples, by their names. */
  readonly only?: ReadonlySet<string> | undefined;
}

export interface SkillTests {
  readonly results: readonly TestResult[];
  /** Those of files in `evals/` beside a `SKILL.md`; places count in their texts. */
  readonly evals: readonly { readonly uri: string; readonly text: string; readonly results: readonly TestResult[] }[];
  /** The prompts that a model can be asked. */
  readonly prompts: readonly {
    /** A case of `evals/` is not exported. */
    readonly key: RunKey;
    readonly tokens: number;
    readonly exported?: () => ExportedCase;
  }[];
  /** What a model gave, where it was asked, and the file to record it in; the other one of its two is not to be there. */
  readonly outputs: readonly { readonly uri: string; readonly other: string; readonly text: string }[];
  /** The kept prompts as they would be if this run is right, where they are not so yet. */
  readonly outdated: readonly { readonly uri: string; readonly text: string }[];
}

/** Rejects where nothing can be composed. Undefined where the file is no skill, or a newer run has taken its place. */
export async function testSkill(
  analysis: Analysis,
  uri: string,
  options: TestOptions,
): Promise<SkillTests | undefined> {
  const file = analysis.file(uri);
  if (!file?.isSkill || file.frontmatter.tree.broken) return undefined;
  const { composing, filter, only } = options;
  const isAsked = (sample: string | undefined): boolean => !only || (sample !== undefined && only.has(sample));
  const results: TestResult[] = [];
  const outdated: SkillTests['outdated'][number][] = [];
  const prompts: SkillTests['prompts'][number][] = [];
  const outputs: SkillTests['outputs'][number][] = [];
  for (const { sample: name, request } of sampleRequests(analysis, uri)) {
    const sample = caseOf(file, name);
    if (!sample || !isAsked(name)) continue;
    const composed = await composing.compose(`test ${name} of ${uri}`, request);
    if (composed === 'superseded') return undefined;
    const { result } = composed;
    const snapshot = await snapshotOf(analysis, file, sample, options).catch(messageOf);
    if (typeof snapshot === 'string') {
      results.push({ kind: 'snapshot', name, of: name, status: 'failed', span: sample.span, message: snapshot });
      continue;
    }
    const total = result.ok ? result.composition.tokens.total : 0;
    const judged = judgeSample(sample, result, { snapshot, countTokens: () => total });
    results.push(...judged.map((one) => withoutOwnPlace(one, uri)));
    if (!result.ok || sample.expect.fails) continue;
    const { prompt } = result.composition;
    const isWantedSample = filter === undefined || isWanted(file, name, filter);
    if (isWantedSample) {
      if (snapshot && asKept(prompt) !== snapshot.text) outdated.push({ uri: snapshot.uri, text: asKept(prompt) });
      const { composition } = result;
      const asExported = () => exportedCase(nameOf(file), sample, composition, file.contract.output?.schema);
      prompts.push({ key: { kind: 'sample', sample: name }, tokens: total, exported: asExported });
    }
    const base = keptUri(analysis, file, OUTPUTS, name);
    if (options.run && !isWantedSample) continue;
    const asked = await options.run?.(inputOf(result.composition, request), { kind: 'sample', sample: name });
    const outcome = asked ?? (await recorded(base, options).catch((error: unknown) => ({ problem: messageOf(error) })));
    if (!outcome) continue;
    if ('problem' in outcome) {
      results.push({ kind: 'output', name, of: name, status: 'failed', span: sample.span, message: outcome.problem });
      continue;
    }
    if (asked) outputs.push(recordOf(base, outcome.output));
    const count = await counting(composing, [outcome.output]);
    results.push(...judgeOutput(sample, outcome.output, result.composition, file.contract.output?.schema, count));
  }
  for (const one of routingCases(file)) {
    if (!only || only.has(nameOfCase(one))) results.push(routingTest(analysis, file, one));
  }
  results.push(...exampleTests(file, await counting(composing, exampleTexts(file))));
  const wanted = results.filter((one) => isAsked(one.of) && (filter === undefined || isWanted(file, one.name, filter)));
  const evals = await evalsOf(analysis, file, options, prompts);
  return { results: wanted, outdated, prompts, outputs, evals };
}

/** Adds the prompts of cases to `prompts`. */
async function evalsOf(
  analysis: Analysis,
  file: SkillFile,
  options: TestOptions,
  prompts: SkillTests['prompts'][number][],
): Promise<SkillTests['evals']> {
  const { files, readKept, filter, only } = options;
  const folder = folderOf(file.uri);
  const found: SkillTests['evals'][number][] = [];
  for (const { uri, text, evals } of await evalFiles(file, files, readKept)) {
    const isAsked = ({ name }: EvalCase): boolean =>
      (!only || only.has(name)) && (filter === undefined || isWanted(file, name, filter));
    const cases = evals.cases.filter(isAsked);
    const results = [...(await runCases(analysis, file, { ...evals, cases }, options, prompts))];
    for (const { request, shouldTrigger: should, span } of evals.triggers) {
      const one = { request, should, span };
      if (!only || only.has(nameOfCase(one))) results.push(routingTest(analysis, file, one));
    }
    for (const { name, of, path, span } of evals.files) {
      const isThere = !/^[/\\]|(^|[/\\])\.\.([/\\]|$)/.test(path) && (await files.exists(resolvePath(folder, path)));
      const message = `\`${path}\` is not in the skill's folder, which such paths are relative to.`;
      const test = { kind: 'evals', name, of, span } as const;
      results.push(isThere ? { ...test, status: 'passed' } : { ...test, status: 'failed', message });
    }
    const wanted = results.filter(
      ({ name, of }) =>
        (!only || (of !== undefined && only.has(of))) && (filter === undefined || isWanted(file, name, filter)),
    );
    if (wanted.length > 0) found.push({ uri, text, results: wanted });
  }
  return found;
}

/** The results of a file, with those of the cases that a model was asked. */
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
    if (outcome) results = judgeCase(one, outcome, results);
  }
  return results;
}

/** A filter is a part of a test's name, or of its skill's. */
const isWanted = (file: SkillFile, name: string, filter: string): boolean =>
  `${nameOf(file)} › ${name}`.toLowerCase().includes(filter.toLowerCase());

const nameOf = ({ contract, uri }: SkillFile): string => contract.name?.name ?? nameFromUri(uri);

function caseOf({ contract }: SkillFile, name: string): SampleCase | undefined {
  const entry = contract.samples.find((one) => one.name === name);
  return entry && { name, span: entry.span, expect: readExpectation(entry.value) };
}

function routingTest(analysis: Analysis, file: SkillFile, one: RoutingCase): TestResult {
  const routed = route(analysis, file.uri, one);
  const name = nameOfCase(one);
  const test = { kind: 'routing', name, of: name, span: one.span } as const;
  if (!routed.isJudged) {
    return { ...test, status: 'skipped', message: 'The skill is disabled here, or another one stands for it.' };
  }
  return routed.holds ? { ...test, status: 'passed' } : { ...test, status: 'failed', message: sentenceOn(one, routed) };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Where the files of a sample stand, without their ending. */
function keptUri(analysis: Analysis, file: SkillFile, folder: string, sample: string): string {
  const { name, version } = file.contract;
  const own = folderOf(file.uri);
  const beside = name ? skillsNamed(analysis.graph, name.name).filter(({ uri }) => folderOf(uri) === own) : [];
  return resolvePath(own, `${folder}/${keptName(nameOf(file), beside.length > 1 ? version?.name : undefined, sample)}`);
}

async function snapshotOf(
  analysis: Analysis,
  file: SkillFile,
  { name, expect }: SampleCase,
  { snapshots, readKept }: TestOptions,
): Promise<{ readonly uri: string; readonly file: string; readonly text: string | undefined } | undefined> {
  if (!snapshots && !expect.snapshot) return undefined;
  const uri = `${keptUri(analysis, file, PROMPTS, name)}.txt`;
  return { uri, file: decodeURIComponent(uri.slice(folderOf(file.uri).length + 1)), text: await readKept(uri) };
}

async function recorded(base: string, { readKept }: TestOptions): Promise<RunOutcome | undefined> {
  const [json, text] = await Promise.all([readKept(`${base}.json`), readKept(`${base}.txt`)]);
  if (json !== undefined && text !== undefined) {
    return { problem: 'Its output is kept twice, as `.json` and as `.txt`: delete one of the two.' };
  }
  const output = json ?? text;
  return output === undefined ? undefined : { output };
}

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

/** Counts texts ahead, since counting is done elsewhere. */
async function counting(composing: Composing, texts: readonly string[]): Promise<(text: string) => number> {
  const counts = texts.length === 0 ? [] : await composing.count(texts);
  const known = new Map(texts.map((text, at) => [text, counts[at] ?? 0]));
  return (text) => known.get(text) ?? 0;
}
