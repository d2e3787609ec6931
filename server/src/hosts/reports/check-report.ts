/** What `check` found, in the shape that its formats share. */
import { type Finding, SEVERITIES, type Severity } from '../../finding.ts';

export interface NamedText {
  /** Relative to the working folder, with `/`. */
  readonly file: string;
  readonly text: string;
}

/** One file that was checked. */
export interface CheckedFile extends NamedText {
  /** In the order of their places. */
  readonly findings: readonly Finding[];
  /** The rules that may have more findings than these. */
  readonly stopped?: Iterable<string>;
}

export interface CheckReport {
  /** Sorted by name. */
  readonly files: readonly CheckedFile[];
  /** The file behind a URI, for related places; undefined where it was not read. */
  findFile(uri: string): NamedText | undefined;
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

/** True for findings of the severity `limit` or a higher one. */
export const atLeast =
  (limit: Severity) =>
  ({ severity }: { readonly severity: Severity }): boolean =>
    SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(limit);

/** The report with only those findings that pass; every file stays, and counts. */
export const withOnly = (report: CheckReport, passes: (finding: Finding) => boolean): CheckReport => ({
  ...report,
  files: report.files.map((file) => ({ ...file, findings: file.findings.filter(passes) })),
});

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** `2 errors, 1 hint in 3 files.` */
export function summaryLine(report: CheckReport): string {
  const { files, errors, warnings, infos, hints } = summaryOf(report);
  const counts = [
    [errors, 'error'],
    [warnings, 'warning'],
    [infos, 'info'],
    [hints, 'hint'],
  ] as const;
  const told = counts.filter(([count]) => count > 0).map(([count, noun]) => counted(count, noun));
  return `${told.join(', ') || 'No findings'} in ${counted(files, 'file')}.`;
}
