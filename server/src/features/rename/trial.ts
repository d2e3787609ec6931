/**
 * A rename is tried on a copy of the index before it is offered: what it would break, join or lose is told instead of done.
 * It costs the files that it edits and those that speak of them.
 */
import { check } from '../../rules/check.ts';
import { parseSkill, unread } from '../../skill/document.ts';
import { applyEdits } from '../../text.ts';
import { dialectOf, folderOf } from '../../vocabulary/dialect.ts';
import { parseCatalog, type SnapshotTool } from '../../workspace/catalog.ts';
import { type WorkspaceIndex, withSummary } from '../../workspace/workspace-index.ts';
import { type Occurrence, occurrencesOf, targetAt } from '../symbol/occurrences.ts';
import type { Target } from '../symbol/target.ts';
import { fileOf, type Move, movedBy, type Plan, type Refusal, refuse } from './plan.ts';

/** Beyond this many files only the names are looked at, and not what is found in them. */
const MAX_CHECKED = 60;

/** Why the plan is not carried out: it would add findings, or join the name with another. */
export function tryPlan(
  index: WorkspaceIndex,
  plan: Plan,
  target: Target,
  occurrences: readonly Occurrence[],
  newName: string,
): Refusal | undefined {
  const after = withPlan(index, plan);
  return joins(after, plan, occurrences, newName) ?? breaks(index, after, plan, target);
}

/** The index as it is when the plan has been carried out. */
export function withPlan(index: WorkspaceIndex, { edits, moves }: Plan): WorkspaceIndex {
  let next = index;
  for (const file of edits) {
    const before = index.documents.get(file.uri);
    if (before) next = withText(next, file.uri, applyEdits(before.text, file.edits));
  }
  for (const move of moves) {
    for (const { uri, text } of [...next.documents.values()]) {
      const to = movedUri(uri, [move]);
      if (to !== uri) next = withText(withText(next, uri, undefined), to, text);
    }
    const moved = index.exists
      .filter((_, uri) => movedUri(uri, [move]) !== uri)
      .mapKeys((uri) => movedUri(uri, [move]));
    next = { ...next, exists: next.exists.merge(moved) };
  }
  return next;
}

export const movedUri = (uri: string, moves: readonly Move[]): string => {
  const move = moves.find(({ from }) => uri === from || uri.startsWith(`${from}/`));
  return move ? move.to + uri.slice(move.from.length) : uri;
};

function withText(index: WorkspaceIndex, uri: string, text: string | undefined): WorkspaceIndex {
  const document = text === undefined ? undefined : parseSkill(uri, text);
  const documents = document ? index.documents.set(uri, document) : index.documents.delete(uri);
  if (document && dialectOf(uri) === 'catalog') {
    const folder = folderOf(uri);
    const catalogs = index.catalogs.set(folder, parseCatalog(document, snapshotOf(index, folder)));
    return { ...index, documents, catalogs };
  }
  return {
    ...index,
    documents,
    graph: withSummary(index.graph, uri, document?.isSkill ? document.summary : undefined),
  };
}

/** The tools that came from a snapshot: those without a place in the catalog. */
function snapshotOf({ catalogs }: WorkspaceIndex, folder: string): readonly SnapshotTool[] | undefined {
  const catalog = catalogs.get(folder);
  const tools = [...(catalog?.tools.values() ?? [])].filter(({ span }) => !span);
  if (tools.length === 0 && !catalog?.toolsKnown) return undefined;
  return tools.map(({ name, description, server }) => ({
    name,
    ...(description === undefined ? {} : { description }),
    ...(server === undefined ? {} : { server }),
  }));
}

/** Every place of the old name must be one of the new name, and no other may be: else two things would become one. */
function joins(
  after: WorkspaceIndex,
  plan: Plan,
  occurrences: readonly Occurrence[],
  newName: string,
): Refusal | undefined {
  const target = newTarget(after, plan, occurrences, newName);
  if (!target) return refuse(`\`${newName}\` would not be read as a name there. Choose another one.`);
  const expected = countByFile(occurrences.map(({ document }) => movedUri(document.uri, plan.moves)));
  const [somewhere] = after.documents.values();
  const found = countByFile(
    somewhere ? occurrencesOf(after, somewhere, target).map(({ document }) => document.uri) : [],
  );
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
  after: WorkspaceIndex,
  { edits, moves }: Plan,
  occurrences: readonly Occurrence[],
  newName: string,
): Target | undefined {
  for (const { document, span } of occurrences) {
    const renamed = after.documents.get(movedUri(document.uri, moves));
    const own = edits.find(({ uri }) => uri === document.uri)?.edits ?? [];
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
function breaks(
  before: WorkspaceIndex,
  after: WorkspaceIndex,
  { edits, moves }: Plan,
  target: Target,
): Refusal | undefined {
  const home = target.kind === 'field' ? before.graph.skills.get(target.uri)?.summary.name : undefined;
  const name = target.kind === 'skill' ? target.name : home;
  const speaking = name === undefined ? [] : [...(before.graph.mentionedBy.get(name) ?? [])];
  const uris = [...new Set([...edits.map(({ uri }) => uri), ...speaking.sort()])];
  for (const uri of uris.slice(0, MAX_CHECKED)) {
    const documents = [before.documents.get(uri), after.documents.get(movedUri(uri, moves))] as const;
    if (!documents[0] || !documents[1]) continue;
    const left = countByFile(check(before, unread(documents[0])).map(({ rule }) => rule));
    const counts = new Map(left);
    for (const { rule, message } of check(after, unread(documents[1]))) {
      const rest = (counts.get(rule) ?? 0) - 1;
      counts.set(rule, rest);
      // A client that cannot rename files has been asked for the names alone.
      if (rest < 0 && rule !== 'name-file-mismatch') {
        return refuse(`After that, ${fileOf(uri)} would have a new finding: ${message}`);
      }
    }
  }
  return undefined;
}
