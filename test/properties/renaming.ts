/**
 * Laws of renames in any workspace: a rename adds no findings and changes prompts only in the names, and renaming back
 * undoes the rename.
 */
import { strict as assert } from 'node:assert';
import type { Analysis } from '../../server/src/analysis/analysis.ts';
import { invocationContextOf } from '../../server/src/analysis/package-of.ts';
import { Workspace } from '../../server/src/analysis/workspace.ts';
import type { SkillPackage } from '../../server/src/composer/composition.ts';
import { prepareRequest } from '../../server/src/composer/prepare.ts';
import { movedUri, offsetAfterEdits, type Plan } from '../../server/src/features/rename/plan.ts';
import { isRefusal, planRename } from '../../server/src/features/rename/rename.ts';
import { type Occurrence, occurrencesOf, targetAt } from '../../server/src/features/symbol/occurrences.ts';
import type { SymbolTarget } from '../../server/src/features/symbol/target.ts';
import { check } from '../../server/src/rules/engine/check.ts';
import { checkedPackageOf } from '../../server/src/rules/engine/checked-package.ts';
import { applyEdits } from '../../server/src/text.ts';
import { compose } from '../core/composer/composing.ts';

/** The files of a workspace by URI, and the analysis of the workspace. */
export interface RenameContext {
  readonly texts: ReadonlyMap<string, string>;
  readonly analysis: Analysis;
}

/** A symbol with a name, and its occurrences. */
export interface NamedSymbol {
  readonly target: SymbolTarget;
  readonly occurrences: readonly Occurrence[];
}

const ROOT = 'file:///samples';

export const renameContextOf = (files: Iterable<readonly [path: string, text: string]>): RenameContext =>
  read(new Map([...files].map(([path, text]) => [`${ROOT}/${path}`, text])));

function read(texts: RenameContext['texts']): RenameContext {
  const workspace = new Workspace();
  for (const [uri, text] of texts) workspace.apply({ kind: 'text', uri, text });
  return { texts, analysis: workspace.analysis };
}

/** Every symbol with a name, each once. */
export function symbolsOf({ analysis }: RenameContext): readonly NamedSymbol[] {
  const seen = new Set<string>();
  const found: NamedSymbol[] = [];
  for (const file of analysis.allFiles()) {
    for (const { index: offset } of file.text.matchAll(/[A-Za-z_][\w-]*/g)) {
      const here = targetAt(analysis, file, offset);
      if (!here || seen.has(`${file.uri} ${here.span.start}`)) continue;
      const occurrences = occurrencesOf(analysis, here.target);
      for (const one of occurrences) seen.add(`${one.file.uri} ${one.span.start}`);
      if (occurrences.length > 0) found.push({ target: here.target, occurrences });
    }
  }
  return found;
}

/**
 * Renames a symbol at one of its occurrences, and then back: the findings change only in the names, and finally every
 * byte is the same. Returns false if the rename is refused. If `apart` is true, no name has two meanings in the
 * workspace; otherwise, the rename back may be refused, since it would merge two meanings.
 */
export function checkRename(
  before: RenameContext,
  { target, occurrences }: NamedSymbol,
  which: number,
  apart = true,
): boolean {
  const { file, span } = occurrences[which % occurrences.length] as Occurrence;
  const newName = freshName(target);
  const plan = planRename(before.analysis, file, span.start, newName);
  if (isRefusal(plan)) return false;
  const about = `${target.kind} ${target.name} in ${file.uri}`;
  const after = read(carriedOut(before.texts, plan));
  const moved = (uri: string) => movedUri(uri, plan.moves);
  const found = findingsOf(after.analysis, newName, target.name, apart);
  const known = findingsOf(before.analysis, target.name, newName, apart, moved);
  // If a name has two meanings, the new name may resolve a clash of the old one.
  assert.deepEqual(found, apart ? known : known.filter((one) => found.includes(one)), about);
  assert.deepEqual(
    promptsOf(after.analysis, [target.name, newName]),
    promptsOf(before.analysis, [target.name, newName], moved),
    about,
  );
  const start = offsetAfterEdits(plan.edits.find((one) => one.uri === file.uri)?.edits ?? [], span.start);
  const renamed = after.analysis.file(moved(file.uri));
  assert.ok(renamed, about);
  // A mapping pair that would map a name to itself is removed, and the rename back does not restore it.
  if (!apart && plan.remapped.length > 0) return true;
  const there = targetAt(after.analysis, renamed, start);
  if (there?.target.name !== newName) return true;
  const back = planRename(after.analysis, renamed, start, target.name);
  if (isRefusal(back)) {
    // An underlined heading may have a name of several lines, which is not a valid new name.
    assert.ok(!apart || /[\r\n]/.test(target.name), `${about}: ${back.refusal}`);
    return true;
  }
  // The rename back may also add or remove mapping pairs.
  if (!apart && back.remapped.length > 0) return true;
  assert.deepEqual([...carriedOut(after.texts, back)].sort(), [...before.texts].sort(), about);
  return true;
}

/** A valid new name that no workspace here contains. */
function freshName(target: SymbolTarget): string {
  if (target.kind === 'skill') return 'quite-another';
  if (target.kind === 'catalog') return target.domain === 'scope' ? 'read:another' : 'quite_another';
  return target.kind === 'artifact' ? 'Quite another' : 'quite_another';
}

function carriedOut(texts: RenameContext['texts'], { edits, moves }: Plan): RenameContext['texts'] {
  const changed = new Map(texts);
  for (const { uri, edits: all } of edits) changed.set(uri, applyEdits(texts.get(uri) ?? '', all));
  return new Map([...changed].map(([uri, text]) => [movedUri(uri, moves), text]));
}

/** The words of a name affect the matching of requests. */
const OF_WORDS = new Set(['routing-fails', 'overlapping-skills']);

/**
 * The rule and message of every finding, without the two names and without advice, which depends on similar names.
 */
function findingsOf(
  all: Analysis,
  name: string,
  other: string,
  withMessages: boolean,
  moved = (uri: string) => uri,
): readonly string[] {
  const names = new RegExp(`(?<![\\w-])(?:${escaped(name)}|${escaped(other)})(?![\\w-])`, 'g');
  const plain = (message: string) =>
    message
      .replace(names, '…')
      .replace(/ (?:Did you mean |Add |Begin your own |Create it|It has none|Remove |This permission |Use ).*$/s, '');
  const found = [...all.allFiles()].flatMap((file) =>
    check(file, all)
      .filter(({ rule }) => !OF_WORDS.has(rule))
      .map(({ rule, message }) => `${moved(file.uri)} ${rule} ${withMessages ? plain(message) : ''}`),
  );
  return (withMessages ? found : [...new Set(found)]).sort();
}

/**
 * The words of the prompt of every sample, without the names and in alphabetical order, because a prompt lists
 * parameters in the order of their names. For a sample that does not compose, the kinds of its errors.
 */
function promptsOf(all: Analysis, names: readonly string[], moved = (uri: string) => uri): readonly string[] {
  const ignored = new RegExp(`["']|(?<![\\w-])(?:${names.map(escaped).join('|')})(?![\\w-])`, 'g');
  const composed = [...all.allFiles()].flatMap((file) => {
    const skillPackage = file.isSkill ? checkedPackageOf(all, file.uri) : undefined;
    return (skillPackage?.samples ?? []).map(({ name }, at) => {
      const { request } = prepareRequest(skillPackage as SkillPackage, invocationContextOf(all, file.uri), name);
      const result = compose(request);
      const shown = result.ok ? result.composition.prompt : result.errors.map(({ kind }) => kind).join(' ');
      return `${moved(file.uri)} ${at} ${shown.replace(ignored, '').split(/\s+/).sort().join(' ')}`;
    });
  });
  return composed.sort();
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
