/** Takes out the findings that a comment silences, and tells which comments silenced nothing. */
import type { Finding } from '../finding.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import type { Suppression } from '../skill/suppressions.ts';
import { lineAt } from '../text.ts';

export function suppress(
  file: SkillFile,
  findings: readonly Finding[],
): { readonly kept: readonly Finding[]; readonly unused: readonly Suppression[] } {
  const { suppressions } = file;
  if (suppressions.length === 0) return { kept: findings, unused: [] };
  const { lines } = file;
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
