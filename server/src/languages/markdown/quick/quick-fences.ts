/** Fences that are closed where they stand or go on beyond the text; see the contract in `quick-markdown.ts`. */
import { span } from '../../../text.ts';
import { describeFence, findOpening, isClosing } from '../code-fences.ts';
import { isBlankLine, type Line, lineAt, trimmedEnd, type Walk } from './quick-lines.ts';

export function readFence(walk: Walk, line: Line, column: number, nested: boolean): number | undefined {
  const { text, source, blocks } = walk;
  if (line.indent - column > 3) return undefined;
  const opening = text.slice(line.first, line.end);
  const marker = findOpening(opening.trimEnd());
  // The parser resolves escapes and character references in an info string.
  if (!marker || /[\\&\t]/.test(opening)) return undefined;
  for (let next = lineAt(text, line.end + 1); next.start < text.length; next = lineAt(text, next.end + 1)) {
    if (isBlankLine(next)) continue;
    if (next.indent < column) return undefined;
    if (text[next.first] !== marker.character || !isClosing(text.slice(next.first, next.end), marker)) continue;
    if (next.indent - column > 3) continue;
    // Whether blanks behind the marker belong to the fence, the parser decides.
    if (trimmedEnd(text, next) !== next.end) return undefined;
    const contentSpan = span(line.end + 1, next.start);
    const place = span(line.first, next.end);
    blocks.fences.push(describeFence(source, place, contentSpan, marker, { closed: true, nested }));
    walk.at = next.end + 1;
    return next.end;
  }
  if (nested) return undefined;
  const place = span(line.first, text.length);
  const contentSpan = span(Math.min(line.end + 1, text.length), text.length);
  blocks.fences.push(describeFence(source, place, contentSpan, marker, { closed: false, nested }));
  walk.open = true;
  walk.at = text.length;
  return text.length;
}
