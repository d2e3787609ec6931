/** Reads only `#` headings and fences, line by line, where parsing would take too long. */
import { nextLine, span } from '../../text.ts';
import { emptyBlocks, type Parsed } from './blocks.ts';
import { describeFence, type FenceMarker, findOpening, isClosing } from './code-fences.ts';
import { trimSpan } from './spans.ts';

export function scanMarkdown(text: string): Parsed {
  const blocks = emptyBlocks();
  let fence: { marker: FenceMarker; start: number; contentStart: number } | undefined;
  const endFence = (end: number, contentEnd: number, closed: boolean) => {
    if (!fence) return;
    const place = span(fence.start, end);
    const contentSpan = span(fence.contentStart, contentEnd);
    blocks.fences.push(describeFence(text, place, contentSpan, fence.marker, { closed, nested: false }));
    blocks.blocks.push({ kind: 'fence', span: place });
    fence = undefined;
  };
  for (let at = 0; at < text.length; ) {
    const next = nextLine(text, at);
    let start = at;
    while (start < at + 3 && text[start] === ' ') start++;
    const mark = text[start];
    if (fence && mark === fence.marker.character && isClosing(text.slice(start, next), fence.marker)) {
      endFence(trimSpan(text, span(start, next)).end, at, true);
    } else if (!fence && (mark === '`' || mark === '~')) {
      const marker = findOpening(text.slice(start, next).trimEnd());
      if (marker) fence = { marker, start, contentStart: next };
    } else if (!fence && mark === '#') {
      const line = trimSpan(text, span(start, next));
      const source = text.slice(line.start, line.end);
      const level = /^#{1,6}(?=[ \t]|$)/.exec(source)?.[0].length;
      if (level !== undefined) {
        const closing = /[ \t]#+$/.exec(source.slice(level));
        const textSpan = trimSpan(text, span(start + level, line.end - (closing?.[0].length ?? 0)));
        blocks.headings.push({ level, span: line, textSpan, text: text.slice(textSpan.start, textSpan.end) });
        blocks.blocks.push({ kind: 'heading', span: line });
      }
    }
    at = next;
  }
  const open = fence !== undefined;
  endFence(text.length, text.length, false);
  blocks.scanned.push(span(0, text.length));
  return { blocks, open };
}
