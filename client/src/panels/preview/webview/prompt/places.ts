/** Finds the place in the page of a character of the prompt, and the character at a place in the page. */

/** Where a paragraph stands in the prompt. Its element has exactly its text. */
interface Shown {
  start: number;
  length: number;
}

export class PromptPlaces {
  readonly #root: () => HTMLElement | null;
  readonly #shown = new WeakMap<Element, Shown>();

  constructor(root: () => HTMLElement | null) {
    this.#root = root;
  }

  /** To be told whenever a paragraph is rendered. */
  place(element: Element, start: number, length: number): void {
    this.#shown.set(element, { start, length });
  }

  /** The page's range of the characters `[start, end)`; undefined where one of them is not shown. */
  rangeOf(start: number, end: number): Range | undefined {
    const from = this.#pointAt(start);
    const to = this.#pointAt(Math.max(start, end - 1));
    if (!from || !to) return undefined;
    const range = document.createRange();
    range.setStart(from.node, from.offset);
    range.setEnd(to.node, Math.min(to.node.length, to.offset + (end > start ? 1 : 0)));
    return range;
  }

  /** The offset in the prompt of a place in the page; undefined beside the prompt. */
  offsetOf(node: Node, offset: number): number | undefined {
    const element = (node instanceof Element ? node : node.parentElement)?.closest('.paragraph');
    const shown = element ? this.#shown.get(element) : undefined;
    if (!element || !shown) return undefined;
    const before = document.createRange();
    before.setStart(element, 0);
    before.setEnd(node, offset);
    return shown.start + before.toString().length;
  }

  /** The offset of the character below a point of the window. */
  offsetAt(x: number, y: number): number | undefined {
    // A browser without the method finds no character; the paragraph's beginning stands in.
    const caret = document.caretPositionFromPoint?.(x, y);
    if (caret) return this.offsetOf(caret.offsetNode, caret.offset);
    const element = document.elementFromPoint(x, y)?.closest('.paragraph');
    return element ? this.#shown.get(element)?.start : undefined;
  }

  #pointAt(offset: number): { readonly node: Text; readonly offset: number } | undefined {
    const elements = this.#root()?.querySelectorAll('.paragraph') ?? [];
    let [low, high] = [0, elements.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const element = elements[middle] as Element;
      const { start, length } = this.#shown.get(element) ?? { start: Number.POSITIVE_INFINITY, length: 0 };
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
