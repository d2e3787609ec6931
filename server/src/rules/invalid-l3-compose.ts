import type { Analysis } from '../analysis/analysis.ts';
import type { Draft } from '../finding.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { levelsOf } from '../workspace/order.ts';
import { composedSkills, misplacedParts, placeOfLevel, settledSkill, writesLevel } from './common/composed-skills.ts';
import { removeFromList } from './common/removals.ts';
import { type Rule, SKILLS } from './rule.ts';

export const invalidL3Compose: Rule = {
  name: 'invalid-l3-compose',
  number: 'E015',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4' },
  dialects: SKILLS,
  about: 'composition',
  *check(file, analysis) {
    yield* misplacedParts(analysis, file, 3, 'A skill of level 3 composes skills of levels 1 and 2 only');
    yield* workflows(analysis, file);
  },
};

/** What a skill without a level composes above level 2, so that it would be of level 4 itself. */
function* workflows(analysis: Analysis, file: SkillFile): Generator<Draft> {
  const root = settledSkill(analysis, file);
  if (!root || writesLevel(file)) return;
  const wayBack = analysis.graph.waysBackOf(root);
  const levels = levelsOf(analysis.graph, root);
  for (const { skill, named } of composedSkills(analysis, file)) {
    if (levels.get(skill.uri) !== 3 || wayBack(skill.uri)) continue;
    yield {
      span: named.span,
      message: `\`${named.name}\` is a workflow of level 3, so this skill would be of level 4, and there is none: nothing composes workflows. Compose what it is made of instead.`,
      related: placeOfLevel(analysis, skill),
      fixes: removeFromList(file, 'composes', named.span, `Remove \`${named.name}\` from \`composes\``),
    };
  }
}
