/** Reads the comments in HTML. */
import { type Span, span } from '../../text.ts';
import type { MarkdownBlocks } from './blocks.ts';

/** Adds the comments in a piece of HTML, with UTF-16 offsets. Returns whether the HTML contains only comments. */
export function readHtml(text: string, place: Span, blocks: MarkdownBlocks): boolean {
  const html = text.slice(place.start, place.end);
  let rest = '';
  let at = 0;
  for (;;) {
    const open = html.indexOf('<!--', at);
    rest += html.slice(at, open < 0 ? html.length : open);
    if (open < 0) return rest.trim() === '';
    const close = html.indexOf('-->', open + 4);
    if (close < 0) {
      blocks.unclosedComments.push(span(place.start + open, place.end));
      return false;
    }
    at = close + 3;
    const comment = html.slice(open + 4, close).trim();
    blocks.comments.push({ span: span(place.start + open, place.start + at), text: comment });
  }
}
