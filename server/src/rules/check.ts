/** Findings of one file: every rule that fits it, severities and suppressions applied, in the order of places. */
import type { Analysis } from '../analysis/analysis.ts';
import { type Draft, type Finding, SEVERITIES, type Severity } from '../finding.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import type { Suppression } from '../skill/suppressions.ts';
import { rules } from './index.ts';
import type { Rule } from './rule.ts';
import { suppress } from './suppress.ts';
import { draftsOfUnused, unusedSuppression } from './unused-suppression.ts';

/** Nobody reads more of one kind in one file, and a file that has more was written to be slow. */
const MAX_FINDINGS = 500;

export function check(file: SkillFile, analysis: Analysis): readonly Finding[] {
  if (!file.isSkill) return [];
  const configured = configuredFor(analysis, file.uri);
  const { broken } = file.frontmatter.tree;
  const fitting = rules.filter(
    ({ dialects, readsBroken }) => dialects.includes(file.dialect) && (!broken || readsBroken),
  );
  const found = fitting.flatMap((rule) => findingsOf(configured, rule, () => draftsOf(file, analysis, rule)));
  const { kept, unused } = suppress(file, found);
  // A rule that could not run cannot have used its suppression, so on a broken frontmatter none is called unused.
  const idle = broken || unused.length === 0 ? [] : findingsOfUnused(file, analysis, configured, found, unused);
  return [...kept, ...idle].sort(
    (a, b) => a.span.start - b.span.start || a.span.end - b.span.end || (a.rule < b.rule ? -1 : 1),
  );
}

/** What a rule says of a file: as before, where nothing has changed that it read. */
export const draftsOf = (file: SkillFile, analysis: Analysis, rule: Rule): readonly Draft[] =>
  analysis.observed(file, rule, () => firstOf(rule.check(file, analysis, rules)));

function findingsOfUnused(
  file: SkillFile,
  analysis: Analysis,
  configured: Configured,
  found: readonly Finding[],
  unused: readonly Suppression[],
): readonly Finding[] {
  const cut = rulesWithMore(found);
  const isOn = (rule: Rule): boolean => (configured(rule) ?? rule.severity) !== 'off';
  const isJudged = (rule: Rule): boolean => rule.isJudged?.(file, analysis) ?? true;
  return findingsOf(configured, unusedSuppression, () =>
    firstOf(draftsOfUnused(unused, rules, (rule) => isOn(rule) && !cut.has(rule.name) && isJudged(rule))),
  );
}

/** Rules are asked for one finding after another, so that those which nobody would see cost nothing. */
function firstOf(drafts: Iterable<Draft>): readonly Draft[] {
  const first: Draft[] = [];
  for (const draft of drafts) if (first.push(draft) >= MAX_FINDINGS) break;
  return first;
}

/** The rules of which there may be more findings; which comments suppress those is not known. */
function rulesWithMore(findings: readonly Finding[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { rule } of findings) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return new Set([...counts].flatMap(([rule, count]) => (count >= MAX_FINDINGS ? [rule] : [])));
}

/** What somebody has set a rule to; undefined where nobody has. */
export type Configured = (rule: Rule) => Severity | 'off' | undefined;

/** An override goes before a catalog's severity, that before the user's setting, and that before the rule's own. */
export function configuredFor(analysis: Analysis, uri: string): Configured {
  const { overrides, settings } = analysis.index.severities;
  const tables = [overrides, analysis.catalogOf(uri).severities, settings].filter(({ size }) => size > 0);
  return (rule) => {
    for (const table of tables) {
      const word = table.get(rule.name) ?? table.get(rule.code);
      const severity = WORDS.find((candidate) => candidate === word);
      if (severity) return severity;
    }
    return undefined;
  };
}

const WORDS = [...SEVERITIES, 'off' as const];

export const severityOf = (analysis: Analysis, uri: string, rule: Rule): Severity | 'off' =>
  configuredFor(analysis, uri)(rule) ?? rule.severity;

const NONE: readonly Finding[] = [];

export function findingsOf(configured: Configured, rule: Rule, drafts: () => readonly Draft[]): readonly Finding[] {
  const set = configured(rule);
  const severity = set ?? rule.severity;
  if (severity === 'off') return NONE;
  const all = drafts();
  // Nearly every rule finds nothing in nearly every file.
  if (all.length === 0) return NONE;
  return all.map((draft) => ({
    rule: rule.name,
    code: rule.code,
    // The author's choice goes before what the rule thinks of a single case.
    severity: set === undefined ? (draft.severity ?? severity) : severity,
    message: draft.message,
    span: draft.span,
    related: draft.related ?? [],
    fixes: draft.fixes ?? [],
    ...(draft.tag ? { tag: draft.tag } : {}),
  }));
}
