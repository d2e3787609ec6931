/**
 * Scrolls the prompt with its source. While the user scrolls the prompt, it reports its position and ignores the editor;
 * otherwise it follows the editor and reports nothing, so that the two do not push each other on.
 */
import type { Place } from '../../../kit/place.ts';
import type { ShownComposition, ShownSegment } from '../../messages.ts';
import type { Piece } from './blocks.ts';
import { isBefore } from './source-ranges.ts';
import { type PromptText, pieceAt } from './text.ts';

export interface Scroll {
  /** Scrolls the part from the first of these lines to the top, unless the user scrolls; `then` may correct the position. */
  readonly follow: (composition: ShownComposition, place: Place, then: () => void) => void;
  /** Scrolling from here on is not the user's. */
  readonly endUserScroll: () => void;
}

/** The distance that a part at the top keeps, in pixels. */
const MARGIN = 4;
/** Scrolling within this time after the wheel or a key is the user's. */
const USER_SCROLL_MILLISECONDS = 500;

export function syncScroll(panel: HTMLElement, text: PromptText, report: (place: Place) => void): Scroll {
  let userScrollsUntil = 0;
  let isReportQueued = false;
  let lastReport: string | undefined;

  const isUserScrolling = (): boolean => performance.now() < userScrollsUntil;
  const endUserScroll = (): void => {
    userScrollsUntil = 0;
  };
  const noteUserScroll = (): void => {
    userScrollsUntil = performance.now() + USER_SCROLL_MILLISECONDS;
  };
  /** Text is laid out when it becomes visible and may then have another height, so the position is corrected again. */
  const align = (top: Range, then: () => void, again: number): void => {
    const by = top.getBoundingClientRect().top - panel.getBoundingClientRect().top - MARGIN;
    if (isUserScrolling() || Math.abs(by) < 1) return;
    panel.scrollTop += by;
    then();
    if (again > 0) requestAnimationFrame(() => align(top, then, again - 1));
  };
  const reportTop = (): void => {
    isReportQueued = false;
    const place = placeAtTop(panel, text);
    const key = JSON.stringify(place);
    if (!place || key === lastReport) return;
    lastReport = key;
    report(place);
  };
  for (const type of ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const) {
    panel.addEventListener(type, noteUserScroll, { passive: true });
  }
  panel.addEventListener('scroll', () => {
    if (!isUserScrolling()) return;
    noteUserScroll();
    if (!isReportQueued) requestAnimationFrame(reportTop);
    isReportQueued = true;
  });

  return {
    endUserScroll,
    follow: (composition, place, then) => {
      if (isUserScrolling()) return;
      lastReport = undefined;
      if (place.range.start.line === 0) {
        panel.scrollTop = 0;
        return;
      }
      const top = topOf(composition, place, text);
      if (top) align(top, then, 2);
    },
  };
}

/** The line that the topmost part with a source comes from. */
function placeAtTop(panel: HTMLElement, text: PromptText): Place | undefined {
  const { top, height } = panel.getBoundingClientRect();
  const left = panel.querySelector('.text')?.getBoundingClientRect().left ?? 0;
  for (let y = top + MARGIN; y < top + height; y += 8) {
    const node = document.elementFromPoint(left + 16, y);
    const piece = node ? text.pieceOf(node) : undefined;
    const source = piece?.segment.source;
    if (!piece || !source) continue;
    const line = Math.min(source.range.end.line, source.range.start.line + linesAbove(piece, text, left + 16, y));
    const at = { line, character: 0 };
    return { uri: source.uri, range: { start: at, end: at } };
  }
  return undefined;
}

/** The number of lines of a segment above a point; 0 for a value, all lines of which have the same source. */
function linesAbove(piece: Piece, text: PromptText, x: number, y: number): number {
  const { segment } = piece;
  if (segment.kind !== 'authored') return 0;
  const own = text.pieces().filter((one) => one.piece.segment === segment && one.piece.start < piece.start);
  const above = own.reduce((sum, one) => sum + lineEnds(one.piece.text), 0);
  // A browser without this method counts from the first line of the piece.
  const caret = document.caretPositionFromPoint?.(x, y);
  const offset = caret && text.pieceOf(caret.offsetNode) === piece ? caret.offset : 0;
  return above + lineEnds(piece.text.slice(0, offset));
}

const lineEnds = (text: string): number => text.split('\n').length - 1;

/** The first character of the prompt that comes from the lines of `place`, or from a segment that starts after them. */
function topOf({ prompt, segments }: ShownComposition, place: Place, text: PromptText): Range | undefined {
  const { start, end } = place.range;
  let first: ShownSegment | undefined;
  for (const segment of segments) {
    const { source } = segment;
    if (source?.uri !== place.uri || !isBefore(start, source.range.end) || isBefore(end, source.range.start)) continue;
    if (!first?.source || isBefore(source.range.start, first.source.range.start)) first = segment;
  }
  if (!first?.source) return undefined;
  let offset = first.start;
  if (first.kind === 'authored') {
    for (let line = first.source.range.start.line; line < start.line; line++) {
      const next = prompt.indexOf('\n', offset) + 1;
      if (next === 0 || next >= first.end) break;
      offset = next;
    }
  }
  const shown = pieceAt(text.pieces(), offset);
  if (!shown) return undefined;
  const range = document.createRange();
  range.setStart(shown.text, offset - shown.piece.start);
  range.setEnd(shown.text, Math.min(shown.text.length, offset - shown.piece.start + 1));
  return range;
}
