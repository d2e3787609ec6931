/** One defect, one finding: a finding that joins another at its place is told there, with the higher severity. */
import { type Finding, SEVERITIES, type Severity } from '../finding.ts';
import { contains, type Span } from '../text.ts';

export function joined(findings: readonly Finding[], isSet: (rule: string) => boolean): readonly Finding[] {
  if (!findings.some(({ joins }) => joins)) return findings;
  const result: Finding[] = findings.filter(({ joins }) => !joins);
  for (const { joins, ...finding } of findings) {
    if (!joins) continue;
    const at = result.findIndex(({ rule, span }) => joins.rules.includes(rule) && isAt(span, finding.span));
    const other = result[at];
    if (!other) result.push(finding);
    else {
      const severity = isSet(other.rule) ? other.severity : higher(other.severity, finding.severity);
      result[at] = { ...other, severity, message: `${other.message} ${joins.told}`, hasJoined: true };
    }
  }
  return result;
}

/** One that begins where the other does, or that is a part of it. */
const isAt = (one: Span, other: Span): boolean => one.start === other.start || contains(other, one);

const higher = (a: Severity, b: Severity): Severity => (SEVERITIES.indexOf(a) <= SEVERITIES.indexOf(b) ? a : b);
