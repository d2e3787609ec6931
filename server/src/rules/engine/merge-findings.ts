/** Merges findings about one defect. */
import { type Finding, SEVERITIES, type Severity } from '../../finding.ts';
import { contains, type Span } from '../../text.ts';

/**
 * Merges each finding that has `joins` into a finding from one of the rules in `joins` at the same position. The result
 * has the higher severity. `isSet` says whether the severity of a rule is configured; a configured severity is kept.
 */
export function mergeFindings(findings: readonly Finding[], isSet: (rule: string) => boolean): readonly Finding[] {
  if (!findings.some(({ joins }) => joins)) return findings;
  const result: Finding[] = findings.filter(({ joins }) => !joins);
  for (const { joins, ...finding } of findings) {
    if (!joins) continue;
    const isJoined = ({ rule, span }: Finding): boolean => joins.rules.includes(rule) && isAt(span, finding.span);
    const isAboutKey = ({ message }: Finding): boolean =>
      joins.key !== undefined && message.includes(`\`${joins.key}\``);
    const exact = result.findIndex((one) => isJoined(one) && isAboutKey(one));
    const at = exact >= 0 ? exact : result.findIndex(isJoined);
    const other = result[at];
    if (!other) result.push(finding);
    else {
      const severity = isSet(other.rule) ? other.severity : higher(other.severity, finding.severity);
      const message = `${other.message} ${joins.addedMessage}`;
      const shortens = finding.shortens && { shortens: finding.shortens };
      result[at] = { ...other, severity, message, hasMergedFindings: true, ...shortens };
    }
  }
  return result;
}

/** Returns whether `one` begins where `other` begins, or is inside it. */
const isAt = (one: Span, other: Span): boolean => one.start === other.start || contains(other, one);

const higher = (a: Severity, b: Severity): Severity => (SEVERITIES.indexOf(a) <= SEVERITIES.indexOf(b) ? a : b);
