/** `check` with a baseline: what it knows is left out, what it knows in vain is told, and `--write-baseline` writes it. */
import { relative, resolve, sep } from 'node:path';
import { digestOf, markKnown } from '../../../rules/known.ts';
import { lineStartsOf } from '../../../text.ts';
import { folderOf } from '../../../vocabulary/dialect.ts';
import {
  BASELINE_NAME,
  type Baseline,
  byFile,
  type KnownFinding,
  type KnownMeasure,
  parseBaseline,
} from '../../../workspace/known-findings.ts';
import { absolute, isWithin, toPath, toUri } from '../../node/paths.ts';
import type { Project } from '../../node/project.ts';
import { isThere } from '../../node/read-file.ts';
import { findText, writeResult } from '../../node/read-named.ts';
import type { CheckedFile, CheckReport } from '../../reports/check-report.ts';
import { printedJson } from '../../reports/json.ts';
import { UserError } from '../../user-error.ts';
import type { Console } from '../console.ts';

export interface BaselineWords {
  /** A file, in place of those that stand in the workspace; false for none at all. */
  readonly baseline?: string | false;
  readonly writeBaseline?: true;
}

const NOTHING: Baseline = { findings: [], measures: [] };

/** Puts the baseline in force that the options name. Throws a `UserError` for one that cannot be read. */
export async function useBaseline({ cwd, named, workspace, baselines }: Project, words: BaselineWords): Promise<void> {
  const { baseline } = words;
  if (baseline === undefined) {
    const concerned = [`${toUri(cwd)}/`, ...named];
    const governs = (path: string): boolean => concerned.some((uri) => uri.startsWith(`${folderOf(toUri(path))}/`));
    for (const path of baselines.filter(governs)) await readBaseline(path, relative(cwd, path));
    return;
  }
  for (const path of baselines) workspace.apply({ kind: 'delete', uri: toUri(path) });
  if (baseline === false) return;
  const text = await readBaseline(resolve(cwd, baseline), `--baseline ${baseline}`, words.writeBaseline === true);
  if (text !== undefined) workspace.apply({ kind: 'text', uri: toUri(resolve(cwd, BASELINE_NAME)), text });
}

/** `what` names it; throws a `UserError` where it is none. */
export async function readBaseline(path: string, what: string, mayBeMissing = false): Promise<string | undefined> {
  const text = await findText(path, what);
  if (text === undefined && mayBeMissing) return undefined;
  if (text === undefined)
    throw new UserError(`\`${what}\`: there is no such file. \`check --write-baseline\` makes one.`);
  if (parseBaseline(text)) return text;
  throw new UserError(
    `\`${what}\` is no baseline of findings: fix it, or take it away and make it anew with \`check --write-baseline\`.`,
  );
}

/** The folder whose baseline is written, and what it holds. */
interface Governing {
  readonly path: string;
  readonly folder: string;
  readonly before: Baseline;
}

function governing({ cwd, workspace, baselines }: Project, { baseline }: BaselineWords): Governing {
  // The one that stands nearest above the working folder, else a new one in it.
  const above = baselines
    .filter((path) => toUri(cwd).startsWith(folderOf(toUri(path))))
    .sort((a, b) => b.length - a.length);
  const place = baseline ? resolve(cwd, BASELINE_NAME) : (above[0] ?? resolve(cwd, BASELINE_NAME));
  const folder = folderOf(toUri(place));
  const known = workspace.index.known.get(folder)?.values() ?? [];
  const all = [...known];
  const before = {
    findings: all.flatMap(({ findings }) => findings),
    measures: all.flatMap(({ measures }) => measures),
  };
  return { path: baseline ? absolute(cwd, baseline) : place, folder: toPath(folder), before };
}

/** The report without what is known. Tells what a baseline knows in vain; writes it anew where that is asked for. */
export async function withoutKnown(
  project: Project,
  report: CheckReport,
  words: BaselineWords,
  console: Pick<Console, 'note'>,
): Promise<CheckReport> {
  const own = governing(project, words);
  const name = relative(project.cwd, own.path).replaceAll(sep, '/');
  const nameOf = ({ file }: CheckedFile): string =>
    relative(own.folder, resolve(project.cwd, file)).replaceAll(sep, '/');
  const checked = new Map(report.files.map((file) => [nameOf(file), file]));
  const kept: Baseline = {
    findings: await keptEntries(own, own.before.findings, checked),
    measures: await keptEntries(own, own.before.measures, checked),
  };
  if (words.writeBaseline) {
    const entries = [...checked].map(([file, { text, findings }]) => entriesOf(file, text, findings, own.before));
    const baseline = sorted({
      findings: [...kept.findings, ...entries.flatMap(({ findings }) => findings)],
      measures: [...kept.measures, ...entries.flatMap(({ measures }) => measures)],
    });
    await writeResult(own.path, printedJson({ version: 1, ...baseline }), name);
    const count = baseline.findings.reduce((sum, one) => sum + one.count, 0) + baseline.measures.length;
    console.note(`\`${name}\` knows ${count} ${count === 1 ? 'finding' : 'findings'} now.`);
    const known = byFile(baseline);
    return mapFindings(report, (file) => {
      const label = nameOf(file);
      return markKnown(file.findings, { file: label, text: file.text }, known.get(label) ?? NOTHING).filter(
        ({ isKnown }) => !isKnown,
      );
    });
  }
  const stale = inVain(own, kept, checked);
  if (stale > 0) {
    const noun = stale === 1 ? 'entry matches' : 'entries match';
    console.note(`${stale} ${noun} nothing any more in \`${name}\`: \`check --write-baseline\` drops what is fixed.`);
  }
  const left = report.files.flatMap(({ findings }) => findings.filter(({ isKnown }) => isKnown)).length;
  if (left > 0)
    console.note(`${left} known ${left === 1 ? 'finding is' : 'findings are'} left out: \`--no-baseline\` shows all.`);
  return mapFindings(report, ({ findings }) => findings.filter(({ isKnown }) => !isKnown));
}

const mapFindings = (report: CheckReport, findings: (file: CheckedFile) => CheckedFile['findings']): CheckReport => ({
  ...report,
  files: report.files.map((file) => ({ ...file, findings: findings(file) })),
});

/** The entries of files that were not checked and are still there. */
async function keptEntries<Entry extends { readonly file: string }>(
  { folder }: Governing,
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

/** How many entries of checked or missing files have nothing to match. */
function inVain({ before }: Governing, kept: Baseline, checked: ReadonlyMap<string, CheckedFile>): number {
  const keptOnes = new Set<unknown>([...kept.findings, ...kept.measures]);
  const met = new Map([...checked].map(([name, file]) => [name, metIn(name, file)]));
  const isInVain = (entry: KnownFinding | KnownMeasure): boolean => {
    if (keptOnes.has(entry)) return false;
    const count = met.get(entry.file)?.get(`${entry.rule} ${'of' in entry ? entry.of : entry.digest}`) ?? 0;
    return count < ('of' in entry ? 1 : entry.count);
  };
  return [...before.findings, ...before.measures].filter(isInVain).length;
}

/** How often each entry that a file could have meets a finding of it. */
function metIn(name: string, { text, findings }: CheckedFile): ReadonlyMap<string, number> {
  const lines = lineStartsOf(text);
  const met = new Map<string, number>();
  const count = (key: string) => met.set(key, (met.get(key) ?? 0) + 1);
  for (const finding of findings) {
    const { rule, measure, isKnown } = finding;
    if (measure) count(`${rule} ${measure.of}`);
    if (isKnown) count(`${rule} ${digestOf(finding, name, text, lines)}`);
  }
  return met;
}

/** What a measured finding may be falls and never rises. */
function entriesOf(file: string, text: string, findings: CheckedFile['findings'], before: Baseline): Baseline {
  const lines = lineStartsOf(text);
  const counts = new Map<string, KnownFinding>();
  const measures = new Map<string, KnownMeasure>();
  for (const finding of findings) {
    const { rule, measure } = finding;
    if (measure) {
      const { of } = measure;
      const value = Math.max(measure.amount, measures.get(`${rule} ${of}`)?.value ?? measure.amount);
      const old = before.measures.find((one) => one.file === file && one.rule === rule && one.of === of);
      measures.set(`${rule} ${of}`, { rule, file, of, value: Math.min(value, old?.value ?? value) });
      continue;
    }
    const digest = digestOf(finding, file, text, lines);
    const count = (counts.get(digest)?.count ?? 0) + 1;
    counts.set(digest, { rule, file, digest, count });
  }
  return { findings: [...counts.values()], measures: [...measures.values()] };
}

const sorted = ({ findings, measures }: Baseline): Baseline => ({
  findings: [...findings].sort((a, b) => compare([a.file, a.rule, a.digest], [b.file, b.rule, b.digest])),
  measures: [...measures].sort((a, b) => compare([a.file, a.rule, a.of], [b.file, b.rule, b.of])),
});

/** By UTF-16 units, word by word, the same on every machine. */
function compare(a: readonly string[], b: readonly string[]): number {
  for (const [at, word] of a.entries()) {
    const other = b[at] ?? '';
    if (word !== other) return word < other ? -1 : 1;
  }
  return 0;
}
