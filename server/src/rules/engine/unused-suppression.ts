/** Suppressions of findings by comments, and findings about comments that suppress nothing. */

import { replaceName } from '../../analysis/name-fixes.ts';
import type { Draft, Finding, Fix } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import { groupBy } from '../../skill/mentions.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Suppression } from '../../skill/suppressions.ts';
import { lineAt, type Span, span } from '../../text.ts';
import { isNamed, type Rule } from './rule.ts';

/**
 * The name and severity of findings about comments that suppress nothing. `check.ts` adds such findings after all other
 * rules.
 */
export const unusedSuppression: Rule = {
  name: 'unused-suppression',
  severity: 'hint',
  evidence: { kind: 'spec', source: 'docs/format.md, section 6, "Severities"' },
  dialects: ['composer', 'contract', 'agent-skill', 'catalog'],
  isSuppressible: false,
  check: () => [],
};

/**
 * Returns the findings for unused suppressions. `isDecided` returns false if a finding of a rule may still be missing.
 */
export function* unusedSuppressionDrafts(
  file: SkillFile,
  unused: readonly Suppression[],
  table: readonly Rule[],
  isDecided: (rule: Rule) => boolean,
): Iterable<Draft> {
  for (const suppression of unused) {
    const { rule: name, span: place } = suppression;
    const rule = table.find((candidate) => isNamed(candidate, name));
    if (!rule) {
      const names = table.map((candidate) => candidate.name);
      const near = nearestNames(name, names);
      yield {
        span: place,
        message: `Unknown rule \`${name}\`.${didYouMean(near) || ' Remove this comment.'}`,
        fixes: [...replaceName(file, [place], near), ...remove(file, suppression)],
        tag: 'unnecessary',
      };
    } else if (isDecided(rule)) {
      yield {
        span: place,
        message: `\`${name}\` reports nothing on the next line. Remove this comment.`,
        fixes: remove(file, suppression),
        tag: 'unnecessary',
      };
    }
  }
}

/** Returns the fix that removes a comment, or one of several rules in it. */
function remove(file: SkillFile, { rule, span: place, comment }: Suppression): readonly Fix[] {
  const { text, suppressions } = file;
  const isOnly = suppressions.filter((one) => one.comment.start === comment.start).length === 1;
  if (isOnly) return fixHere(file, 'Remove the comment', [{ span: withLine(text, comment), newText: '' }]);
  const separator = /[ \t,]*$/.exec(text.slice(comment.start, place.start))?.[0] ?? '';
  const next = /^[ \t]*,?[ \t]*(?=[A-Za-z])/.exec(text.slice(place.end, comment.end))?.[0] ?? '';
  const isFirst = !separator.includes(',') && next.includes(',');
  const removed = isFirst
    ? span(place.start, place.end + next.length)
    : span(place.start - separator.length, place.end);
  return fixHere(file, `Remove \`${rule}\``, [{ span: removed, newText: '' }]);
}

/** Returns the span of a comment with its line, if the line contains nothing else. */
function withLine(text: string, { start, end }: Span): Span {
  const before = /(?:^|[\r\n])([ \t]*)$/.exec(text.slice(0, start))?.[1];
  const after = /^[ \t]*(?:\r\n|\n|\r|$)/.exec(text.slice(end))?.[0];
  return before === undefined || after === undefined
    ? span(start, end)
    : span(start - before.length, end + after.length);
}

/** Returns a function that finds the suppressions of a finding, which has the name and the code of its rule. */
export function suppressionsOf({
  suppressions,
  lines,
}: SkillFile): (rule: string, code: string, place: Span) => readonly Suppression[] {
  if (suppressions.length === 0) return () => [];
  const byLine = groupBy(suppressions, ({ line }) => line);
  return (rule, code, { start }) =>
    (byLine.get(lineAt(lines, start)) ?? []).filter((one) => [rule, code].includes(one.rule));
}

/** Returns the findings that no comment suppresses, and the comments that suppress nothing. */
export function applySuppressions(
  file: SkillFile,
  findings: readonly Finding[],
): { readonly kept: readonly Finding[]; readonly unused: readonly Suppression[] } {
  const { suppressions } = file;
  if (suppressions.length === 0) return { kept: findings, unused: [] };
  const find = suppressionsOf(file);
  const used = new Set<Suppression>();
  const kept = findings.filter(({ rule, code, span }) => {
    const matching = find(rule, code, span);
    for (const suppression of matching) used.add(suppression);
    return matching.length === 0;
  });
  return { kept, unused: suppressions.filter((suppression) => !used.has(suppression)) };
}
