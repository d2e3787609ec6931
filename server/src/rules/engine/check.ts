/** Runs all rules that apply to a file, and applies severities and suppressions. */

import type { Analysis } from '../../analysis/analysis.ts';
import { type Draft, type Finding, SEVERITIES, type Severity } from '../../finding.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Suppression } from '../../skill/suppressions.ts';
import { invalidYaml } from '../any-file/invalid-yaml.ts';
import { unreadableFile } from '../any-file/unreadable-file.ts';
import { agentSkillFileName, isFlatAgentSkill, mayBeOfOthers } from '../skill-md/agent-skill-file-name.ts';
import { findBaseline, markAccepted } from './baseline.ts';
import { certainIn } from './certain-findings.ts';
import { rules } from './index.ts';
import { mergeFindings } from './merge-findings.ts';
import { codeOf, type Rule } from './rule.ts';
import { applySuppressions, suppressionsOf, unusedSuppression, unusedSuppressionDrafts } from './unused-suppression.ts';

/** The limit for the findings of one rule in one file that no comment suppresses, so that a check is never slow. */
export const MAX_FINDINGS = 500;

/** Returns the findings of a file, sorted by their spans. */
export const check = (file: SkillFile, analysis: Analysis): readonly Finding[] =>
  checkWithLimits(file, analysis).findings;

export interface CheckResult {
  readonly findings: readonly Finding[];
  /** The names of rules that were stopped at the limit. Stopped rules may have more findings. */
  readonly stopped: ReadonlySet<string>;
}

/** Returns the findings of a file, sorted by their spans, and the rules that were stopped at the limit. */
export function checkWithLimits(file: SkillFile, analysis: Analysis): CheckResult {
  if (!file.isSkill) return { findings: [], stopped: new Set() };
  const configured = configuredFor(analysis, file.uri);
  const { broken } = file.frontmatter.tree;
  const isUnreadable = analysis.unreadable(file.uri) !== undefined;
  const isOfOthers = isFlatAgentSkill(file) || mayBeOfOthers(file);
  const fitting = rules.filter((rule) => {
    if (!rule.dialects.includes(file.dialect) || isOff(configured, rule, file)) return false;
    if (isUnreadable) return rule === unreadableFile;
    if (isOfOthers) return rule === agentSkillFileName || rule === invalidYaml;
    return !broken || rule.readsBroken || rule.readsCertainKeys;
  });
  const findSuppressions = suppressionsOf(file);
  const certain = broken ? certainIn(file) : undefined;
  const checkWith = (rule: Rule): Iterable<Draft> => {
    const drafts = withoutReported(rule.check(file, analysis, rules), fitting);
    return certain && !rule.readsBroken ? certain(drafts) : drafts;
  };
  const each = fitting.flatMap((rule) =>
    findingsOf(configured, rule, () =>
      firstOf(checkWith(rule), ({ span }) => findSuppressions(rule.name, codeOf(rule), span).length > 0),
    ),
  );
  const found = mergeFindings(each, (name) =>
    rules.some((rule) => rule.name === name && configured(rule) !== undefined),
  );
  const { kept, unused } = applySuppressions(file, found);
  const stopped = rulesWithMore(kept);
  // If most rules do not run, or a part of the text was not read, unused suppressions are unknown.
  const isUnknown = broken || isOfOthers || (file.body?.scanned.length ?? 0) > 0;
  const idle = isUnknown || unused.length === 0 ? [] : findingsOfUnused(file, analysis, configured, stopped, unused);
  const sorted = [...kept, ...idle].sort(
    (a, b) => a.span.start - b.span.start || a.span.end - b.span.end || (a.rule < b.rule ? -1 : 1),
  );
  const known = findBaseline(analysis.index, file.uri);
  const findings = known ? markAccepted(sorted, { file: known.file, text: file.text }, known.baseline) : sorted;
  return { findings, stopped };
}

/** Leaves out the drafts that another running rule reports. */
function* withoutReported(drafts: Iterable<Draft>, running: readonly Rule[]): Iterable<Draft> {
  for (const { unlessReportedBy: other, ...draft } of drafts) {
    if (other === undefined || !running.some(({ name }) => name === other)) yield draft;
  }
}

/** Returns whether a rule is off for a file: configured so, or by default. */
const isOff = (configured: Configured, rule: Rule, { dialect }: SkillFile): boolean =>
  (configured(rule) ?? (rule.offIn?.includes(dialect) ? 'off' : rule.severity)) === 'off';

/** Returns the findings of one rule, at most `MAX_FINDINGS`, before severities and suppressions are applied. */
export const draftsOf = (file: SkillFile, analysis: Analysis, rule: Rule): readonly Draft[] =>
  firstOf(rule.check(file, analysis, rules));

function findingsOfUnused(
  file: SkillFile,
  analysis: Analysis,
  configured: Configured,
  stopped: ReadonlySet<string>,
  unused: readonly Suppression[],
): readonly Finding[] {
  const isDecided = (rule: Rule): boolean =>
    !isOff(configured, rule, file) && !stopped.has(rule.name) && (rule.isDecided?.(file, analysis) ?? true);
  return findingsOf(configured, unusedSuppression, () =>
    firstOf(unusedSuppressionDrafts(file, unused, rules, isDecided)),
  );
}

/**
 * Returns the first findings of a rule, up to the limit for findings that are not suppressed. Rules are generators, so
 * the remaining findings are not computed.
 */
function firstOf(drafts: Iterable<Draft>, isSuppressed: (draft: Draft) => boolean = () => false): readonly Draft[] {
  const first: Draft[] = [];
  let shown = 0;
  for (const draft of drafts) {
    first.push(draft);
    if (!isSuppressed(draft) && ++shown >= MAX_FINDINGS) break;
  }
  return first;
}

/** Returns the names of rules that were stopped at the limit. The suppressions that stopped rules need are unknown. */
function rulesWithMore(findings: readonly Finding[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { rule } of findings) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return new Set([...counts].flatMap(([rule, count]) => (count >= MAX_FINDINGS ? [rule] : [])));
}

/** The configured severity of a rule; undefined if no configuration sets it. */
export type Configured = (rule: Rule) => Severity | 'off' | undefined;

/** Returns the configured severities for a file. The order of precedence is: overrides, the catalog, the settings. */
export function configuredFor(analysis: Analysis, uri: string): Configured {
  const { overrides, settings } = analysis.index.severities;
  const tables = [overrides, analysis.catalogOf(uri).severities, settings].filter(({ size }) => size > 0);
  return (rule) => {
    for (const table of tables) {
      const word = table.get(rule.name) ?? table.get(codeOf(rule));
      const severity = WORDS.find((candidate) => candidate === word);
      if (severity) return severity;
    }
    return undefined;
  };
}

const WORDS = [...SEVERITIES, 'off' as const];

/** Returns the configured severity of a rule for a file, or the default severity. */
export const severityOf = (analysis: Analysis, uri: string, rule: Rule): Severity | 'off' =>
  configuredFor(analysis, uri)(rule) ?? rule.severity;

/** Converts the drafts of a rule into findings with severities. `drafts` is not called if the rule is off. */
export function findingsOf(configured: Configured, rule: Rule, drafts: () => readonly Draft[]): readonly Finding[] {
  const set = configured(rule);
  const severity = set ?? rule.severity;
  if (severity === 'off') return [];
  return drafts().map((draft) => ({
    rule: rule.name,
    code: codeOf(rule),
    // A configured severity applies to every finding of a rule.
    severity: set === undefined ? (draft.severity ?? severity) : severity,
    message: draft.message,
    span: draft.span,
    related: draft.related ?? [],
    fixes: draft.fixes ?? [],
    ...(draft.tag ? { tag: draft.tag } : {}),
    ...(draft.about ? { about: draft.about } : {}),
    ...(draft.joins ? { joins: draft.joins } : {}),
    ...(draft.measure === undefined ? {} : { measure: draft.measure }),
    ...(draft.isAboutLink ? { isAboutLink: draft.isAboutLink } : {}),
    ...(draft.shortens ? { shortens: draft.shortens } : {}),
    ...(draft.repeats === undefined ? {} : { repeats: draft.repeats }),
    ...withCause(rule, draft),
  }));
}

/** Returns the cause that the finding of a draft may share with those in other files. */
function withCause({ hasSharedCauses }: Rule, { message, shared, repeats }: Draft): Pick<Finding, 'shared'> {
  // A finding that covers other files, or is covered, is not merged again.
  if (repeats !== undefined) return {};
  if (shared) return { shared };
  return hasSharedCauses ? { shared: { cause: message, many: 'have this problem' } } : {};
}
