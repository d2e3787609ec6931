/** What `check` found, in the shape that its formats have in common. */
import { type Finding, SEVERITIES, type Severity } from '../../finding.ts';
import type { SkillDocument } from '../../skill/document.ts';

/** One file that was checked. */
export interface CheckedFile {
  /** Relative to the working folder, with `/`. */
  readonly file: string;
  readonly document: SkillDocument;
  /** In the order of their places. */
  readonly findings: readonly Finding[];
}

export interface CheckReport {
  /** Sorted by name. */
  readonly files: readonly CheckedFile[];
  /** The file and document behind a URI, for related places; undefined where it was not read. */
  findPlace(uri: string): { readonly file: string; readonly document: SkillDocument } | undefined;
}

/** Names in the order of their UTF-16 units, which is the same on every machine. */
export const byFile = (a: { readonly file: string }, b: { readonly file: string }): number =>
  a.file < b.file ? -1 : a.file > b.file ? 1 : 0;

export interface Summary {
  readonly files: number;
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
  readonly hints: number;
}

export function summaryOf({ files }: CheckReport): Summary {
  const counts: Record<Severity, number> = { error: 0, warning: 0, info: 0, hint: 0 };
  for (const { findings } of files) for (const { severity } of findings) counts[severity]++;
  return {
    files: files.length,
    errors: counts.error,
    warnings: counts.warning,
    infos: counts.info,
    hints: counts.hint,
  };
}

/** True for findings that weigh as much as `limit` or more. */
export const atLeast =
  (limit: Severity) =>
  ({ severity }: { readonly severity: Severity }): boolean =>
    SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(limit);

/** The report with only those findings that pass; every file stays, and counts. */
export const withOnly = (report: CheckReport, passes: (finding: Finding) => boolean): CheckReport => ({
  ...report,
  files: report.files.map((file) => ({ ...file, findings: file.findings.filter(passes) })),
});
