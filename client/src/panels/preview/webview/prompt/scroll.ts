/**
 * The prompt and its source scroll together. Whoever scrolled last by hand leads; the page that follows says nothing back,
 * or the two would push each other on.
 */
import type { ShownComposition, ShownSegment, WirePlace } from '../../messages.ts';
import type { Piece } from './blocks.ts';
import { pieceAt } from './find.ts';
import { before } from './source-ranges.ts';
import type { PromptText } from './text.ts';

export interface Scroll {
  /** Brings what comes from the first of these lines to the top of the panel, unless the page leads; `then` may correct. */
  readonly follow: (composition: ShownComposition, place: WirePlace, then: () => void) => void;
  /** The page scrolls by itself from here on. */
  readonly letGo: () => void;
}

/** What stands at the top does not touch it, in pixels. */
const MARGIN = 4;
/** So long after the wheel or a key what scrolls is still the hand's doing, in milliseconds. */
const HAND = 500;

export function syncScroll(panel: HTMLElement, text: PromptText, tell: (place: WirePlace) => void): Scroll {
  let leads = false;
  let rest: ReturnType<typeof setTimeout> | undefined;
  let wanted = false;
  let told: string | undefined;

  const letGo = (): void => {
    clearTimeout(rest);
    leads = false;
  };
  const lead = (): void => {
    clearTimeout(rest);
    leads = true;
    rest = setTimeout(letGo, HAND);
  };
  /** What comes into sight is laid out only then, and may be higher than it was taken for: so it is looked at again. */
  const align = (top: Range, then: () => void, again: number): void => {
    const by = top.getBoundingClientRect().top - panel.getBoundingClientRect().top - MARGIN;
    if (leads || Math.abs(by) < 1) return;
    panel.scrollTop += by;
    then();
    if (again > 0) requestAnimationFrame(() => align(top, then, again - 1));
  };
  const say = (): void => {
    wanted = false;
    const place = placeAtTop(panel, text);
    const key = JSON.stringify(place);
    if (!place || key === told) return;
    told = key;
    tell(place);
  };
  for (const type of ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const) {
    panel.addEventListener(type, lead, { passive: true });
  }
  panel.addEventListener('scroll', () => {
    if (!leads) return;
    lead();
    if (!wanted) requestAnimationFrame(say);
    wanted = true;
  });

  return {
    letGo,
    follow: (composition, place, then) => {
      if (leads) return;
      told = undefined;
      if (place.range.start.line === 0) {
        panel.scrollTop = 0;
        return;
      }
      const top = topOf(composition, place, text);
      if (top) align(top, then, 2);
    },
  };
}

/** Where the topmost part comes from that has a source: the line, at its beginning. */
function placeAtTop(panel: HTMLElement, text: PromptText): WirePlace | undefined {
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

/** How many lines of an authored stretch stand above a point. Of a value every line has the one source. */
function linesAbove(piece: Piece, text: PromptText, x: number, y: number): number {
  const { segment } = piece;
  if (segment.kind !== 'authored') return 0;
  const own = text.pieces().filter((one) => one.piece.segment === segment && one.piece.start < piece.start);
  const above = own.reduce((sum, one) => sum + lineEnds(one.piece.text), 0);
  // Not every engine says which character stands at a point: then the piece's first line is near enough.
  const caret = document.caretPositionFromPoint?.(x, y);
  const offset = caret && text.pieceOf(caret.offsetNode) === piece ? caret.offset : 0;
  return above + lineEnds(piece.text.slice(0, offset));
}

const lineEnds = (text: string): number => text.split('\n').length - 1;

/** The first character of the prompt that comes from the lines of `place`, or from what begins behind them. */
function topOf({ prompt, segments }: ShownComposition, place: WirePlace, text: PromptText): Range | undefined {
  const { start, end } = place.range;
  let first: ShownSegment | undefined;
  for (const segment of segments) {
    const { source } = segment;
    if (source?.uri !== place.uri || !before(start, source.range.end) || before(end, source.range.start)) continue;
    if (!first?.source || before(source.range.start, first.source.range.start)) first = segment;
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
