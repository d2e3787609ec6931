/** The report of `check`, which all its formats use. */
import { type Finding, SEVERITIES, type Severity } from '../finding.ts';
import { type Elsewhere, mergeShared } from '../rules/engine/shared-causes.ts';
import { showInvisible } from '../text.ts';

export interface NamedText {
  /** The path relative to the working folder, with `/`. */
  readonly file: string;
  readonly text: string;
}

/** A checked file with its findings. */
export interface CheckedFile extends NamedText {
  /** Needed only for findings that several files share. */
  readonly uri?: string;
  /** The findings, sorted by position. */
  readonly findings: readonly Finding[];
  /** The rules that stopped at the maximum number of findings and might report more. */
  readonly stopped?: Iterable<string>;
  /** The findings that were merged into one at another file. */
  readonly elsewhere?: readonly Elsewhere[];
}

export interface CheckReport {
  /** The files, sorted by name. */
  readonly files: readonly CheckedFile[];
  /** The numbers of paths that the run left out, by reason. */
  readonly excluded?: Readonly<Record<string, number>>;
  /** Returns the file with a URI, for related locations; undefined if the file was not read. */
  findFile(uri: string): NamedText | undefined;
}

/** Compares files by name in UTF-16 code units, independently of the locale. */
export const byFile = (a: { readonly file: string }, b: { readonly file: string }): number =>
  a.file < b.file ? -1 : a.file > b.file ? 1 : 0;

/** Returns the report as text formats show it: the names of files, messages and titles with `showInvisible`. */
export function withShownFields(report: CheckReport): CheckReport {
  const named = <File extends NamedText>(file: File): File => ({ ...file, file: showInvisible(file.file) });
  return {
    ...report,
    files: report.files.map((file) => ({ ...named(file), findings: file.findings.map(withShownMessage) })),
    findFile(uri) {
      const found = report.findFile(uri);
      return found && named(found);
    },
  };
}

const withShownMessage = (finding: Finding): Finding => ({
  ...finding,
  message: showInvisible(finding.message),
  related: finding.related.map((place) => ({ ...place, message: showInvisible(place.message) })),
  fixes: finding.fixes.map((fix) => ({ ...fix, title: showInvisible(fix.title) })),
});

export interface Summary {
  readonly files: number;
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
  readonly hints: number;
  /** The numbers of paths that the run left out, by reason. */
  readonly excluded?: Readonly<Record<string, number>>;
}

export function summaryOf({ files, excluded }: CheckReport): Summary {
  const counts: Record<Severity, number> = { error: 0, warning: 0, info: 0, hint: 0 };
  for (const { findings } of files) for (const { severity } of findings) counts[severity]++;
  return {
    files: files.length,
    errors: counts.error,
    warnings: counts.warning,
    infos: counts.info,
    hints: counts.hint,
    ...(excluded && { excluded }),
  };
}

/** Returns a function that tests whether a finding has the severity `limit` or a higher severity. */
export const atLeast =
  (limit: Severity) =>
  ({ severity }: { readonly severity: Severity }): boolean =>
    SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(limit);

/** Returns the report with only the findings for which `passes` returns true. Files without findings stay. */
export const withFindings = (report: CheckReport, passes: (finding: Finding) => boolean): CheckReport => ({
  ...report,
  files: report.files.map((file) => ({ ...file, findings: file.findings.filter(passes) })),
});

/**
 * Returns the report without findings that repeat one in another file. If the run does not check that file, the first
 * of the findings stays.
 *
 * @param isChecked returns whether the run checks the file with a URI
 */
export function withoutRepeats(report: CheckReport, isChecked: (uri: string) => boolean): CheckReport {
  const seen = new Set<string>();
  return withFindings(report, ({ rule, repeats, message }) => {
    if (repeats === undefined) return true;
    const key = `${rule} ${repeats} ${message}`;
    if (isChecked(repeats) || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Returns the report with one finding for each cause that many skills share (docs/ci.md, "One cause, one finding"). */
export const withSharedCauses = (report: CheckReport): CheckReport => ({
  ...report,
  files: mergeShared(report.files.map((file) => ({ ...file, uri: file.uri ?? file.file }))),
});

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Returns how many of the checked files have findings: `in 2 of 3 files`; `in 3 files` if all or none have. */
export function inFiles({ files }: CheckReport): string {
  const found = files.filter(({ findings, elsewhere = [] }) => findings.length + elsewhere.length > 0).length;
  return `in ${found === 0 || found === files.length ? '' : `${found} of `}${counted(files.length, 'file')}`;
}

/** Returns the summary: `2 errors, 1 hint in 2 of 3 files.` */
export function summaryLine(report: CheckReport): string {
  const { errors, warnings, infos, hints } = summaryOf(report);
  const counts = [
    [errors, 'error'],
    [warnings, 'warning'],
    [infos, 'info'],
    [hints, 'hint'],
  ] as const;
  const parts = counts.filter(([count]) => count > 0).map(([count, noun]) => counted(count, noun));
  return `${parts.join(', ') || 'No findings'} ${inFiles(report)}.`;
}
