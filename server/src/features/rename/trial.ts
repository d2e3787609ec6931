/**
 * A rename is tried on a copy of the index before it is offered: what it would break, join or lose is told instead of done.
 * It costs the files that it edits and those that speak of them.
 */
import { Analysis } from '../../analysis/analysis.ts';
import { check } from '../../rules/check.ts';
import { findRule } from '../../rules/index.ts';
import { applyEdits } from '../../text.ts';

import { type Occurrence, occurrencesOf, targetAt } from '../symbol/occurrences.ts';
import type { Target } from '../symbol/target.ts';
import { fileOf, type Move, movedBy, type Plan, type Refusal, refuse } from './plan.ts';

/** Beyond this many files only the names are looked at, and not what is found in them. */
const MAX_CHECKED = 60;

/** Why the plan is not carried out: it would add findings, or join the name with another. */
export function tryPlan(
  analysis: Analysis,
  plan: Plan,
  target: Target,
  occurrences: readonly Occurrence[],
  newName: string,
): Refusal | undefined {
  const after = withPlan(analysis, plan);
  return joins(after, plan, occurrences, newName) ?? breaks(analysis, after, plan, target);
}

/** The analysis as it is when the plan has been carried out. */
export function withPlan(analysis: Analysis, { edits, moves }: Plan): Analysis {
  const edited = analysis.edited(
    edits.flatMap(({ uri, edits: own }) => {
      const before = analysis.file(uri);
      return before ? [{ uri, text: applyEdits(before.text, own) }] : [];
    }),
  );
  if (moves.length === 0) return edited;
  const { files, facts, snapshots } = edited.index;
  const moved = [...files.values()].filter(({ uri }) => movedUri(uri, moves) !== uri);
  // What is known of linked files and of servers' tools goes with the folders, before the catalogs are read there.
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

/** Every place of the old name must be one of the new name, and no other may be: else two things would become one. */
function joins(after: Analysis, plan: Plan, occurrences: readonly Occurrence[], newName: string): Refusal | undefined {
  const target = newTarget(after, plan, occurrences, newName);
  if (!target) return refuse(`\`${newName}\` would not be read as a name there. Choose another one.`);
  const expected = countByFile(occurrences.map(({ file }) => movedUri(file.uri, plan.moves)));
  const found = countByFile(occurrencesOf(after, target).map(({ file }) => file.uri));
  for (const uri of new Set([...expected.keys(), ...found.keys()])) {
    if (plan.remapped.includes(uri) || expected.get(uri) === found.get(uri)) continue;
    return (found.get(uri) ?? 0) > (expected.get(uri) ?? 0)
      ? refuse(
          `${fileOf(uri)} names a \`${newName}\` already, which would then be taken for this one. Choose another name.`,
        )
      : refuse(`In ${fileOf(uri)} \`${newName}\` would not be read as this name everywhere. Choose another one.`);
  }
  return undefined;
}

/** What the first place that is still there means afterwards. */
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
    // Quotes may have come to stand before it.
    if (start < 0 || start > from + 1) continue;
    const here = targetAt(after, renamed, start + Math.min(1, newName.length - 1));
    if (here?.target.name === newName) return here.target;
  }
  return undefined;
}

function countByFile(uris: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const uri of uris) counts.set(uri, (counts.get(uri) ?? 0) + 1);
  return counts;
}

/** Files may have fewer findings than before, and none more. */
function breaks(before: Analysis, after: Analysis, { edits, moves }: Plan, target: Target): Refusal | undefined {
  const home = target.kind === 'field' ? before.graph.skills.get(target.uri)?.summary.name : undefined;
  const name = target.kind === 'skill' ? target.name : home;
  const speaking = name === undefined ? [] : [...(before.graph.mentionedBy.get(name) ?? [])];
  const uris = [...new Set([...edits.map(({ uri }) => uri), ...speaking.sort()])];
  for (const uri of uris.slice(0, MAX_CHECKED)) {
    const documents = [before.file(uri), after.file(movedUri(uri, moves))] as const;
    if (!documents[0] || !documents[1]) continue;
    const left = countByFile(check(documents[0], before).map(({ rule }) => rule));
    const counts = new Map(left);
    for (const { rule, message } of check(documents[1], after)) {
      const rest = (counts.get(rule) ?? 0) - 1;
      counts.set(rule, rest);
      // A client that cannot rename files has been asked for the names alone.
      if (rest < 0 && findRule(rule)?.about !== 'file-name') {
        return refuse(`After that, ${fileOf(uri)} would have a new finding: ${message}`);
      }
    }
  }
  return undefined;
}
