/** Lines that are indented with tabs, which YAML does not allow. */
import { type Span, sliceOf, span } from '../../text.ts';
import { type BlockLine, columnOf, lineBefore, readLine } from './lines.ts';
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
    edits.push({ span: indent, newText: inSpaces(sliceOf(source, indent)) });
    end = line.end;
    if (line.next === line.end) break;
  }
  // Below a key that has its value already nothing can be nested.
  if (above?.key && at.key && above.value.end > above.value.start && !/^[|>&!]/.test(sliceOf(source, above.value))) {
    const deeper = edits[0]?.newText ?? '';
    const own = ' '.repeat(columnOf(above, above.key.start));
    for (const edit of edits) edit.newText = own + edit.newText.slice(deeper.length);
  }
  const message = 'YAML does not allow tabs as indentation. Use spaces.';
  const problem = problemAt(span(at.start, Math.max(at.first, at.start)), message);
  const region = span(above?.start ?? at.start, end);
  const hasMoreTabs = /^[-?:][-?: ]*\t/.test(text.slice(at.first, at.end));
  if (edits.length === 0 || hasMoreTabs) return diagnosisOf(problem, region, [], false);
  const placeholders = edits.map((edit): Placeholder => ({ span: edit.span, kind: 'space' }));
  return diagnosisOf({ ...problem, fix: { title: 'Indent with spaces', edits } }, region, placeholders);
}

const inSpaces = (indent: string): string => indent.replaceAll('\t', '  ');
