/** `skill-composer check --watch`: prints the findings after each change (docs/ci.md, "While you write"). */
import type { Analysis } from '../../../analysis/analysis.ts';
import type { Finding, Severity } from '../../../finding.ts';
import { toPath } from '../../../io/paths.ts';
import { nameOf, openProject } from '../../../io/project.ts';
import { findUpward } from '../../../io/select-files.ts';
import { NO_PROGRESS } from '../../../io/stderr.ts';
import { isUserError, reasonOf } from '../../../io/user-error.ts';
import {
  atLeast,
  byFile,
  type CheckReport,
  withFindings,
  withoutRepeats,
  withSharedCauses,
} from '../../../reports/check-report.ts';
import { toPretty } from '../../../reports/pretty.ts';
import { check } from '../../../rules/engine/check.ts';
import { noteUnused, readBaseline, useBaseline } from '../../../services/checking/baseline.ts';
import { composeSamples } from '../../../services/composing/compose-samples.ts';
import { BASELINE_NAME } from '../../../workspace/baseline.ts';
import { fixFiles, reportUnfixed } from '../commands/fix.ts';
import type { Console } from '../console.ts';
import { type Round, showRound, watchFiles } from './watch-files.ts';

export interface ChecksToWatch {
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly quiet: boolean;
  readonly failOn: Severity;
}

type Found = Map<string, readonly Finding[]>;

/** Watches until the user quits. Returns 1 if a finding at or above `failOn` remains, else 0. */
export async function watchChecks(watching: ChecksToWatch, console: Console): Promise<number> {
  const { cwd, paths, quiet, failOn } = watching;
  const found: Found = new Map();
  const published = new Set<string>();
  let shown: string | undefined;
  let fails = false;
  let fixing = Promise.resolve();
  const fix = (): void => {
    fixing = fixing.then(() => applyNow(watching, console));
  };
  const files = { cwd, paths, allFiles: true, keys: { f: fix }, published: (uri: string) => void published.add(uri) };
  await watchFiles(files, console, async (round) => {
    await refreshFindings(round);
    const { session, named, changed } = round;
    for (const uri of found.keys()) if (!named.has(uri)) found.delete(uri);
    for (const uri of named) {
      if (!found.has(uri) || published.has(uri) || changed.includes(uri))
        found.set(uri, findingsOf(session.analysis, uri));
    }
    published.clear();
    const notes: string[] = [];
    const note = (text: string): void => void notes.push(text);
    const baselines = await findUpward(new Set([cwd]), BASELINE_NAME);
    const project = { cwd, workspace: session.analysis, baselines };
    const whole = withoutRepeats(reportOf(session.analysis, found, cwd), (uri) => named.has(uri));
    if (!quiet) await noteUnused(project, whole, note);
    const report = withFindings(whole, ({ isKnown }) => !isKnown);
    // An invalid baseline hides no findings.
    for (const path of baselines) await readBaseline(path, nameOf(cwd, path)).catch((error) => note(reasonOf(error)));
    fails = report.files.some(({ findings }) => findings.some(atLeast(failOn)));
    const how = { ...console, quiet, fixed: undefined, fixWith: 'f' };
    const text = toPretty(withSharedCauses(quiet ? withFindings(report, atLeast(failOn)) : report), how);
    const both = [text, ...notes].join('\n');
    if (both === shown && !changed.some((uri) => named.has(uri))) return;
    shown = both;
    showRound(text, cwd, round, 'f to apply the safe fixes, q to quit', console);
    for (const text of notes) console.note(text);
  });
  await fixing;
  return fails ? 1 : 0;
}

/** Waits for the facts that findings depend on: the folders of the files, and the results of the samples. */
async function refreshFindings({ session, composing, named, concerned, isEnded }: Round): Promise<void> {
  await session.checked();
  for (const uri of named) {
    if (isEnded()) return;
    if (concerned !== 'all' && !concerned.has(uri)) continue;
    if (!session.analysis.index.files.get(uri)?.hasSamples) continue;
    session.receive({ kind: 'samples', uri, composed: await composeSamples(composing, session.analysis, uri) });
  }
  await session.checked();
}

function findingsOf(analysis: Analysis, uri: string): readonly Finding[] {
  const file = analysis.file(uri);
  if (!file || !analysis.index.files.get(uri)?.isSkill) return [];
  return check(file, analysis);
}

function reportOf(analysis: Analysis, found: Found, cwd: string): CheckReport {
  const fileOf = (uri: string): string => nameOf(cwd, toPath(uri));
  const textOf = (uri: string): string | undefined =>
    analysis.index.files.get(uri)?.text ??
    [...found.keys()].map((skill) => analysis.folder(skill)?.find(uri)?.text).find((text) => text !== undefined);
  const skills = [...found].filter(([uri]) => analysis.index.files.get(uri)?.isSkill);
  return {
    files: skills
      .map(([uri, findings]) => ({ uri, file: fileOf(uri), text: textOf(uri) ?? '', findings }))
      .sort(byFile),
    findFile(uri) {
      const text = textOf(uri);
      return text === undefined ? undefined : { file: fileOf(uri), text };
    },
  };
}

/** Applies the safe fixes, like `check --fix`. The watch sees the written files as a change on disk. */
async function applyNow({ cwd, paths }: ChecksToWatch, { note }: Console): Promise<void> {
  try {
    const project = await openProject({ cwd, paths, config: undefined, progress: NO_PROGRESS });
    await useBaseline(project, {});
    const done = await fixFiles(project);
    reportUnfixed(project, done, note);
    if (done.written.count === 0) note('No safe fixes to apply.');
  } catch (error) {
    note(isUserError(error) ? error.onCommandLine : `The fixes failed: ${error}`);
  }
}
