/** Takes out the findings that a comment silences, and tells which comments silenced nothing. */
import type { Finding } from '../finding.ts';
import type { SkillDocument } from '../skill/document.ts';
import type { Suppression } from '../skill/suppressions.ts';
import { lineAt } from '../text.ts';

export function suppress(
  { suppressions, lines }: SkillDocument,
  findings: readonly Finding[],
): { readonly kept: readonly Finding[]; readonly unused: readonly Suppression[] } {
  if (suppressions.length === 0) return { kept: findings, unused: [] };
  const used = new Set<Suppression>();
  const kept = findings.filter((finding) => {
    const line = lineAt(lines, finding.span.start);
    const silencing = suppressions.filter(
      (suppression) => suppression.line === line && [finding.rule, finding.code].includes(suppression.rule),
    );
    for (const suppression of silencing) used.add(suppression);
    return silencing.length === 0;
  });
  return { kept, unused: suppressions.filter((suppression) => !used.has(suppression)) };
}
