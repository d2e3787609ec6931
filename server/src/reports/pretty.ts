/** `check --format pretty`: text for a terminal. */
import type { Colors } from 'picocolors/types';
import type { Finding, Severity } from '../finding.ts';
import type { FileSpan } from '../skill/package.ts';
import { type LineStarts, lineAt, lineEnd, lineStartsOf, positionAt, type Span, showInvisible } from '../text.ts';
import {
  byFile,
  type CheckedFile,
  type CheckReport,
  counted,
  inFiles,
  summaryOf,
  withShownFields,
} from './check-report.ts';
import { wrapped } from './fitted.ts';
import { columnsOf } from './tables.ts';

/** The largest number of places that a finding about many files shows. */
const MAX_PLACES = 3;

export interface PrettyOptions {
  readonly colors: Colors;
  /** Omits the summary line. */
  readonly quiet: boolean;
  /** The number of files that `--fix` changed. Undefined without `--fix`. */
  readonly fixed: number | undefined;
  /** The key or option that applies the safe fixes, by default `--fix`. */
  readonly fixWith?: string;
  /** The width of the terminal in columns, if the text is for one. */
  readonly columns?: number | undefined;
}

export function toPretty(given: CheckReport, options: PrettyOptions): string {
  const report = withShownFields(given);
  const blocks = report.files.flatMap((file) => {
    const lines = lineStartsOf(file.text);
    return file.findings.map((finding) => blockOf(report, file, lines, finding, options));
  });
  const summary = options.quiet ? [] : [summaryLine(report, options)];
  return [...blocks, ...summary].map((block) => `${block}\n`).join('\n');
}

/** An error of the composer or of a run. */
export interface ReportedError extends FileSpan {
  readonly kind: string;
  readonly message: string;
  readonly suggestion?: string;
}

/** Returns errors as text, like the findings of `check`, each with its line. Skips errors in files without text. */
export function errorsToPretty(
  errors: readonly ReportedError[],
  findFile: CheckReport['findFile'],
  { colors, columns }: Pick<PrettyOptions, 'colors' | 'columns'>,
): string {
  const files = [...new Set(errors.map(({ uri }) => uri))].flatMap((uri): CheckedFile[] => {
    const found = findFile(uri);
    if (!found) return [];
    const findings = errors
      .filter((error) => error.uri === uri)
      .map(({ kind, span, message, suggestion = '' }) => {
        const rule = showInvisible(kind);
        const advice = suggestion.includes(' ') ? ` ${suggestion}` : '';
        const severity = 'error' as const;
        return { rule, code: rule, severity, message: message + advice, span, related: [], fixes: [] };
      });
    return [{ ...found, findings }];
  });
  return toPretty(
    { files: files.sort(byFile), findFile: () => undefined },
    { colors, columns, quiet: true, fixed: undefined },
  );
}

function blockOf(
  report: CheckReport,
  { file, text }: CheckedFile,
  lines: LineStarts,
  finding: Finding,
  { colors, fixWith = '--fix', columns }: PrettyOptions,
): string {
  const { rule, code, severity, message, span, related, fixes, others } = finding;
  const shown = others === undefined ? related.length : MAX_PLACES;
  const paint = painter(severity, colors);
  const frame = codeFrame(text, lines, span, columns);
  const margin = ' '.repeat(String(frame.line).length);
  const number = code === rule ? '' : ` (${code})`;
  return [
    `${colors.bold(placeOf(file, lines, span.start))} ${paint(severity)} ${colors.bold(rule)}${number}`,
    ...wrapped(message, (columns ?? Number.POSITIVE_INFINITY) - 2).map((line) => `  ${line}`),
    ...frameLines(frame, margin, paint, colors),
    ...related.slice(0, shown).flatMap((place) => {
      const found = report.findFile(place.uri);
      if (!found) return [];
      const where = placeOf(found.file, lineStartsOf(found.text), place.span.start);
      return [`  ${margin} ${colors.dim('=')} ${where} ${place.message}`];
    }),
    ...(related.length > shown
      ? [
          `  ${margin} ${colors.dim('=')} ${counted(related.length - shown, 'more place')}, which \`--format json\` lists`,
        ]
      : []),
    ...fixes.map(({ title, safe }, index) => {
      // `--fix` applies only the first fix of a finding.
      const note = safe && index === 0 ? colors.dim(` (${fixWith} applies it)`) : '';
      return `  ${margin} ${colors.dim('=')} ${colors.green('fix')} ${title}${note}`;
    }),
  ].join('\n');
}

function frameLines(frame: CodeFrame, margin: string, paint: (text: string) => string, colors: Colors): string[] {
  const { line, source, carets } = frame;
  const blanks = carets.length - carets.trimStart().length;
  const bar = colors.dim('|');
  return [
    `  ${colors.dim(String(line))} ${bar} ${source}`.trimEnd(),
    `  ${margin} ${bar} ${carets.slice(0, blanks)}${paint(carets.slice(blanks))}`,
  ];
}

/** Returns `file:line:column` for a location; an empty string if its file is unknown. */
export function placeIn(findFile: CheckReport['findFile'], { uri, span }: FileSpan): string {
  const found = findFile(uri);
  return found ? placeOf(showInvisible(found.file), lineStartsOf(found.text), span.start) : '';
}

/** Returns `file:line:column`. Lines and columns are counted from 1. Terminals and editors turn it into a link. */
function placeOf(file: string, lines: LineStarts, offset: number): string {
  const { line, character } = positionAt(lines, offset);
  return `${file}:${line + 1}:${character + 1}`;
}

const painter = (severity: Severity, { red, yellow, blue, cyan }: Colors) =>
  ({ error: red, warning: yellow, info: blue, hint: cyan })[severity];

function summaryLine(report: CheckReport, { colors, fixed, fixWith = '--fix' }: PrettyOptions): string {
  const { errors, warnings, infos, hints } = summaryOf(report);
  const done = fixed ? `Fixed ${counted(fixed, 'file')}. ` : '';
  const within = `${inFiles(report)}.`;
  const counts = [
    errors > 0 ? [colors.red(counted(errors, 'error'))] : [],
    warnings > 0 ? [colors.yellow(counted(warnings, 'warning'))] : [],
    infos > 0 ? [counted(infos, 'info')] : [],
    hints > 0 ? [counted(hints, 'hint')] : [],
  ].flat();
  if (counts.length === 0) return `${done}No findings ${within}`;
  const safe = report.files.flatMap(({ findings }) => findings).filter(({ fixes }) => fixes[0]?.safe).length;
  const offer = safe > 0 && fixed === undefined ? ` \`${fixWith}\` fixes ${safe}.` : '';
  return `${done}${counts.join(', ')} ${within}${offer}`;
}

/** The line of a finding, with carets under its span. */
interface CodeFrame {
  /** The line number, counted from 1. */
  readonly line: number;
  readonly source: string;
  /** Spaces and carets, for the line below `source`. */
  readonly carets: string;
}

/**
 * The maximum lengths, in UTF-16 code units: the visible part of a long line, and its text before the span.
 */
const WINDOW = 120;
const BEFORE = 40;

/**
 * Returns the code frame for the first line of a span. An empty span and a span after the end of the line are marked
 * with one caret.
 */
function codeFrame(text: string, lines: LineStarts, place: Span, columns?: number): CodeFrame {
  const number = lineAt(lines, place.start);
  // The line begins with its number and a bar, and may have an ellipsis at both ends.
  const window = Math.min(WINDOW, Math.max(BEFORE + 20, (columns ?? WINDOW + 9) - String(number + 1).length - 8));
  const first = lines[number] ?? 0;
  const last = lineEnd(text, lines, number);
  const isLong = last - first > window;
  const from = isLong ? Math.max(first, place.start - BEFORE) : first;
  const to = isLong ? Math.min(last, from + window) : last;
  const start = Math.min(place.start, to);
  const end = Math.min(Math.max(place.end, start), to);
  const head = (from > first ? '…' : '') + showInvisible(text.slice(from, start));
  const marked = showInvisible(text.slice(start, end));
  const tail = showInvisible(text.slice(end, to)) + (to < last ? '…' : '');
  return {
    line: number + 1,
    source: (head + marked + tail).trimEnd(),
    carets: ' '.repeat(columnsOf(head)) + '^'.repeat(Math.max(1, columnsOf(marked))),
  };
}
