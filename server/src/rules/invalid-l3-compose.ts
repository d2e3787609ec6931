import type { Analysis } from '../analysis/analysis.ts';
import type { Draft } from '../finding.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { levelsOf } from '../workspace/order.ts';
import {
  composedSkills,
  declaresLevel,
  levelConflicts,
  placeOfLevel,
  resolvedSkill,
} from './common/composed-skills.ts';
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
    yield* levelConflicts(analysis, file, 3, 'A skill of level 3 can compose only skills of levels 1 and 2');
    yield* workflows(analysis, file);
  },
};

/** Reports the workflows that a skill without a level composes, because they would give that skill level 4. */
function* workflows(analysis: Analysis, file: SkillFile): Generator<Draft> {
  const root = resolvedSkill(analysis, file);
  if (!root || declaresLevel(file)) return;
  const wayBack = analysis.graph.waysBackOf(root);
  const levels = levelsOf(analysis.graph, root);
  for (const { skill, named } of composedSkills(analysis, file)) {
    if (levels.get(skill.uri) !== 3 || wayBack(skill.uri)) continue;
    yield {
      span: named.span,
      message: `\`${named.name}\` has level 3, so this skill would have level 4, which does not exist. Compose the skills of \`${named.name}\` instead.`,
      related: placeOfLevel(analysis, skill),
      fixes: removeFromList(file, 'composes', named.span, `Remove \`${named.name}\` from \`composes\``),
    };
  }
}
