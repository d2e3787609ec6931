/** Workflow commands that annotate files on GitHub: `::error file=…,line=…::message`. */

import type { Severity } from '../finding.ts';
import { byteLength, showInvisible } from '../text.ts';
import { type CheckReport, summaryLine } from './check-report.ts';
import { bySeverity, fromOne, type Located, located } from './located.ts';
import { markdownRow, markdownTable } from './tables.ts';

type WorkflowLevel = 'error' | 'warning' | 'notice';

/** Returns a workflow command in one line, with the properties in the given order. */
export function workflowCommand(
  level: WorkflowLevel,
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const words = Object.entries(properties).map(([name, value]) => `${name}=${property(String(value))}`);
  return `::${level} ${words.join(',')}::${data(message)}`;
}

/** Escapes text for a workflow command. Line breaks have no encoding, because `showInvisible` replaces them. */
const data = (text: string): string => showInvisible(text).replaceAll('%', '%25');

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

// `check --format github`: annotations of a workflow, and the job summary.

/** The number of annotations per step and level that GitHub shows. GitHub silently drops further annotations. */
const MAX_EACH = 10;

const LEVELS: Readonly<Record<Severity, WorkflowLevel>> = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
  hint: 'notice',
};

/** Returns the annotations, errors first. The last line is the summary, with the number of omitted findings. */
export function toGithub(report: CheckReport): string {
  const shown = new Map<WorkflowLevel, number>();
  const all = bySeverity(located(report));
  const lines = all.flatMap((one) => {
    const level = LEVELS[one.finding.severity];
    const count = (shown.get(level) ?? 0) + 1;
    shown.set(level, count);
    return count > MAX_EACH ? [] : [annotation(level, one)];
  });
  const missing = all.length - lines.length;
  const rest =
    missing > 0 ? ` ${missing} more are not annotated: GitHub shows ${MAX_EACH} of each level per step.` : '';
  return [...lines, `${summaryLine(report)}${rest}`, ''].join('\n');
}

function annotation(level: WorkflowLevel, { file, lines, finding }: Located): string {
  const { startLine, startColumn, endLine, endColumn } = fromOne(lines, finding.span);
  // GitHub does not support columns for a range of several lines.
  const columns = startLine === endLine ? { col: startColumn, endColumn } : {};
  const place = { file: file.file, line: startLine, endLine, ...columns, title: finding.rule };
  return workflowCommand(level, place, finding.message);
}

/** The maximum size of a job summary, in bytes. */
const MAX_SUMMARY = 1_000_000;

/** Returns a Markdown table of all findings. */
export function toJobSummary(report: CheckReport): string {
  const all = bySeverity(located(report));
  const head = `### Skill Composer\n\n${summaryLine(report)}\n`;
  if (all.length === 0) return head;
  let text = `${head}\n${markdownTable(['Severity', 'Location', 'Rule', 'Message'], [])}`;
  let bytes = byteLength(text);
  for (const [at, { file, lines, finding }] of all.entries()) {
    const { startLine, startColumn } = fromOne(lines, finding.span);
    const place = `${file.file}:${startLine}:${startColumn}`;
    const row = markdownRow([finding.severity, place, finding.rule, finding.message]);
    bytes += byteLength(row);
    if (bytes > MAX_SUMMARY)
      return `${text}\n${all.length - at} more findings are omitted, because the summary is too long.\n`;
    text += row;
  }
  return text;
}
