/** Suppressions of findings by comments. */
import type { Finding } from '../finding.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import type { Suppression } from '../skill/suppressions.ts';
import { lineAt } from '../text.ts';
import { groupBy } from './common/mentions.ts';

/** Returns the findings that no comment suppresses, and the comments that suppress nothing. */
export function applySuppressions(
  file: SkillFile,
  findings: readonly Finding[],
): { readonly kept: readonly Finding[]; readonly unused: readonly Suppression[] } {
  const { suppressions } = file;
  if (suppressions.length === 0) return { kept: findings, unused: [] };
  const { lines } = file;
  const byLine = groupBy(suppressions, ({ line }) => line);
  const used = new Set<Suppression>();
  const kept = findings.filter((finding) => {
    const onLine = byLine.get(lineAt(lines, finding.span.start)) ?? [];
    const matching = onLine.filter(({ rule }) => [finding.rule, finding.code].includes(rule));
    for (const suppression of matching) used.add(suppression);
    return matching.length === 0;
  });
  return { kept, unused: suppressions.filter((suppression) => !used.has(suppression)) };
}
