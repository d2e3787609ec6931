/** Findings of one document: every rule that fits it, severities and suppressions applied, in the order of places. */
import { type Draft, type Finding, SEVERITIES, type Severity } from '../finding.ts';
import type { SkillDocument } from '../skill/document.ts';
import { catalogOf, type WorkspaceIndex } from '../workspace/workspace-index.ts';
import { rules } from './index.ts';
import type { Rule } from './rule.ts';
import { suppress } from './suppress.ts';
import { draftsOfUnused, unusedSuppression } from './unused-suppression.ts';

/** Nobody reads more of one kind in one file, and a file that has more was written to be slow. */
const MAX_FINDINGS = 500;

export function check(index: WorkspaceIndex, document: SkillDocument): readonly Finding[] {
  if (!document.isSkill) return [];
  const { broken } = document.frontmatter.tree;
  const found = rules.flatMap((rule) => {
    if (!rule.dialects.includes(document.dialect) || (broken && !rule.readsBroken)) return [];
    return findingsOf(index, document, rule, () => rule.check(index, document, rules));
  });
  const { kept, unused } = suppress(document, found);
  const cut = rulesWithMore(found);
  const isJudged = (rule: Rule): boolean => rule.isJudged?.(index, document) ?? true;
  // A rule that could not run cannot have used its suppression, so on a broken frontmatter none is called unused.
  const idle = broken
    ? []
    : findingsOf(index, document, unusedSuppression, () =>
        draftsOfUnused(unused, rules, (rule) => isOn(index, document)(rule) && !cut.has(rule.name) && isJudged(rule)),
      );
  return [...kept, ...idle].sort(
    (a, b) => a.span.start - b.span.start || a.span.end - b.span.end || (a.rule < b.rule ? -1 : 1),
  );
}

/** Rules are asked for one finding after another, so that those which nobody would see cost nothing. */
function firstOf(drafts: Iterable<Draft>): readonly Draft[] {
  const first: Draft[] = [];
  for (const draft of drafts) if (first.push(draft) >= MAX_FINDINGS) break;
  return first;
}

/** The rules of which there may be more findings; which comments silence those is not known. */
function rulesWithMore(findings: readonly Finding[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { rule } of findings) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return new Set([...counts].flatMap(([rule, count]) => (count >= MAX_FINDINGS ? [rule] : [])));
}

/** An override goes before a catalog's severity, that before the user's setting, and that before the rule's own. */
export function severityOf(index: WorkspaceIndex, uri: string, rule: Rule): Severity | 'off' {
  return configuredSeverity(index, uri, rule) ?? rule.severity;
}

function configuredSeverity(index: WorkspaceIndex, uri: string, rule: Rule): Severity | 'off' | undefined {
  const { severities } = catalogOf(index, uri);
  for (const table of [index.overrides, severities, index.severities]) {
    // Asked for seventy rules at every edit; hardly anybody sets one.
    if (table.size === 0) continue;
    const word = table.get(rule.name) ?? table.get(rule.code);
    if (word === undefined) continue;
    const severity = [...SEVERITIES, 'off' as const].find((candidate) => candidate === word);
    if (severity) return severity;
  }
  return undefined;
}

const isOn = (index: WorkspaceIndex, document: SkillDocument) => (rule: Rule) =>
  severityOf(index, document.uri, rule) !== 'off';

export function findingsOf(
  index: WorkspaceIndex,
  document: SkillDocument,
  rule: Rule,
  drafts: () => Iterable<Draft>,
): Finding[] {
  const configured = configuredSeverity(index, document.uri, rule);
  const severity = configured ?? rule.severity;
  if (severity === 'off') return [];
  return firstOf(drafts()).map((draft) => ({
    rule: rule.name,
    code: rule.code,
    // The author's choice goes before what the rule thinks of a single case.
    severity: configured === undefined ? (draft.severity ?? severity) : severity,
    message: draft.message,
    span: draft.span,
    related: draft.related ?? [],
    fixes: draft.fixes ?? [],
    ...(draft.tag ? { tag: draft.tag } : {}),
  }));
}
