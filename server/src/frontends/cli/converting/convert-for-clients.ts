/** `convert --to agent-skill`: writes folders with a `SKILL.md` for clients (docs/sharing.md). */

import { findClient } from '../../../clients/facts/clients.ts';
import type { Loss } from '../../../exchange/conversion.ts';
import { listed } from '../../../nearest.ts';
import {
  goneProblems,
  type PlannedSkill,
  planSkills,
  type TargetFolder,
} from '../../../services/packing/plan-skills.ts';
import { writePlans } from '../../../services/packing/write-plans.ts';
import { lineStartsOf, rangeOf, showInvisible } from '../../../text.ts';
import type { Console } from '../console.ts';
import { lineAndColumn, notConverted, packageFindings, reportConversion } from './conversion-report.ts';
import { emittingFor } from './emitting.ts';
import { findLeftOver } from './left-over.ts';
import { type NamedSource, openSources } from './open-sources.ts';
import type { ConvertOptions } from './options.ts';
import { lineOf } from './target-lines.ts';

/**
 * Converts skills to `SKILL.md` folders. Returns 1 if a package has errors, if an original is gone whose copy is kept, if
 * another skill has the path of a shared one, or if a target differs with `--check`.
 */
export async function convertForClients(options: ConvertOptions, console: Console): Promise<number> {
  const { check: checks, force, quiet, report } = options;
  const opened = await openSources(options, console);
  const { sources, analysis } = opened;
  const emitting = emittingFor(options, opened, console);
  const plans = await planSkills(emitting, analysis, sources);
  for (const { source, state, problem = '', span } of plans) {
    const { shown = '', text = '' } = sources.find(({ uri }) => uri === source) ?? {};
    if (state === 'failed') throw notConverted(shown, text, { problem, ...(span && { span }) });
  }
  const { shown } = emitting;
  const skipped = plans.filter(({ isOptional }) => isOptional);
  const others = plans.filter((plan) => !skipped.includes(plan));
  const done = checks ? { written: [], removed: [] } : await writePlans(emitting, others, force);
  // The text report does not repeat the losses of unchanged targets.
  const isReported = ({ state }: PlannedSkill) => report === 'json' || (!checks && state !== 'current');
  const reported = sources.map((source) => ({
    ...source,
    losses: uniqueLosses(plans.filter((plan) => plan.source === source.uri && isReported(plan))),
    findings: packageFindings(analysis, source.uri),
  }));
  const gone = goneProblems(plans).map(({ problem, span, source }) => {
    const { shown: file, text } = sources.find(({ uri }) => uri === source) as NamedSource;
    return { file, message: problem, range: rangeOf(lineStartsOf(text), span), at: lineAndColumn(text, span.start) };
  });
  const left = await findLeftOver(options, emitting, sources, plans);
  const targets: { readonly path: string; readonly state: string }[] = [
    ...plans.map(({ path, state }) => ({ path: shown(path), state })),
    ...left.map(({ path }) => ({ path: shown(path), state: 'left-over' })),
  ];
  const leftLines = left.map(({ path, why }) => showInvisible(`${shown(path)}: left over. ${why} Delete this folder.`));
  const differing = plans.filter(({ state }) => state !== 'current');
  const [written, removed] = [done.written, done.removed].map((paths) => paths.map(shown)) as [string[], string[]];
  if (report !== 'json' && !quiet && !checks) {
    if (options.out === undefined) for (const line of folderLines(emitting.targetFolders)) console.note(line);
    for (const path of removed) console.note(`Removed: ${path}`);
    for (const { path, why } of plans.flatMap((plan) => plan.kept))
      console.note(showInvisible(`Kept, because ${why}: ${shown(path)}`));
    for (const line of leftLines) console.note(line);
  }
  const kept = plans.flatMap((plan) => plan.kept.map(({ path, why }) => ({ path: shown(path), why })));
  const problems = gone.map(({ file, message, range }) => ({ file, message, range }));
  reportConversion(reported, written, { report, quiet, isPrinted: false }, console, {
    removed,
    kept,
    targets,
    problems,
  });
  if (report !== 'json') {
    if (!checks) for (const { file, message, at } of gone) console.note(showInvisible(`${file}:${at}: ${message}`));
    if (!checks)
      for (const { problem, advice } of skipped) console.note(showInvisible(`Not converted: ${problem} ${advice}`));
    const differences = [...differing.map((plan) => showInvisible(lineOf(plan, shown))), ...leftLines];
    if (checks) for (const line of differences) console.print(`${line}\n`);
    else if (!quiet && written.length === 0 && gone.length + skipped.length === 0)
      console.note('All targets are up to date.');
  }
  const hasErrors = reported.some(({ findings }) => findings.some(({ severity }) => severity === 'error'));
  return hasErrors || gone.length + skipped.length > 0 || (checks && differing.length + left.length > 0) ? 1 : 0;
}

/** Returns the losses of a skill for all folders, each once. */
function uniqueLosses(plans: readonly PlannedSkill[]): readonly Loss[] {
  const byText = new Map(
    plans.flatMap(({ losses }) => losses.map((one) => [`${one.span.start} ${one.what} ${one.why}`, one])),
  );
  return [...byText.values()];
}

/** Returns a line for each folder that says which clients read it. */
const folderLines = (folders: readonly TargetFolder[]): readonly string[] =>
  folders.map(({ path, clients: ids = [] }) => {
    const names = listed(ids.map((id) => findClient(id)?.name ?? id));
    return `${path}: ${names} ${ids.length === 1 ? 'reads' : 'read'} this folder.`;
  });
