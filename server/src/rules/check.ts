/** Findings of one document: every rule that fits it, severities and suppressions applied, in the order of places. */
import { type Draft, type Finding, SEVERITIES, type Severity } from '../finding.ts';
import type { Frontmatter } from '../languages/yaml/frontmatter.ts';
import { createRecent } from '../recent.ts';
import { isStored, type SkillDocument } from '../skill/document.ts';
import type { Suppression } from '../skill/suppressions.ts';
import type { Dialect } from '../vocabulary/dialect.ts';
import { headsOf, sameHeads } from '../workspace/heads.ts';
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
  const configured = configuredFor(index, document.uri);
  const found = [
    ...findingsOfHead(index, document, configured),
    ...findingsOfRules(index, document, configured, rulesOf(document.dialect).ofBody),
  ];
  const { kept, unused } = suppress(document, found);
  // A rule that could not run cannot have used its suppression, so on a broken frontmatter none is called unused.
  const idle = broken || unused.length === 0 ? [] : findingsOfUnused(index, document, configured, found, unused);
  return [...kept, ...idle].sort(
    (a, b) => a.span.start - b.span.start || a.span.end - b.span.end || (a.rule < b.rule ? -1 : 1),
  );
}

function findingsOfRules(
  index: WorkspaceIndex,
  document: SkillDocument,
  configured: Configured,
  some: readonly Rule[],
): readonly Finding[] {
  const { broken } = document.frontmatter.tree;
  const found: Finding[] = [];
  for (const rule of some) {
    if (broken && !rule.readsBroken) continue;
    const ofRule = findingsOf(configured, rule, () => rule.check(index, document, rules));
    if (ofRule.length > 0) found.push(...ofRule);
  }
  return found;
}

/** What was found in a head, and what that was judged by. */
interface Remembered {
  readonly frontmatter: Frontmatter;
  readonly heads: readonly unknown[];
  readonly problems: SkillDocument['problems'];
  readonly findings: readonly Finding[];
}

/** By file. Its frontmatter stays the same object while only the body is edited. */
const remembered = createRecent<string, Remembered>(16);

function findingsOfHead(index: WorkspaceIndex, document: SkillDocument, configured: Configured): readonly Finding[] {
  const { ofHead } = rulesOf(document.dialect);
  // A file that nobody edits is read anew for every look at it.
  if (isStored(document)) return findingsOfRules(index, document, configured, ofHead);
  const { uri, frontmatter, problems } = document;
  const heads = headsOf(index);
  const known = remembered.get(uri);
  if (known?.frontmatter === frontmatter && known.problems === problems && sameHeads(known.heads, heads)) {
    return known.findings;
  }
  const findings = findingsOfRules(index, document, configured, ofHead);
  return remembered.set(uri, { frontmatter, heads, problems, findings }).findings;
}

interface Fitting {
  readonly ofHead: readonly Rule[];
  readonly ofBody: readonly Rule[];
}

/** The rules that fit a dialect, in the order of the table. */
const fitting = new Map<Dialect, Fitting>();

function rulesOf(dialect: Dialect): Fitting {
  const known = fitting.get(dialect);
  if (known) return known;
  const all = rules.filter(({ dialects }) => dialects.includes(dialect));
  const ofHead = all.filter(({ readsHeadOnly }) => readsHeadOnly);
  const made = { ofHead, ofBody: all.filter((rule) => !ofHead.includes(rule)) };
  fitting.set(dialect, made);
  return made;
}

function findingsOfUnused(
  index: WorkspaceIndex,
  document: SkillDocument,
  configured: Configured,
  found: readonly Finding[],
  unused: readonly Suppression[],
): readonly Finding[] {
  const cut = rulesWithMore(found);
  const isOn = (rule: Rule): boolean => (configured(rule) ?? rule.severity) !== 'off';
  const isJudged = (rule: Rule): boolean => rule.isJudged?.(index, document) ?? true;
  return findingsOf(configured, unusedSuppression, () =>
    draftsOfUnused(unused, rules, (rule) => isOn(rule) && !cut.has(rule.name) && isJudged(rule)),
  );
}

/** Rules are asked for one finding after another, so that those which nobody would see cost nothing. */
function firstOf(drafts: Iterable<Draft>): readonly Draft[] {
  if (Array.isArray(drafts) && drafts.length <= MAX_FINDINGS) return drafts;
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

/** What somebody has set a rule to; undefined where nobody has. */
export type Configured = (rule: Rule) => Severity | 'off' | undefined;

/**
 * An override goes before a catalog's severity, that before the user's setting, and that before the rule's own. Seventy
 * rules ask at every edit and hardly anybody sets one, so tables are looked for once.
 */
export function configuredFor(index: WorkspaceIndex, uri: string): Configured {
  const { severities } = catalogOf(index, uri);
  const tables = [index.overrides, severities, index.severities].filter(({ size }) => size > 0);
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

export const severityOf = (index: WorkspaceIndex, uri: string, rule: Rule): Severity | 'off' =>
  configuredFor(index, uri)(rule) ?? rule.severity;

const NONE: readonly Finding[] = [];

export function findingsOf(configured: Configured, rule: Rule, drafts: () => Iterable<Draft>): readonly Finding[] {
  const set = configured(rule);
  const severity = set ?? rule.severity;
  if (severity === 'off') return NONE;
  const first = firstOf(drafts());
  // Nearly every rule finds nothing in nearly every file.
  if (first.length === 0) return NONE;
  return first.map((draft) => ({
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
