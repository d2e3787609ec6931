/** Lines that are indented with tabs, which YAML does not allow. */
import { type Span, sliceOf, span } from '../../text.ts';
import { type BlockLine, lineBefore, readLine } from './lines.ts';
import { type Diagnosis, diagnosisOf, type Pass } from './parser-errors.ts';
import type { Placeholder } from './placeholders.ts';
import { problemAt } from './problems.ts';

/** Consecutive lines with tabs are one problem, so that reading the text once more is enough. */
export function diagnoseTabs({ text, source }: Pass, at: BlockLine): Diagnosis {
  const above = lineBefore(text, at);
  const edits: { span: Span; newText: string }[] = [];
  let end = at.end;
  for (
    let line = at;
    /\t/.test(text.slice(line.start, line.first)) && line.first < line.end;
    line = readLine(text, line.next)
  ) {
    const indent = span(line.start, line.first);
    edits.push({ span: indent, newText: sliceOf(source, indent).replaceAll('\t', '  ') });
    end = line.end;
    if (line.next === line.end) break;
  }
  const message = 'YAML does not allow tabs as indentation. Use spaces.';
  const problem = problemAt(span(at.start, Math.max(at.first, at.start)), message);
  const region = span(above?.start ?? at.start, end);
  const hasMoreTabs = /^[-?:][-?: ]*\t/.test(text.slice(at.first, at.end));
  if (edits.length === 0 || hasMoreTabs) return diagnosisOf(problem, region, [], false);
  const placeholders = edits.map((edit): Placeholder => ({ span: edit.span, kind: 'space' }));
  return diagnosisOf({ ...problem, fix: { title: 'Indent with spaces', edits } }, region, placeholders);
}
