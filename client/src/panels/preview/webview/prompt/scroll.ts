/**
 * Synchronises the scroll position of the prompt with its source, line by line. While the user scrolls the prompt, the
 * prompt reports its position and ignores the editor. Otherwise, to prevent feedback loops, the prompt follows the
 * editor and reports nothing.
 */
import { useEffect, useRef } from 'preact/hooks';
import type { FileRange } from '../../../kit/file-range.ts';
import type { ShownSegment } from '../../messages.ts';
import type { ShownPrompt } from '../../shown-prompt.ts';
import type { Actions, Model } from '../model.ts';
import { contains, cursorIn, isBefore } from './source-ranges.ts';

/**
 * The distance of the top line from the top of the panel, in pixels, which leaves space for the heading of the line's
 * block.
 */
const MARGIN = 28;
/** The time after a wheel or key event during which scrolling is attributed to the user. */
const USER_SCROLL_MILLISECONDS = 500;

interface ElementRef {
  readonly current: HTMLElement | null;
}

export function useSourceScroll(model: Model, actions: Actions, places: PromptPositions, frame: ElementRef): void {
  const latest = useRef({ model, userScrollsUntil: 0 });
  latest.current.model = model;

  useEffect(() => {
    const panel = frame.current?.parentElement;
    if (!panel) return;
    let isQueued = false;
    let lastReport = '';
    const noteUserScroll = (): void => {
      latest.current.userScrollsUntil = performance.now() + USER_SCROLL_MILLISECONDS;
    };
    const report = (): void => {
      isQueued = false;
      const place = placeAtTop(panel, places, latest.current.model.prompt);
      const key = JSON.stringify(place);
      if (!place || key === lastReport) return;
      lastReport = key;
      actions.post({ type: 'scrolled', place });
    };
    const onScroll = (): void => {
      if (performance.now() >= latest.current.userScrollsUntil) return;
      noteUserScroll();
      if (!isQueued) requestAnimationFrame(report);
      isQueued = true;
    };
    const byUser = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;
    for (const type of byUser) panel.addEventListener(type, noteUserScroll, { passive: true });
    panel.addEventListener('scroll', onScroll);
    return () => {
      for (const type of byUser) panel.removeEventListener(type, noteUserScroll);
      panel.removeEventListener('scroll', onScroll);
    };
  }, [actions, places, frame]);

  const { visible } = model;
  useEffect(() => {
    const panel = frame.current?.parentElement;
    const prompt = latest.current.model.prompt;
    if (!panel || !prompt || !visible || performance.now() < latest.current.userScrollsUntil) return;
    const { cursor } = latest.current.model;
    const { values, line } = cursorIn(prompt, cursor && contains(visible.range, cursor.range) ? cursor : undefined);
    const shown = values[0] ?? line;
    const keepCursor = (): void => scrollIntoPanel(panel, shown && places.rangeOf(shown.start, shown.end));
    follow(panel, places, prompt, visible, keepCursor, 2);
  }, [visible, places, frame]);
}

/**
 * Scrolls to a location. The height of text may change when it becomes visible, so the position is corrected `again`
 * times. The output for the cursor has priority over the top line.
 */
function follow(
  panel: HTMLElement,
  places: PromptPositions,
  prompt: ShownPrompt,
  place: FileRange,
  keepCursor: () => void,
  again: number,
): void {
  const offset = offsetFrom(prompt, place);
  const box = offset === undefined ? undefined : places.rangeOf(offset, offset + 1)?.getBoundingClientRect();
  if (place.range.start.line === 0) panel.scrollTop = 0;
  else if (box) panel.scrollTop += box.top - panel.getBoundingClientRect().top - MARGIN;
  keepCursor();
  if (again > 0) requestAnimationFrame(() => follow(panel, places, prompt, place, keepCursor, again - 1));
}

/** Scrolls as little as possible until a range is below the heading of its block, and above the end of the panel. */
export function scrollIntoPanel(panel: HTMLElement | null | undefined, range: Range | undefined): void {
  const box = range?.getBoundingClientRect();
  if (!panel || !box) return;
  const { top, bottom } = panel.getBoundingClientRect();
  if (box.top < top + MARGIN) panel.scrollTop -= top + MARGIN - box.top;
  else if (box.bottom > bottom) panel.scrollTop += Math.min(box.bottom - bottom + 8, box.top - top - MARGIN);
}

/** Returns the source line of the topmost visible line. */
function placeAtTop(
  panel: HTMLElement,
  places: PromptPositions,
  prompt: ShownPrompt | undefined,
): FileRange | undefined {
  const { top, left, height } = panel.getBoundingClientRect();
  for (let y = top + MARGIN; prompt && y < top + height; y += 8) {
    const offset = places.offsetAt(left + 24, y);
    const segment = offset === undefined ? undefined : segmentAt(prompt.segments, offset);
    if (offset === undefined || !segment?.source) continue;
    const { uri, range } = segment.source;
    // All lines of a value have the same source range.
    const below = segment.kind === 'authored' ? countLineFeeds(prompt.prompt, segment.start, offset) : 0;
    const at = { line: Math.min(range.end.line, range.start.line + below), character: 0 };
    return { uri, range: { start: at, end: at } };
  }
  return undefined;
}

const segmentAt = (segments: readonly ShownSegment[], offset: number): ShownSegment | undefined =>
  segments.find(({ start, end }) => start <= offset && offset < end);

const countLineFeeds = (text: string, start: number, end: number): number =>
  text.slice(start, end).split('\n').length - 1;

/** Returns the offset of the first character that comes from the lines of `place`, or from a segment after them. */
function offsetFrom({ prompt, segments }: ShownPrompt, place: FileRange): number | undefined {
  const { start, end } = place.range;
  let first: ShownSegment | undefined;
  for (const segment of segments) {
    const { source } = segment;
    if (source?.uri !== place.uri || !isBefore(start, source.range.end) || isBefore(end, source.range.start)) continue;
    if (!first?.source || isBefore(source.range.start, first.source.range.start)) first = segment;
  }
  if (!first?.source) return undefined;
  let offset = first.start;
  if (first.kind !== 'authored') return offset;
  for (let line = first.source.range.start.line; line < start.line; line++) {
    const next = prompt.indexOf('\n', offset) + 1;
    if (next === 0 || next >= first.end) break;
    offset = next;
  }
  return offset;
}

// Converts offsets in the prompt to ranges of the page, and positions in the page to offsets.

/** The range of a paragraph in the prompt. The paragraph's element contains exactly the text of this range. */
interface ParagraphRange {
  start: number;
  length: number;
}

export class PromptPositions {
  readonly #root: () => HTMLElement | null;
  readonly #ranges = new WeakMap<Element, ParagraphRange>();

  constructor(root: () => HTMLElement | null) {
    this.#root = root;
  }

  /** Registers the range of a paragraph. Call it whenever a paragraph is rendered. */
  place(element: Element, start: number, length: number): void {
    this.#ranges.set(element, { start, length });
  }

  /** Returns the DOM range of the characters `[start, end)`; undefined if one of them is not shown. */
  rangeOf(start: number, end: number): Range | undefined {
    const from = this.#pointAt(start);
    const to = this.#pointAt(Math.max(start, end - 1));
    if (!from || !to) return undefined;
    const range = document.createRange();
    range.setStart(from.node, from.offset);
    range.setEnd(to.node, Math.min(to.node.length, to.offset + (end > start ? 1 : 0)));
    return range;
  }

  /** Returns the prompt offset of a DOM position; undefined outside the prompt. */
  offsetOf(node: Node, offset: number): number | undefined {
    const element = (node instanceof Element ? node : node.parentElement)?.closest('.paragraph');
    const shown = element ? this.#ranges.get(element) : undefined;
    if (!element || !shown) return undefined;
    const before = document.createRange();
    before.setStart(element, 0);
    before.setEnd(node, offset);
    return shown.start + before.toString().length;
  }

  /** Returns the offset of the character at a point of the window. */
  offsetAt(x: number, y: number): number | undefined {
    // In a browser without this method, the start of the paragraph is used.
    const caret = document.caretPositionFromPoint?.(x, y);
    if (caret) return this.offsetOf(caret.offsetNode, caret.offset);
    const element = document.elementFromPoint(x, y)?.closest('.paragraph');
    return element ? this.#ranges.get(element)?.start : undefined;
  }

  #pointAt(offset: number): { readonly node: Text; readonly offset: number } | undefined {
    const elements = this.#root()?.querySelectorAll('.paragraph') ?? [];
    let [low, high] = [0, elements.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const element = elements[middle] as Element;
      const { start, length } = this.#ranges.get(element) ?? { start: Number.POSITIVE_INFINITY, length: 0 };
      if (offset < start) high = middle - 1;
      else if (offset >= start + length) low = middle + 1;
      else return textAt(element, offset - start);
    }
    return undefined;
  }
}

function textAt(element: Element, offset: number): { readonly node: Text; readonly offset: number } | undefined {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let left = offset;
  for (let node = walker.nextNode() as Text | null; node; node = walker.nextNode() as Text | null) {
    if (left < node.length) return { node, offset: left };
    left -= node.length;
  }
  return undefined;
}
