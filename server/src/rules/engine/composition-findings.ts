/** The findings about composition, which the composition graph of the command line counts. */
import type { Analysis } from '../../analysis/analysis.ts';
import type { Finding } from '../../finding.ts';
import { configuredFor, draftsOf, findingsOf } from './check.ts';
import { rules } from './index.ts';
import { applySuppressions } from './unused-suppression.ts';

const RULES = rules.filter(({ about }) => about === 'composition');

/** Returns the findings about composition in the file at `uri`, without suppressed findings. */
export function compositionFindings(analysis: Analysis, uri: string): readonly Finding[] {
  const file = analysis.file(uri);
  if (!file?.isSkill || file.frontmatter.tree.broken) return [];
  const configured = configuredFor(analysis, file.uri);
  const found = RULES.filter(({ dialects }) => dialects.includes(file.dialect)).flatMap((rule) =>
    findingsOf(configured, rule, () => draftsOf(file, analysis, rule)),
  );
  // Reading suppressions parses the body, which is not needed without findings.
  return found.length === 0 ? found : applySuppressions(file, found).kept;
}
