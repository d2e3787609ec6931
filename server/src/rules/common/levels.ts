/** Levels of composed skills (composability specification, section 1.2): what is composed stands below. */
import type { Draft, Fix } from '../../finding.ts';
import { setScalar } from '../../languages/yaml/edit.ts';
import { findValue } from '../../languages/yaml/node.ts';
import type { SkillDocument } from '../../skill/document.ts';
import { findWaysBack } from '../../workspace/cycles.ts';
import type { WorkspaceIndex } from '../../workspace/workspace-index.ts';
import { fixHere } from '../rule.ts';
import { composedSkills, placeIn, settledSkill, valueAt } from './composition-places.ts';
import { removeFromList } from './removal.ts';

/**
 * Entries of a skill of the given level whose skills are not below it. A skill without a level counts as atomic, another
 * number is reported for itself, and an entry that closes a cycle is reported as that: the levels of a cycle can never
 * be right.
 */
export function* misplacedParts(
  index: WorkspaceIndex,
  document: SkillDocument,
  level: 2 | 3,
  law: string,
): Generator<Draft> {
  const root = settledSkill(index, document);
  if (!root || document.contract.level !== level) return;
  const wayBack = findWaysBack(index.graph, root);
  const parts = composedSkills(index, document);
  const highest = parts.reduce((top, { skill }) => Math.max(top, skill.summary.level ?? 1), 1);
  for (const { skill, named } of parts) {
    const other = skill.summary.level;
    if ((other !== 2 && other !== 3) || other < level || wayBack(skill.uri)) continue;
    yield {
      span: named.span,
      message: `${law}, but \`${named.name}\` is of level ${other}. ${highest === 2 ? 'Raise the level of this skill to 3, or compose something lower.' : 'Compose what it is made of instead, or lower its level.'}`,
      related: placeIn(index, skill, valueAt('level'), `\`${named.name}\` has its level here`),
      fixes: [
        ...(highest === 2 ? raiseLevel(document) : []),
        ...removeFromList(document, 'composes', named.span, `Remove \`${named.name}\` from \`composes\``),
      ],
    };
  }
}

function raiseLevel(document: SkillDocument): Fix[] {
  const level = findValue(document.frontmatter.tree.root, 'level');
  return level?.kind === 'scalar'
    ? [fixHere(document, 'Raise the level to 3', setScalar(document.text, level, 3))]
    : [];
}
