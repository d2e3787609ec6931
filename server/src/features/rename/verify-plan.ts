/** Refuses a rename after which the workspace would have new findings, or the new name would mean something else. */
import { Analysis } from '../../analysis/analysis.ts';
import { check } from '../../rules/check.ts';
import { findRule } from '../../rules/index.ts';
import { applyEdits } from '../../text.ts';
import { type Occurrence, occurrencesOf, targetAt } from '../symbol/occurrences.ts';
import type { Target } from '../symbol/target.ts';
import { fileOf, type Move, movedBy, type Plan, type Refusal, refuse } from './plan.ts';

/** At most this many files are checked for new findings. */
const MAX_CHECKED = 60;

export function verifyPlan(
  analysis: Analysis,
  plan: Plan,
  target: Target,
  occurrences: readonly Occurrence[],
  newName: string,
): Refusal | undefined {
  const after = analysisAfter(analysis, plan);
  return refuseJoined(after, plan, occurrences, newName) ?? refuseNewFindings(analysis, after, plan, target);
}

/** The analysis as it would be after the plan. */
function analysisAfter(analysis: Analysis, { edits, moves }: Plan): Analysis {
  const edited = analysis.edited(
    edits.flatMap(({ uri, edits: own }) => {
      const before = analysis.file(uri);
      return before ? [{ uri, text: applyEdits(before.text, own) }] : [];
    }),
  );
  if (moves.length === 0) return edited;
  const { files, facts, snapshots } = edited.index;
  const moved = [...files.values()].filter(({ uri }) => movedUri(uri, moves) !== uri);
  // Facts and snapshots move with the folders, before the catalogs in them are read.
  const exists = facts.exists.merge(facts.exists.mapKeys((uri) => movedUri(uri, moves)));
  const index = {
    ...edited.index,
    facts: { ...facts, exists },
    snapshots: snapshots.mapKeys((folder) => movedUri(folder, moves)),
  };
  return new Analysis(index).edited([
    ...moved.map(({ uri }) => ({ uri, text: undefined })),
    ...moved.map(({ uri, text }) => ({ uri: movedUri(uri, moves), text })),
  ]);
}

export const movedUri = (uri: string, moves: readonly Move[]): string => {
  const move = moves.find(({ from }) => uri === from || uri.startsWith(`${from}/`));
  return move ? move.to + uri.slice(move.from.length) : uri;
};

/** Refuses a plan after which the places of the new name are not exactly those of the old one. */
function refuseJoined(
  after: Analysis,
  plan: Plan,
  occurrences: readonly Occurrence[],
  newName: string,
): Refusal | undefined {
  const target = newTarget(after, plan, occurrences, newName);
  if (!target) return refuse(`\`${newName}\` would not be read as a name there. Choose another one.`);
  const expected = countEach(occurrences.map(({ file }) => movedUri(file.uri, plan.moves)));
  const found = countEach(occurrencesOf(after, target).map(({ file }) => file.uri));
  for (const uri of new Set([...expected.keys(), ...found.keys()])) {
    if (plan.remapped.includes(uri) || expected.get(uri) === found.get(uri)) continue;
    return (found.get(uri) ?? 0) > (expected.get(uri) ?? 0)
      ? refuse(
          `${fileOf(uri)} names \`${newName}\` already, which would then be taken for this one. Choose another name.`,
        )
      : refuse(`In ${fileOf(uri)} \`${newName}\` would not be read as this name everywhere. Choose another one.`);
  }
  return undefined;
}

/** What the first place that still exists means afterwards. */
function newTarget(
  after: Analysis,
  { edits, moves }: Plan,
  occurrences: readonly Occurrence[],
  newName: string,
): Target | undefined {
  for (const { file, span } of occurrences) {
    const renamed = after.file(movedUri(file.uri, moves));
    const own = edits.find(({ uri }) => uri === file.uri)?.edits ?? [];
    if (!renamed) continue;
    const from = movedBy(own, span.start);
    const start = renamed.text.indexOf(newName, from);
    // The new name may be quoted.
    if (start < 0 || start > from + 1) continue;
    const here = targetAt(after, renamed, start + Math.min(1, newName.length - 1));
    if (here?.target.name === newName) return here.target;
  }
  return undefined;
}

function countEach(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Refuses a plan after which a file has more findings of a rule than before. */
function refuseNewFindings(
  before: Analysis,
  after: Analysis,
  { edits, moves }: Plan,
  target: Target,
): Refusal | undefined {
  const home = target.kind === 'field' ? before.graph.skills.get(target.uri)?.summary.name : undefined;
  const name = target.kind === 'skill' ? target.name : home;
  const mentioning = name === undefined ? [] : [...(before.graph.mentionedBy.get(name) ?? [])];
  const uris = [...new Set([...edits.map(({ uri }) => uri), ...mentioning.sort()])];
  for (const uri of uris.slice(0, MAX_CHECKED)) {
    const file = before.file(uri);
    const renamed = after.file(movedUri(uri, moves));
    if (!file || !renamed) continue;
    const left = new Map(countEach(check(file, before).map(({ rule }) => rule)));
    for (const { rule, message } of check(renamed, after)) {
      const rest = (left.get(rule) ?? 0) - 1;
      left.set(rule, rest);
      // A client that cannot rename files changes only the names.
      if (rest < 0 && findRule(rule)?.about !== 'file-name') {
        return refuse(`After that, ${fileOf(uri)} would have a new finding: ${message}`);
      }
    }
  }
  return undefined;
}
