/** Levels of composed skills (docs/format.md, section 4): a skill composes those of lower levels. */
import type { Analysis } from '../../analysis/analysis.ts';
import type { Draft, Fix } from '../../finding.ts';
import { setScalar } from '../../languages/yaml/edit.ts';
import { findValue } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { fixHere } from '../rule.ts';
import { composedSkills, placeIn, settledSkill, valueAt } from './composed-skills.ts';
import { removeFromList } from './removals.ts';

/**
 * Entries of a skill of the given level whose skills are not below it. A skill without a level counts as atomic. Entries
 * that close a cycle are reported as that, and invalid levels by `invalid-level`.
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
  const highest = parts.reduce((top, { skill }) => Math.max(top, skill.summary.level ?? 1), 1);
  for (const { skill, named } of parts) {
    const other = skill.summary.level;
    if ((other !== 2 && other !== 3) || other < level || wayBack(skill.uri)) continue;
    yield {
      span: named.span,
      message: `${requirement}, but \`${named.name}\` is of level ${other}. ${highest === 2 ? 'Raise the level of this skill to 3, or compose something lower.' : 'Compose what it is made of instead, or lower its level.'}`,
      related: placeIn(analysis, skill, valueAt('level'), `\`${named.name}\` has its level here`),
      fixes: [
        ...(highest === 2 ? setLevel(file, 3, 'Raise the level to 3') : []),
        ...removeFromList(file, 'composes', named.span, `Remove \`${named.name}\` from \`composes\``),
      ],
    };
  }
}

/** Writes the level without quotes, which would make it a text. */
export function setLevel(file: SkillFile, level: number, title: string): Fix[] {
  const node = findValue(file.frontmatter.tree.root, 'level');
  if (node?.kind !== 'scalar') return [];
  return fixHere(file, title, setScalar(file.text, { ...node, style: 'plain' }, level));
}
