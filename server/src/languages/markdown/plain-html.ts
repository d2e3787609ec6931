/** HTML of plain Markdown: blocks of tags, which end with a blank line, and comments that are all of their lines. */
import { span } from '../../text.ts';
import { isBlankLine, type Line, lineAt, type Reading, startOf } from './plain-lines.ts';
import { beginsHtml } from './plain-tags.ts';

/** A block of HTML, which begins with a tag and ends with a blank line. */
export function readPlainHtml(reading: Reading, { first, end }: Line): number | undefined {
  const { text } = reading;
  if (!beginsHtml(text, first)) return undefined;
  for (let last = end; ; ) {
    const next = lineAt(text, last + 1);
    // Without a blank line behind it, it goes on beyond the text.
    if (next.start >= text.length) return undefined;
    if (isBlankLine(next)) {
      // A line of tabs is blank, too.
      if (/\t|<!--/.test(text.slice(first, last))) return undefined;
      reading.at = next.start;
      return last;
    }
    last = next.end;
  }
}

/** A comment that is all of its lines. */
export function readPlainComment(reading: Reading, { first, end }: Line, alone: boolean): number | undefined {
  const { text, blocks } = reading;
  const close = text.indexOf('-->', first + 4);
  if (close < 0 || /^<!--?-?>/.test(startOf(text, first))) return undefined;
  // In an item or a quote it ends with them.
  if (!alone && close > end) return undefined;
  const last = lineAt(text, close);
  if (last.end !== close + 3) return undefined;
  blocks.comments.push({ span: span(first, last.end), text: text.slice(first + 4, close).trim() });
  reading.at = last.end + 1;
  return last.end;
}
