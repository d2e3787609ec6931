/** Fences of plain Markdown: those that are closed where they stand, or go on beyond the end of a text. */
import { span } from '../../text.ts';
import { describeFence, findOpening, isClosing } from './code-fences.ts';
import { isBlankLine, type Line, lineAt, type Reading, trimmedEnd } from './plain-lines.ts';

export function readPlainFence(reading: Reading, line: Line, column: number, nested: boolean): number | undefined {
  const { text, source, blocks } = reading;
  if (line.indent - column > 3) return undefined;
  const opening = text.slice(line.first, line.end);
  const marker = findOpening(opening.trimEnd());
  // In an info string an escape or a reference is read as what it stands for.
  if (!marker || /[\\&\t]/.test(opening)) return undefined;
  for (let next = lineAt(text, line.end + 1); next.start < text.length; next = lineAt(text, next.end + 1)) {
    if (isBlankLine(next)) continue;
    if (next.indent < column) return undefined;
    if (text[next.first] !== marker.character || !isClosing(text.slice(next.first, next.end), marker)) continue;
    // So far in, it closes nothing.
    if (next.indent - column > 3) continue;
    // Blanks behind it are of the fence or are not: the parser knows.
    if (trimmedEnd(text, next) !== next.end) return undefined;
    const contentSpan = span(line.end + 1, next.start);
    const place = span(line.first, next.end);
    blocks.fences.push(describeFence(source, place, contentSpan, marker, { closed: true, nested }));
    reading.at = next.end + 1;
    return next.end;
  }
  if (nested) return undefined;
  // The end is not in this text, and its caller asks for more.
  const place = span(line.first, text.length);
  const contentSpan = span(Math.min(line.end + 1, text.length), text.length);
  blocks.fences.push(describeFence(source, place, contentSpan, marker, { closed: false, nested }));
  reading.open = true;
  reading.at = text.length;
  return text.length;
}
