/** Levels of composed skills (docs/format.md, section 4): a skill composes those of lower levels. */
import type { Analysis } from '../../analysis/analysis.ts';
import type { Draft, Fix, RelatedPlace } from '../../finding.ts';
import { setScalar } from '../../languages/yaml/edit.ts';
import { findEntry, findValue } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { levelsOf } from '../../workspace/levels.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';
import { fixHere } from '../rule.ts';
import { composedSkills, nameOf, type Pick, placeIn, settledSkill, valueAt } from './composed-skills.ts';
import { insertKey } from './insert-key.ts';
import { removeFromList } from './removals.ts';

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
