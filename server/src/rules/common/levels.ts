/** Levels of composed skills (docs/format.md, section 4): what is composed stands below. */
import type { Analysis } from '../../analysis/analysis.ts';
import type { Draft, Fix } from '../../finding.ts';
import { setScalar } from '../../languages/yaml/edit.ts';
import { findValue } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';

import { fixHere } from '../rule.ts';
import { composedSkills, placeIn, settledSkill, valueAt } from './composition-places.ts';
import { removeFromList } from './removal.ts';

/**
 * Entries of a skill of the given level whose skills are not below it. A skill without a level counts as atomic, another
 * number is reported for itself, and an entry that closes a cycle is reported as that: the levels of a cycle can never
 * be right.
 */
export function* misplacedParts(analysis: Analysis, file: SkillFile, level: 2 | 3, law: string): Generator<Draft> {
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
      message: `${law}, but \`${named.name}\` is of level ${other}. ${highest === 2 ? 'Raise the level of this skill to 3, or compose something lower.' : 'Compose what it is made of instead, or lower its level.'}`,
      related: placeIn(analysis, skill, valueAt('level'), `\`${named.name}\` has its level here`),
      fixes: [
        ...(highest === 2 ? raiseLevel(file) : []),
        ...removeFromList(file, 'composes', named.span, `Remove \`${named.name}\` from \`composes\``),
      ],
    };
  }
}

function raiseLevel(file: SkillFile): Fix[] {
  const level = findValue(file.frontmatter.tree.root, 'level');
  return level?.kind === 'scalar' ? [fixHere(file, 'Raise the level to 3', setScalar(file.text, level, 3))] : [];
}
