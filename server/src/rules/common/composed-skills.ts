/** The skills that a file composes, and places in their files for findings that show several files. */
import type { Analysis } from '../../analysis/analysis.ts';
import type { Draft, Fix, RelatedPlace } from '../../finding.ts';
import { setScalar } from '../../languages/yaml/edit.ts';
import { findEntry, findValue, nodeAt } from '../../languages/yaml/node.ts';
import { listed } from '../../nearest.ts';
import type { Named, SkillContract } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';
import { levelsOf } from '../../workspace/order.ts';
import type { Part } from '../../workspace/parts-and-composers.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';
import { fixHere } from '../rule.ts';
import { insertKey } from './insert-key.ts';
import { removeFromList } from './removals.ts';

/**
 * The skill of a file in the graph. Undefined while files are still being read, because a name is resolved by all
 * versions that there are.
 */
export function settledSkill(analysis: Analysis, { uri }: SkillFile): IndexedSkill | undefined {
  return analysis.partial ? undefined : analysis.graph.skills.get(uri);
}

/** The entries of `composes` with the skills that they mean. */
export function composedSkills(analysis: Analysis, file: SkillFile): readonly (Part & { readonly named: Named })[] {
  const skill = settledSkill(analysis, file);
  if (!skill) return [];
  return analysis.graph.partsOf(skill).flatMap((part) => {
    const named = file.contract.composes[part.entry];
    return named ? [{ named, ...part }] : [];
  });
}

/** The name for a message; whatever composes or is composed has one. */
export const nameOf = ({ summary }: IndexedSkill): string => summary.name ?? 'this skill';

type Pick = (contract: SkillContract, file: SkillFile) => { readonly span: Span } | undefined;

/** The place that `pick` finds in the file of a skill; none where it finds nothing. */
export function placeIn(analysis: Analysis, { uri }: IndexedSkill, pick: Pick, message: string): RelatedPlace[] {
  const file = analysis.file(uri);
  const found = file && pick(file.contract, file);
  return found ? [{ uri, span: found.span, message }] : [];
}

/** Where one skill composes another. */
export const placeOfEntry = (
  analysis: Analysis,
  composer: IndexedSkill,
  { summary }: IndexedSkill,
  message: string,
): RelatedPlace[] =>
  placeIn(analysis, composer, ({ composes }) => composes.find(({ name }) => name === summary.name), message);

/** A value of the frontmatter by its path of keys. */
export const valueAt =
  (...path: readonly string[]): Pick =>
  (_, { frontmatter }) =>
    nodeAt(frontmatter.tree.root, path);

/** `a`, `a and b`, `a, b and c`; of very many the first few. */
export function listedUpTo(words: readonly string[], most = 6): string {
  if (words.length > most) return `${words.slice(0, most).join(', ')} and ${words.length - most} more`;
  return listed(words);
}

// Levels of composed skills (docs/format.md, section 4): a skill composes those of lower levels.

/**
 * Entries of a skill of the given level whose skills are not below it. Entries that close a cycle are reported as that,
 * and invalid levels by `invalid-level`.
 */
export function* misplacedParts(
  analysis: Analysis,
  file: SkillFile,
  level: 2 | 3,
  requirement: string,
): Generator<Draft> {
  const root = settledSkill(analysis, file);
  if (!root || file.contract.level !== level) return;
  const wayBack = analysis.graph.waysBackOf(root);
  const parts = composedSkills(analysis, file);
  const levels = levelsOf(analysis.graph, root);
  const highest = parts.reduce((top, { skill }) => Math.max(top, levels.get(skill.uri) ?? 1), 1);
  for (const { skill, named } of parts) {
    const other = levels.get(skill.uri);
    if ((other !== 2 && other !== 3) || other < level || wayBack(skill.uri)) continue;
    yield {
      span: named.span,
      message: `${requirement}, but \`${named.name}\` is of level ${other}. ${highest === 2 ? 'Raise the level of this skill to 3, or compose something lower.' : 'Compose what it is made of instead, or lower its level.'}`,
      related: placeOfLevel(analysis, skill),
      fixes: [
        ...(highest === 2 ? setLevel(file, 3, 'Raise the level to 3') : []),
        ...removeFromList(file, 'composes', named.span, `Remove \`${named.name}\` from \`composes\``),
      ],
    };
  }
}

/** Where a skill says its level, or composes what makes it. */
export function placeOfLevel(analysis: Analysis, skill: IndexedSkill): RelatedPlace[] {
  const name = nameOf(skill);
  if (skill.summary.level !== undefined) {
    return placeIn(analysis, skill, valueAt('level'), `\`${name}\` has its level here`);
  }
  const composes: Pick = (_, { frontmatter }) => findEntry(frontmatter.tree.root, 'composes')?.key;
  return placeIn(analysis, skill, composes, `\`${name}\` has its level by what it composes here`);
}

/** Writes the level without quotes, which would make it a text; adds the key where there is none. */
export function setLevel(file: SkillFile, level: number, title: string): Fix[] {
  const node = findValue(file.frontmatter.tree.root, 'level');
  if (!node) return fixHere(file, title, insertKey(file, 'level', String(level)));
  if (node.kind !== 'scalar') return [];
  return fixHere(file, title, setScalar(file.text, { ...node, style: 'plain' }, level));
}

export const writesLevel = ({ frontmatter }: SkillFile): boolean =>
  findEntry(frontmatter.tree.root, 'level') !== undefined;

/** The level of a skill by what it composes; undefined where it composes nothing, itself or what is not there. */
export function levelByParts(analysis: Analysis, file: SkillFile): number | undefined {
  const root = settledSkill(analysis, file);
  const parts = composedSkills(analysis, file);
  if (!root || parts.length === 0 || parts.length < file.contract.composes.length) return undefined;
  const wayBack = analysis.graph.waysBackOf(root);
  if (parts.some(({ skill }) => wayBack(skill.uri))) return undefined;
  const levels = levelsOf(analysis.graph, root);
  return parts.reduce((top, { skill }) => Math.max(top, 1 + (levels.get(skill.uri) ?? 1)), 2);
}
