/** Blanks at the ends of the frontmatter's lines, except within scalars of several lines. */
import { isBlank } from '../../languages/yaml/lines.ts';
import type { YamlNode } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { afterBreak, endOfLine, type Span, sliceOf, span, type TextEdit } from '../../text.ts';

export function trailingBlanks({ text, frontmatter }: SkillFile, place: Span): readonly TextEdit[] {
  const { open, close, content, tree } = frontmatter;
  const texts = tree.root ? multilineScalars(text, tree.root) : [];
  const edits: TextEdit[] = [];
  const last = close?.end ?? content.end;
  let next = 0;
  for (let at = open?.start ?? content.start; at < last; at = afterBreak(text, endOfLine(text, at))) {
    const end = endOfLine(text, at);
    let from = end;
    while (from > at && isBlank(text[from - 1])) from--;
    while (next < texts.length && (texts[next] as Span).end <= from) next++;
    const isInText = (texts[next]?.start ?? Number.POSITIVE_INFINITY) <= from;
    if (from < end && !isInText && at <= place.end && place.start <= end)
      edits.push({ span: span(from, end), newText: '' });
  }
  return edits;
}

/** The scalars of several lines, in order; a block scalar includes the empty lines below it. */
function multilineScalars(text: string, root: YamlNode): readonly Span[] {
  const found: Span[] = [];
  const open: YamlNode[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.kind === 'list') for (const item of node.items) open.push(item);
    else if (node.kind === 'map') for (const { key, value } of node.entries) open.push(key, value);
    else if (node.style === 'literal' || node.style === 'folded') {
      found.push(span(node.span.start, behindEmptyLines(text, node.span.end)));
    } else if (/[\r\n]/.test(sliceOf(text, node.span))) found.push(node.span);
  }
  return found.sort((a, b) => a.start - b.start);
}

function behindEmptyLines(text: string, offset: number): number {
  let end = endOfLine(text, offset);
  for (let at = afterBreak(text, end); at < text.length; at = afterBreak(text, end)) {
    const lineEnd = endOfLine(text, at);
    if (text.slice(at, lineEnd).trim() !== '') break;
    end = lineEnd;
    if (afterBreak(text, end) === end) break;
  }
  return end + 1;
}
