/** `skill-composer check`. */
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Workspace } from '../../../analysis/workspace.ts';
import { type Finding, SEVERITIES, type Severity } from '../../../finding.ts';
import { VERSION } from '../../../io/environment.ts';
import { countExcluded, excludedInWords } from '../../../io/exclusions.ts';
import { withSkills } from '../../../io/node-exclusions.ts';
import { toUri } from '../../../io/paths.ts';
import {
  assertCatalogsParse,
  deadLinks,
  noteUnsearched,
  openProject,
  type Project,
  readSurroundings,
} from '../../../io/project.ts';
import { writeResult } from '../../../io/read-named.ts';
import { partOf, type Shard } from '../../../io/select-files.ts';
import type { Progress } from '../../../io/stderr.ts';
import { isUserError, reasonOf, UserError } from '../../../io/user-error.ts';
import { appendText } from '../../../io/write-file.ts';
import {
  atLeast,
  byFile,
  type CheckedFile,
  type CheckReport,
  withFindings,
  withoutRepeats,
  withSharedCauses,
} from '../../../reports/check-report.ts';
import { toCheckstyle } from '../../../reports/checkstyle.ts';
import { toGithub, toJobSummary } from '../../../reports/github.ts';
import { toGitlab } from '../../../reports/gitlab.ts';
import { toJson } from '../../../reports/json.ts';
import { toJunit } from '../../../reports/junit.ts';
import { type PrettyOptions, toPretty } from '../../../reports/pretty.ts';
import { toRdjson } from '../../../reports/rdjson.ts';
import { toSarif } from '../../../reports/sarif.ts';
import { unreadableFile } from '../../../rules/any-file/unreadable-file.ts';
import { sampleFails } from '../../../rules/contract/sample-fails.ts';
import { check, checkWithLimits, MAX_FINDINGS, severityOf } from '../../../rules/engine/check.ts';
import { rules } from '../../../rules/engine/index.ts';
import { type BaselineOptions, useBaseline, withoutAccepted } from '../../../services/checking/baseline.ts';
import { changedSince } from '../../../services/checking/changed-since.ts';
import { composeSamples, type SampleLimit } from '../../../services/composing/compose-samples.ts';
import { type Composing, createComposing } from '../../../services/composing/composing.ts';
import { startNodeWorker } from '../../../services/composing/node-worker.ts';
import { today } from '../../../services/session/pacing.ts';
import { SkillFile } from '../../../skill/skill-file.ts';
import { span } from '../../../text.ts';
import { isDate } from '../../../vocabulary/formats.ts';
import { partsFirst } from '../../../workspace/order.ts';
import { type Console, NO_COLORS, reportText } from '../console.ts';
import { parseWord } from '../option-values.ts';
import { readPage, ruleCalled } from './explain.ts';
import { fixFiles, reportUnfixed } from './fix.ts';

export interface CheckOptions {
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly config: string | undefined;
  readonly format: CheckFormat;
  /** The files that the result is also written to, each in its own format. */
  readonly out: readonly { readonly format: CheckFormat; readonly path: string }[];
  readonly fix: boolean;
  /** The names of rules whose fixes are applied with `fix`, even if they are not safe. */
  readonly fixRules?: ReadonlySet<string>;
  readonly failOn: Severity;
  /** Shows only the findings that make the run fail, without a summary. */
  readonly quiet: boolean;
  readonly overrides: Readonly<Record<string, string>>;
  /** The commit to compare with; only files affected by changes since that commit are checked. */
  readonly changed: string | undefined;
  readonly shard: Shard;
  readonly baseline: BaselineOptions;
  /** The date that is compared with `sunset`. */
  readonly today: string;
}

/** Prints the findings. Returns the exit status 0 or 1. Throws a `UserError` for status 2. */
export async function runCheck(options: CheckOptions, console: Console): Promise<number> {
  const { cwd, format, quiet, failOn, out } = options;
  const { colors, progress } = console;
  const { note } = quiet ? SILENT : console;
  const { project, report, fixed } = await inspect(options, progress, note).finally(() => progress.end());
  if (fixed && !quiet) reportUnfixed(project, fixed, note);
  reportTruncated(report, note);
  const left = await withoutAccepted(project, report, options.baseline, note);
  const shown = withSharedCauses(quiet ? withFindings(left, atLeast(failOn)) : left);
  const about = { colors, quiet, fixed: fixed?.written.count, failOn, note };
  console.print(await FORMATTERS[format](shown, { ...about, columns: console.columns }), format);
  for (const { format, path } of out) {
    const text = await FORMATTERS[format](shown, { ...about, colors: NO_COLORS });
    await writeResult(resolve(cwd, path), reportText(text, format), `--out ${format}=${path}`);
  }
  if (format === 'github') await addJobSummary(shown, console);
  return left.files.some(({ findings }) => findings.some(atLeast(failOn))) ? 1 : 0;
}

/** Reports which findings may be missing. */
function reportTruncated({ files }: CheckReport, note: Console['note']): void {
  for (const { file, stopped = [] } of files)
    for (const rule of stopped)
      note(
        `\`${file}\` has ${MAX_FINDINGS} or more findings of \`${rule}\`. Only the first ${MAX_FINDINGS} are reported.`,
      );
}

/** Reads the files, fixes them with `--fix`, and checks them. */
async function inspect(options: CheckOptions, progress: Progress, note: Console['note']) {
  const { cwd, paths, config, fix, fixRules, overrides, today } = options;
  // The report contains a finding for each folder that cannot be read, instead of a note.
  const { step, end } = progress;
  const whole = await openProject({ cwd, paths, config, progress: { step, end } });
  noteUnsearched(whole, note);
  if (options.changed === undefined) await noteExcluded(whole, note);
  await useBaseline(whole, options.baseline);
  const project = await narrowed(whole, options, note);
  project.workspace.apply({ kind: 'overrides', severities: overrides });
  project.workspace.apply({ kind: 'today', date: today });
  const fixed = fix ? await fixFiles(project, fixRules) : undefined;
  assertCatalogsParse(project);
  const report = withoutRepeats(await checkFiles(project, progress), (uri) => whole.named.has(uri));
  return { project, fixed, report };
}

/**
 * Returns the project, in which `named` contains only the files that the run reports. The run still reads all files.
 */
async function narrowed(project: Project, { changed, shard }: CheckOptions, note: Console['note']): Promise<Project> {
  const concerned = changed === undefined ? project.named : await changedSince(project, changed, note);
  const { fileOf } = project;
  const inOrder = [...concerned].map((uri) => ({ uri, file: fileOf(uri) })).sort(byFile);
  return { ...project, named: new Set(partOf(inOrder, shard).map(({ uri }) => uri)) };
}

const SILENT = { note: () => {} };

/** Notes the skills that were left out. Git also leaves them out of the changed files. */
async function noteExcluded({ excluded }: Project, note: Console['note']): Promise<void> {
  const words = excludedInWords(await withSkills(excluded));
  if (words !== '') note(`${words}. Name a file or a folder to check it.`);
}

/**
 * Checks the files. The links and samples of a file are read before its check, so that each file is parsed only once.
 */
async function checkFiles(project: Project, progress: Progress): Promise<CheckReport> {
  const { workspace, named, fileOf } = project;
  const samples = openSamples(workspace, named.size);
  const files: CheckedFile[] = [];
  /** The text of other files in skill folders that findings link to. */
  const beside = new Map<string, string>();
  let done = 0;
  try {
    for (const uri of partsFirst(workspace.analysis.graph, named)) {
      progress.step('Checking', done++, named.size);
      if (!workspace.index.files.get(uri)?.isSkill) continue;
      await samples.compose(uri);
      await readSurroundings(project, uri);
      const file = workspace.analysis.file(uri);
      if (!file) continue;
      const { findings, stopped } = checkWithLimits(file, workspace.analysis);
      files.push({ uri, file: fileOf(uri), text: file.text, findings, stopped });
      const folder = workspace.analysis.folder(uri);
      for (const place of findings.flatMap(({ related }) => related)) {
        const text = folder?.find(place.uri)?.text;
        if (text !== undefined) beside.set(place.uri, text);
      }
      workspace.apply({ kind: 'folder', uri, folder: undefined });
    }
  } finally {
    samples.dispose();
  }
  for (const { folder, message } of project.unreadable) {
    const uri = toUri(join(project.cwd, folder));
    const severity = severityOf(workspace.analysis, uri, unreadableFile);
    if (severity === 'off') continue;
    files.push({ uri, file: folder, text: '', findings: [unreadable(severity, message)] });
  }
  files.push(...(await checkLinks(project)));
  return {
    files: files.sort(byFile),
    ...(project.excluded.length > 0 && { excluded: countExcluded(project.excluded) }),
    findFile(uri) {
      const text = workspace.index.files.get(uri)?.text ?? beside.get(uri);
      return text === undefined ? undefined : { file: fileOf(uri), text };
    },
  };
}

/** Checks what clients do with links to skills, and reports links that lead nowhere. */
async function checkLinks(project: Project): Promise<readonly CheckedFile[]> {
  const { workspace, fileOf } = project;
  const checked: CheckedFile[] = [];
  for (const uri of project.clientSkills) {
    const text = workspace.analysis.findLink(uri) && workspace.analysis.clientFile(uri)?.text;
    if (text === undefined) continue;
    const file = new SkillFile(uri, text);
    const analysis = workspace.analysis.edited([{ uri: file.uri, text: file.text }]);
    // The other findings about the file are reported at its real path.
    const findings = check(file, analysis).filter(({ isAboutLink }) => isAboutLink);
    if (findings.length > 0) checked.push({ uri: file.uri, file: fileOf(file.uri), text: file.text, findings });
  }
  for (const { path, message } of await deadLinks(project)) {
    const uri = toUri(path);
    const severity = severityOf(workspace.analysis, uri, unreadableFile);
    if (severity !== 'off')
      checked.push({ uri, file: fileOf(uri), text: '', findings: [unreadable(severity, message)] });
  }
  return checked;
}

const unreadable = (severity: Severity, message: string): Finding => {
  const { name: rule } = unreadableFile;
  return { rule, code: rule, severity, message, span: span(0, 0), related: [], fixes: [] };
};

/** Appends to the summary of a GitHub job, if the environment names a file for it. */
async function addJobSummary(report: CheckReport, console: Console): Promise<void> {
  const path = process.env.GITHUB_STEP_SUMMARY;
  if (!path) return;
  try {
    await appendText(path, toJobSummary(report));
  } catch (error) {
    console.note(`The job summary cannot be written: ${reasonOf(error)}.`);
  }
}

/** The part of `check` that composes the declared samples. A worker is started for the first sample. */
interface Samples {
  /** Composes the samples of a file if the rule `sample-fails` is on, and stores the failures in the workspace. */
  compose(uri: string): Promise<void>;
  dispose(): void;
}

/** The time limit for all samples of a run, in milliseconds: a fixed part, and a part for each checked skill. */
const RUN_MS = 10_000;
const MS_OF_SKILL = 1_000;

/** `skills` is the number of skills that the run checks. */
function openSamples(workspace: Workspace, skills: number): Samples {
  const whole = RUN_MS + skills * MS_OF_SKILL;
  let spent = 0;
  let composing: Composing | undefined;
  return {
    async compose(uri) {
      const { analysis, index } = workspace;
      if (!index.files.get(uri)?.hasSamples || severityOf(analysis, uri, sampleFails) === 'off') return;
      composing ??= createComposing(startNodeWorker());
      const limit: SampleLimit = {
        milliseconds: whole - spent,
        reason: `Composing samples in this run took ${whole / 1000} s, the limit for ${skills === 1 ? '1 skill' : `${skills} skills`}. Check this skill separately, or fix the slow skills before it.`,
      };
      try {
        const composed = await composeSamples(composing, analysis, uri, undefined, limit);
        if (!composed) return;
        spent += composed.milliseconds;
        workspace.apply({ kind: 'samples', uri, failures: composed.failures });
      } catch (error) {
        if (!isUserError(error)) throw error;
        throw new UserError(
          `The samples cannot be composed: ${error.message} Use \`--rule sample-fails=off\` to skip them.`,
        );
      }
    },
    dispose: () => composing?.dispose(),
  };
}

// The output formats.

interface Form extends PrettyOptions {
  readonly failOn: Severity;
  readonly note: Console['note'];
}

const FORMATTERS = {
  pretty: toPretty,
  json: toJson,
  sarif: async (report: CheckReport, { note }: Form) => {
    const pages = new Map<string, string | undefined>();
    for (const { name } of rules) pages.set(name, await readPage(name));
    const zippedSize = (text: string): number => gzipSync(text).length;
    return toSarif(report, { version: VERSION, rules, pageOf: (rule) => pages.get(rule), zippedSize, note });
  },
  github: toGithub,
  gitlab: toGitlab,
  junit: (report: CheckReport, { failOn, note }: Form) => toJunit(report, failOn, { note }),
  rdjson: toRdjson,
  checkstyle: toCheckstyle,
} satisfies Record<string, (report: CheckReport, form: Form) => string | Promise<string>>;

export type CheckFormat = keyof typeof FORMATTERS;

// Values of options.

/** Returns the date of `--today`, or the current date. */
export function parseToday(word: string | undefined): string {
  if (word === undefined) return today();
  if (isDate(word)) return word;
  throw new UserError(`\`--today ${word}\` is not a date. Write for example \`2031-06-30\`.`);
}

/**
 * Parses the values `NAME=SEVERITY` of `--rule`. The name may be the rule's number. The last value for a rule is used.
 */
export function parseOverrides(words: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    words.map((word) => {
      const equals = word.indexOf('=');
      if (equals < 0)
        throw new UserError(`\`--rule ${word}\` has no severity. Write for example \`--rule ${word || 'NAME'}=off\`.`);
      const severity = parseWord(word.slice(equals + 1), [...SEVERITIES, 'off'], `--rule ${word.slice(0, equals)}=`);
      return [ruleCalled(word.slice(0, equals), '--rule').name, severity];
    }),
  );
}

/** Returns the names of the rules with these names or numbers. Throws a `UserError` for another word. */
export const parseRules = (words: readonly string[], option: string): ReadonlySet<string> =>
  new Set(words.map((word) => ruleCalled(word, option).name));
