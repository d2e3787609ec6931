/** Findings by severity. */
import type { Analysis } from '../../analysis/analysis.ts';
import { SEVERITIES, type Severity } from '../../finding.ts';
import type { FindingCounts } from '../../protocol.ts';
import { checkComposition } from '../../rules/check-composition.ts';

export const NO_FINDINGS: FindingCounts = { errors: 0, warnings: 0, infos: 0, hints: 0 };

export function countSeverities(found: readonly Severity[]): FindingCounts {
  const count = (severity: Severity) => found.filter((one) => one === severity).length;
  return { errors: count('error'), warnings: count('warning'), infos: count('info'), hints: count('hint') };
}

/** Counts the findings of the rules on composition in a file. */
export function countFindings(analysis: Analysis, uri: string): FindingCounts {
  const file = analysis.file(uri);
  return file ? countSeverities(checkComposition(analysis, file).map(({ severity }) => severity)) : NO_FINDINGS;
}

/** The severity of an LSP diagnostic. */
export const severityFromLsp = (number: number | undefined): Severity => SEVERITIES[(number ?? 1) - 1] ?? 'error';
