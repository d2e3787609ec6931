/** The skills that a file composes, and related locations in the files of these skills. */

import type { Draft, Fix, RelatedLocation } from '../finding.ts';
import { fixHere } from '../finding.ts';
import { setScalar } from '../languages/yaml/edit.ts';
import { findEntry, findValue, nodeAt } from '../languages/yaml/node.ts';
import { listed } from '../nearest.ts';
import type { Named, SkillContract } from '../skill/contract.ts';
import { insertKey } from '../skill/insert-key.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import type { Span } from '../text.ts';
import type { ResolvedEntry } from '../workspace/composition-lookups.ts';
import { levelsOf } from '../workspace/order.ts';
import type { IndexedSkill } from '../workspace/workspace-index.ts';
import type { Analysis } from './analysis.ts';
import { fallbackSkills, reachedBy, toolSkills } from './permissions.ts';
import { removeFromList } from './removals.ts';

/**
 * Returns the skill of a file in the graph; undefined while files are still being read, because a name can be resolved
 * only if all versions are known.
 */
export function resolvedSkill(analysis: Analysis, { uri }: SkillFile): IndexedSkill | undefined {
  return analysis.partial ? undefined : analysis.graph.skills.get(uri);
}

/** Returns the entries of `composes` with the skills that they resolve to. Entries that do not resolve are left out. */
export function composedSkills(
  analysis: Analysis,
  file: SkillFile,
): readonly (ResolvedEntry & { readonly named: Named })[] {
  const skill = resolvedSkill(analysis, file);
  if (!skill) return [];
  return analysis.graph.composedSkillsOf(skill).flatMap((entry) => {
    const named = file.contract.composes[entry.entry];
    return named ? [{ named, ...entry }] : [];
  });
}

/**
 * Returns the skills that a run of a file's skill may reach, each once, with the first entry of `composes`, or else the
 * fallback or the tool, that brings it (docs/format.md, section 4, "Gates"). A composed skill reports its own tools.
 */
export function reachedSkills(
  analysis: Analysis,
  file: SkillFile,
): readonly { readonly skill: IndexedSkill; readonly named: Named }[] {
  const found = new Map<string, { readonly skill: IndexedSkill; readonly named: Named }>();
  const root = resolvedSkill(analysis, file);
  const composed = composedSkills(analysis, file).flatMap(({ skill, adapter, named }) =>
    [skill, ...(adapter ? [adapter] : [])].map((one) => ({ skill: one, named })),
  );
  for (const { skill: first, named } of [...composed, ...(root ? fallbackSkills(analysis, root) : [])]) {
    for (const skill of [first, ...reachedBy(analysis, first)]) {
      if (skill.uri !== file.uri && !found.has(skill.uri)) found.set(skill.uri, { skill, named });
    }
  }
  for (const tool of root ? toolSkills(analysis, root) : []) {
    if (!found.has(tool.skill.uri)) found.set(tool.skill.uri, tool);
  }
  return [...found.values()];
}

/** Returns the name of a skill for a message. A skill that composes other skills or is composed always has a name. */
export const nameOf = ({ summary }: IndexedSkill): string => summary.name ?? 'this skill';

type Pick = (contract: SkillContract, file: SkillFile) => { readonly span: Span } | undefined;

/** Returns the related location that `pick` finds in a skill's file, or an empty array if `pick` finds nothing. */
export function placeIn(analysis: Analysis, { uri }: IndexedSkill, pick: Pick, message: string): RelatedLocation[] {
  const file = analysis.file(uri);
  const found = file && pick(file.contract, file);
  return found ? [{ uri, span: found.span, message }] : [];
}

/** Returns the location of the entry in `composes` by which one skill composes another. */
export const placeOfEntry = (
  analysis: Analysis,
  composer: IndexedSkill,
  { summary }: IndexedSkill,
  message: string,
): RelatedLocation[] =>
  placeIn(analysis, composer, ({ composes }) => composes.find(({ name }) => name === summary.name), message);

/** Returns a function that finds the frontmatter value at a path of keys. */
export const valueAt =
  (...path: readonly string[]): Pick =>
  (_, { frontmatter }) =>
    nodeAt(frontmatter.tree.root, path);

/**
 * Returns `a`, `a and b` or `a, b and c`. For a longer list, returns the first `most` words and the number of remaining
 * words.
 */
export function listedUpTo(words: readonly string[], most = 6): string {
  if (words.length > most) return `${words.slice(0, most).join(', ')} and ${words.length - most} more`;
  return listed(words);
}

// Levels of composed skills (docs/format.md, section 4): a skill composes skills of lower levels.

/**
 * For a skill with the given level, reports the entries in `composes` whose composed skills do not have a lower level.
 * Other rules report entries that close a cycle, and invalid levels. `requirement` is the beginning of the message.
 */
export function* levelConflicts(
  analysis: Analysis,
  file: SkillFile,
  level: 2 | 3,
  requirement: string,
): Generator<Draft> {
  const root = resolvedSkill(analysis, file);
  if (!root || file.contract.level !== level) return;
  const wayBack = analysis.graph.waysBackOf(root);
  const composed = composedSkills(analysis, file);
  const levels = levelsOf(analysis.graph, root);
  const highest = composed.reduce((top, { skill }) => Math.max(top, levels.get(skill.uri) ?? 1), 1);
  for (const { skill, named } of composed) {
    const other = levels.get(skill.uri);
    if ((other !== 2 && other !== 3) || other < level || wayBack(skill.uri)) continue;
    yield {
      span: named.span,
      message: `${requirement}, but \`${named.name}\` has level ${other}. ${highest === 2 ? 'Raise the level of this skill to 3, or remove the entry.' : 'Lower its level, or compose the skills that it composes instead.'}`,
      related: placeOfLevel(analysis, skill),
      fixes: [
        ...(highest === 2 ? setLevel(file, 3, 'Raise the level to 3') : []),
        ...removeFromList(file, 'composes', named.span, `Remove \`${named.name}\` from \`composes\``),
      ],
    };
  }
}

/**
 * Returns the location of a skill's `level` or, if that key is missing, of the `composes` that determines the level.
 */
export function placeOfLevel(analysis: Analysis, skill: IndexedSkill): RelatedLocation[] {
  const name = nameOf(skill);
  if (skill.summary.level !== undefined) {
    return placeIn(analysis, skill, valueAt('level'), `The level of \`${name}\``);
  }
  const composes: Pick = (_, { frontmatter }) => findEntry(frontmatter.tree.root, 'composes')?.key;
  return placeIn(analysis, skill, composes, `The level of \`${name}\` follows from the skills that it composes`);
}

/** Returns the fix that sets the level, without quotes. The fix adds the key if it is missing. */
export function setLevel(file: SkillFile, level: number, title: string): Fix[] {
  const node = findValue(file.frontmatter.tree.root, 'level');
  if (!node) return fixHere(file, title, insertKey(file, 'level', String(level)));
  if (node.kind !== 'scalar') return [];
  return fixHere(file, title, setScalar(file.text, { ...node, style: 'plain' }, level));
}

/** Returns whether the frontmatter of a file has the key `level`. */
export const declaresLevel = ({ frontmatter }: SkillFile): boolean =>
  findEntry(frontmatter.tree.root, 'level') !== undefined;

/**
 * Returns the lowest level above all composed skills; undefined if the skill composes no skills, or if a composed skill
 * is unknown or is in a cycle with this skill.
 */
export function levelAboveComposed(analysis: Analysis, file: SkillFile): number | undefined {
  const root = resolvedSkill(analysis, file);
  const composed = composedSkills(analysis, file);
  if (!root || composed.length === 0 || composed.length < file.contract.composes.length) return undefined;
  const wayBack = analysis.graph.waysBackOf(root);
  if (composed.some(({ skill }) => wayBack(skill.uri))) return undefined;
  const levels = levelsOf(analysis.graph, root);
  return composed.reduce((top, { skill }) => Math.max(top, 1 + (levels.get(skill.uri) ?? 1)), 2);
}
