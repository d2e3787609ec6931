/** Takes out the findings that a comment silences, and tells which comments silenced nothing. */
import type { Finding } from '../finding.ts';
import type { SkillDocument } from '../skill/document.ts';
import type { Suppression } from '../skill/suppressions.ts';
import { lineAt } from '../text.ts';

export function suppress(
  document: SkillDocument,
  findings: readonly Finding[],
): { readonly kept: readonly Finding[]; readonly unused: readonly Suppression[] } {
  const { suppressions } = document;
  if (suppressions.length === 0) return { kept: findings, unused: [] };
  const { lines } = document;
  const used = new Set<Suppression>();
  const byLine = new Map<number, Suppression[]>();
  for (const suppression of suppressions) {
    const onLine = byLine.get(suppression.line);
    if (onLine) onLine.push(suppression);
    else byLine.set(suppression.line, [suppression]);
  }
  const kept = findings.filter((finding) => {
    const silencing = (byLine.get(lineAt(lines, finding.span.start)) ?? []).filter(({ rule }) =>
      [finding.rule, finding.code].includes(rule),
    );
    for (const suppression of silencing) used.add(suppression);
    return silencing.length === 0;
  });
  return { kept, unused: suppressions.filter((suppression) => !used.has(suppression)) };
}
