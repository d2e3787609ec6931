/** The findings of the rules on composition alone, for who counts them over a whole graph. */
import type { Analysis } from '../analysis/analysis.ts';
import type { Finding } from '../finding.ts';
import type { SkillFile } from '../skill/skill-file.ts';

import { configuredFor, draftsOf, findingsOf } from './check.ts';
import { rules } from './index.ts';
import { suppress } from './suppress.ts';

/** The rules that judge how a skill composes others. */
const COMPOSITION: ReadonlySet<string> = new Set([
  ...['E001', 'E002', 'E003', 'E004', 'E006', 'E010', 'E011', 'E012', 'E013', 'E014', 'E015', 'E016', 'E017', 'E018'],
  ...['unknown-step', 'step-order', 'unused-step', 'effects-understated', 'operation-understated', 'budget-exceeded'],
]);

/** Whether a finding's code is that of a rule on composition. */
export const isOnComposition = (code: unknown): boolean => typeof code === 'string' && COMPOSITION.has(code);

export function checkComposition(analysis: Analysis, file: SkillFile): readonly Finding[] {
  if (!file.isSkill || file.frontmatter.tree.broken) return [];
  const configured = configuredFor(analysis, file.uri);
  const found = rules
    .filter(({ code, dialects }) => isOnComposition(code) && dialects.includes(file.dialect))
    .flatMap((rule) => findingsOf(configured, rule, () => draftsOf(file, analysis, rule)));
  // Where comments silence something stands in what is otherwise not read of a file.
  return found.length === 0 ? found : suppress(file, found).kept;
}
