/** The baseline of a run of `check`: finds, reads and writes its file, and hides the findings that it accepts. */
import { relative, resolve, sep } from 'node:path';
import { absolute, isWithin, toPath, toUri } from '../../io/paths.ts';
import type { Project } from '../../io/project.ts';
import { isThere } from '../../io/read-file.ts';
import { findText, writeResult } from '../../io/read-named.ts';
import { UserError } from '../../io/user-error.ts';
import type { CheckedFile, CheckReport } from '../../reports/check-report.ts';
import { printedJson } from '../../reports/json.ts';
import { countUnused, markAccepted, newBaseline } from '../../rules/engine/baseline.ts';
import { folderOf } from '../../vocabulary/dialect.ts';
import { BASELINE_NAME, type Baseline, byFile, parseBaseline } from '../../workspace/baseline.ts';
import type { Index } from '../../workspace/workspace-index.ts';

export interface BaselineOptions {
  /** The file to use instead of the baselines in the workspace; false to use no baseline. */
  readonly baseline?: string | false;
  readonly writeBaseline?: true;
}

/** Receives what the user should know. */
type Note = (text: string) => void;

const NOTHING: Baseline = { findings: [], measures: [] };

/** The working folder, the facts, and the paths of the baselines that may apply. */
interface BaselineProject extends Pick<Project, 'cwd' | 'baselines'> {
  readonly workspace: { readonly index: Index };
}

/**
 * Applies to the workspace the baseline that the options select. Throws a `UserError` if the baseline cannot be read.
 */
export async function useBaseline(
  { cwd, named, workspace, baselines }: Project,
  options: BaselineOptions,
): Promise<void> {
  const { baseline } = options;
  if (baseline === undefined) {
    const concerned = [`${toUri(cwd)}/`, ...named];
    const governs = (path: string): boolean => concerned.some((uri) => uri.startsWith(`${folderOf(toUri(path))}/`));
    for (const path of baselines.filter(governs)) await readBaseline(path, relative(cwd, path));
    return;
  }
  for (const path of baselines) workspace.apply({ kind: 'delete', uri: toUri(path) });
  if (baseline === false) return;
  const text = await readBaseline(resolve(cwd, baseline), `--baseline ${baseline}`, options.writeBaseline === true);
  if (text !== undefined) workspace.apply({ kind: 'text', uri: toUri(resolve(cwd, BASELINE_NAME)), text });
}

/** Reads a baseline. `what` is the name of the baseline in messages. Throws a `UserError` if it is invalid. */
export async function readBaseline(path: string, what: string, mayBeMissing = false): Promise<string | undefined> {
  const text = await findText(path, what);
  if (text === undefined && mayBeMissing) return undefined;
  if (text === undefined)
    throw new UserError(`\`${what}\`: the file does not exist. Run \`check --write-baseline\` to create it.`);
  if (parseBaseline(text)) return text;
  throw new UserError(`\`${what}\` is not a valid baseline. Fix it, or delete it and run \`check --write-baseline\`.`);
}

/** The baseline to write: its path, its folder and its current entries. */
interface BaselineToWrite {
  readonly path: string;
  readonly folder: string;
  readonly before: Baseline;
}

function baselineToWrite(
  { cwd, workspace, baselines }: BaselineProject,
  { baseline }: BaselineOptions,
): BaselineToWrite {
  // The nearest baseline in the working folder or above it, or else a new baseline in the working folder.
  const above = baselines
    .filter((one) => `${toUri(cwd)}/`.startsWith(`${folderOf(toUri(one))}/`))
    .sort((a, b) => b.length - a.length);
  const path = baseline ? resolve(cwd, BASELINE_NAME) : (above[0] ?? resolve(cwd, BASELINE_NAME));
  const folder = folderOf(toUri(path));
  const known = workspace.index.baselines.get(folder)?.values() ?? [];
  const all = [...known];
  const before = {
    findings: all.flatMap(({ findings }) => findings),
    measures: all.flatMap(({ measures }) => measures),
  };
  return { path: baseline ? absolute(cwd, baseline) : path, folder: toPath(folder), before };
}

/** The entries of a baseline and the files of a run, by their names in the baseline. */
interface Compared {
  readonly own: BaselineToWrite;
  /** The name of the baseline in messages. */
  readonly name: string;
  readonly checked: ReadonlyMap<string, CheckedFile>;
  /** The entries for files that were not checked and still exist. */
  readonly kept: Baseline;
}

async function compared(project: BaselineProject, { files }: CheckReport, options: BaselineOptions): Promise<Compared> {
  const own = baselineToWrite(project, options);
  const name = relative(project.cwd, own.path).replaceAll(sep, '/');
  const checked = new Map(files.map((file) => [nameIn(own, project, file), file]));
  const findings = await keptEntries(own, own.before.findings, checked);
  return { own, name, checked, kept: { findings, measures: await keptEntries(own, own.before.measures, checked) } };
}

const nameIn = ({ folder }: BaselineToWrite, { cwd }: BaselineProject, { file }: CheckedFile): string =>
  relative(folder, resolve(cwd, file)).replaceAll(sep, '/');

/** Reports the entries of the baseline that match no finding of the report, which contains the accepted findings. */
export const noteUnused = async (project: BaselineProject, report: CheckReport, note: Note): Promise<void> =>
  noteStale(await compared(project, report, {}), note);

function noteStale({ own, kept, checked, name }: Compared, note: Note): void {
  const stale = countUnused(own.before, kept, checked);
  if (stale === 0) return;
  const noun = stale === 1 ? 'entry' : 'entries';
  note(`\`${name}\` has ${stale} unused ${noun}. Run \`check --write-baseline\` to remove fixed findings.`);
}

/**
 * Returns the report without accepted findings. Reports unused entries, or writes the baseline with `--write-baseline`.
 */
export async function withoutAccepted(
  project: Project,
  report: CheckReport,
  options: BaselineOptions,
  note: Note,
): Promise<CheckReport> {
  const entries = await compared(project, report, options);
  const { own, name, checked, kept } = entries;
  if (options.writeBaseline) {
    const baseline = newBaseline(own.before, kept, checked);
    await writeResult(own.path, printedJson({ version: 1, ...baseline }), name);
    const count = baseline.findings.reduce((sum, one) => sum + one.count, 0) + baseline.measures.length;
    note(`\`${name}\` now contains ${count} ${count === 1 ? 'finding' : 'findings'}.`);
    const known = byFile(baseline);
    return mapFindings(report, (file) => {
      const label = nameIn(own, project, file);
      return markAccepted(file.findings, { file: label, text: file.text }, known.get(label) ?? NOTHING).filter(
        ({ isKnown }) => !isKnown,
      );
    });
  }
  noteStale(entries, note);
  const left = report.files.flatMap(({ findings }) => findings.filter(({ isKnown }) => isKnown)).length;
  if (left > 0)
    note(`The baseline hides ${left} ${left === 1 ? 'finding' : 'findings'}. Use \`--no-baseline\` to show all.`);
  return mapFindings(report, ({ findings }) => findings.filter(({ isKnown }) => !isKnown));
}

const mapFindings = (report: CheckReport, findings: (file: CheckedFile) => CheckedFile['findings']): CheckReport => ({
  ...report,
  files: report.files.map((file) => ({ ...file, findings: findings(file) })),
});

async function keptEntries<Entry extends { readonly file: string }>(
  { folder }: BaselineToWrite,
  entries: readonly Entry[],
  checked: ReadonlyMap<string, CheckedFile>,
): Promise<readonly Entry[]> {
  const kept: Entry[] = [];
  for (const entry of entries) {
    const path = resolve(folder, entry.file);
    if (!checked.has(entry.file) && isWithin(folder, path) && (await isThere(path))) kept.push(entry);
  }
  return kept;
}
