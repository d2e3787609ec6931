/** Merges findings about one defect. */
import { type Finding, type Join, SEVERITIES, type Severity } from '../../finding.ts';
import { listed } from '../../nearest.ts';
import { contains, type Span } from '../../text.ts';

/**
 * Merges each finding that has `joins` into the finding of a rule for the standard about the same defect, or into another
 * finding with the same cause. The result has the higher severity. `isSet` says whether the severity of a rule is
 * configured; a configured severity is kept.
 */
export function mergeFindings(findings: readonly Finding[], isSet: (rule: string) => boolean): readonly Finding[] {
  if (!findings.some(({ joins }) => joins)) return findings;
  const merged = findings.filter(({ joins }) => !joins).map((finding): Merged => ({ finding, added: [] }));
  const joining = findings.filter(({ joins }) => joins).sort((a, b) => rankOf(a.severity) - rankOf(b.severity));
  for (const finding of joining) {
    const { joins } = finding;
    if (!joins) continue;
    const other = findOther(merged, finding, joins);
    if (!other) {
      merged.push({ finding, added: [] });
      continue;
    }
    other.added.push(joins);
    const { severity, fixes } = other.finding;
    const shortens = finding.shortens && { shortens: finding.shortens };
    other.finding = {
      ...other.finding,
      severity: isSet(other.finding.rule) ? severity : higher(severity, finding.severity),
      fixes: fixes.length > 0 ? fixes : finding.fixes,
      ...shortens,
    };
  }
  return merged.map(({ finding: { joins: _, ...finding }, added }) =>
    added.length === 0 ? finding : { ...finding, message: [finding.message, ...sentencesOf(added)].join(' ') },
  );
}

/** A finding, and the joins of those that were merged into it. */
interface Merged {
  finding: Finding;
  readonly added: Join[];
}

/** Returns the finding that a finding joins: at best one that is about the same key. */
function findOther(merged: readonly Merged[], { span }: Finding, joins: Join): Merged | undefined {
  const { rules, ofFile, key, cause } = joins;
  const isAbout = ({ finding: { rule, about } }: Merged): boolean =>
    rules.includes(rule) && key !== undefined && about?.includes(key) === true;
  const isAtSpan = ({ finding: { rule, about, span: other } }: Merged): boolean =>
    rules.includes(rule) && (key === undefined || about === undefined) && isAt(other, span);
  return (
    merged.find(isAbout) ??
    merged.find(isAtSpan) ??
    merged.find(({ finding }) => ofFile.includes(finding.rule)) ??
    merged.find(({ finding }) => finding.joins?.cause === cause)
  );
}

/** Returns the sentences about the clients. Clients that do the same are in one sentence. */
function sentencesOf(joins: readonly Join[]): readonly string[] {
  const clients = new Map<string, { readonly names: Set<string>; readonly does: Join['does'] }>();
  for (const { names, does } of joins) {
    const known = clients.get(does.many) ?? { names: new Set(), does };
    for (const name of names) known.names.add(name);
    clients.set(does.many, known);
  }
  return [...clients.values()].map(({ names, does }) => `${clauseOf([...names], does)}.`);
}

/** Returns a sentence without a period about what some clients do. */
export const clauseOf = (names: readonly string[], { one, many }: Join['does']): string =>
  `${listed(names)} ${names.length === 1 ? one : many}`;

/** Returns whether `one` begins where `other` begins, or is inside it. */
const isAt = (one: Span, other: Span): boolean => one.start === other.start || contains(other, one);

const rankOf = (severity: Severity): number => SEVERITIES.indexOf(severity);

const higher = (a: Severity, b: Severity): Severity => (rankOf(a) <= rankOf(b) ? a : b);
