/** The findings of the rules on composition alone, for who counts them over a whole graph. */
import type { Finding } from '../finding.ts';
import { type SkillDocument, unread } from '../skill/document.ts';
import type { WorkspaceIndex } from '../workspace/workspace-index.ts';
import { configuredFor, findingsOf } from './check.ts';
import { rules } from './index.ts';
import { suppress } from './suppress.ts';

/** The rules that judge how a skill composes others, by the numbers and names of interfaces.md. */
const COMPOSITION: ReadonlySet<string> = new Set([
  ...['E001', 'E002', 'E003', 'E004', 'E006', 'E010', 'E011', 'E012', 'E013', 'E014', 'E015', 'E016', 'E017', 'E018'],
  ...['unknown-step', 'step-order', 'unused-step', 'effects-understated', 'operation-understated', 'budget-exceeded'],
]);

/** Whether a finding's code is that of a rule on composition. */
export const isOnComposition = (code: unknown): boolean => typeof code === 'string' && COMPOSITION.has(code);

export function checkComposition(index: WorkspaceIndex, document: SkillDocument): readonly Finding[] {
  if (!document.isSkill || document.frontmatter.tree.broken) return [];
  const configured = configuredFor(index, document.uri);
  const found = rules
    .filter(({ code, dialects }) => isOnComposition(code) && dialects.includes(document.dialect))
    .flatMap((rule) => findingsOf(configured, rule, () => rule.check(index, document, rules)));
  // Where comments silence something stands in what is otherwise not read of a file.
  return found.length === 0 ? found : suppress(unread(document), found).kept;
}
