/** The findings of the rules on composition alone, as the composition graph of the command line counts them. */
import type { Analysis } from '../analysis/analysis.ts';
import type { Finding } from '../finding.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { configuredFor, draftsOf, findingsOf } from './check.ts';
import { rules } from './index.ts';
import { suppress } from './suppress.ts';

const RULES = rules.filter(({ about }) => about === 'composition');

export function checkComposition(analysis: Analysis, file: SkillFile): readonly Finding[] {
  if (!file.isSkill || file.frontmatter.tree.broken) return [];
  const configured = configuredFor(analysis, file.uri);
  const found = RULES.filter(({ dialects }) => dialects.includes(file.dialect)).flatMap((rule) =>
    findingsOf(configured, rule, () => draftsOf(file, analysis, rule)),
  );
  // Looking for suppressions parses the body, which is not needed otherwise.
  return found.length === 0 ? found : suppress(file, found).kept;
}
