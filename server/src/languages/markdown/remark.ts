/** Parses Markdown (CommonMark) with remark. The quick reader must return the same blocks. */
import type { Code, Image, List, Link as MdLink, Nodes } from 'mdast';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { type Span, span } from '../../text.ts';
import { emptyBlocks, type ListItem, type MarkdownBlock, type Parsed } from './blocks.ts';
import { fenceAt } from './code-fences.ts';
import { readHtml } from './html.ts';
import { findTarget } from './link-targets.ts';
import { trimSpan } from './spans.ts';

const processor = unified().use(remarkParse).freeze();

/** Parses a string. Spans are UTF-16 offsets. Throws a RangeError if the recursion of remark overflows the stack. */
export function parseByRemark(text: string): Parsed {
  // remark reads the appended heading as a heading only if the last block of the text has ended. A space replaces a
  // byte order mark, because remark would drop the mark and thereby shift every offset.
  const source = `${text.replace(/^\uFEFF/, ' ')}${/[\n\r]$/.test(text) || text === '' ? '' : '\n'}`;
  const root = processor.parse(`${source}# x`);
  const last = root.children.at(-1);
  const open = !(last?.type === 'heading' && offsets(last).start === source.length);
  const reader = new Reader(text);
  for (const node of open ? root.children : root.children.slice(0, -1)) reader.readBlock(node, true);
  return { blocks: reader.blocks, open };
}

const offsets = (node: Nodes): Span => span(node.position?.start.offset ?? 0, node.position?.end.offset ?? 0);

/** Walks the tree in the order of the text. */
class Reader {
  readonly blocks = emptyBlocks();
  readonly #text: string;
  /** The start of the prose that is not yet in `blocks`. */
  #proseFrom = 0;

  constructor(text: string) {
    this.#text = text;
  }

  #spanOf(node: Nodes): Span {
    const { start, end } = offsets(node);
    return span(Math.min(start, this.#text.length), Math.min(end, this.#text.length));
  }

  /** Reads a block; `alone` is true outside of lists and quotes. */
  readBlock(node: Nodes, alone: boolean): void {
    let place = this.#spanOf(node);
    let kind: MarkdownBlock['kind'] = 'other';
    if (node.type === 'heading') {
      kind = 'heading';
      const textSpan = this.#childrenSpan(node.children) ?? emptyTextOf(this.#text, place, node.depth);
      const text = this.#text.slice(textSpan.start, textSpan.end);
      if (alone) this.blocks.headings.push({ level: node.depth, span: place, textSpan, text });
      this.#readProse(node.children, textSpan);
    } else if (node.type === 'paragraph') {
      this.#readProse(node.children, place);
    } else if (node.type === 'code') {
      if (this.#readCode(node, place, alone)) kind = 'fence';
    } else if (node.type === 'html') {
      if (readHtml(this.#text, place, this.blocks)) kind = 'comment';
    } else if (node.type === 'definition') {
      this.#pushLink('definition', node.url, place, findTarget(this.#text, place, node.url, ']:'));
    } else if (node.type === 'list') {
      kind = 'list';
      if (alone && node.ordered) place = this.#readOrderedList(node, place);
      for (const item of node.children) for (const child of item.children) this.readBlock(child, false);
    } else if (node.type === 'blockquote') {
      for (const child of node.children) this.readBlock(child, false);
    }
    if (alone) this.blocks.blocks.push({ kind, span: place });
  }

  #childrenSpan(children: readonly Nodes[]): Span | undefined {
    const [first] = children;
    const last = children.at(-1);
    return first && last && span(this.#spanOf(first).start, this.#spanOf(last).end);
  }

  #readCode(node: Code, place: Span, alone: boolean): boolean {
    const mark = this.#text[place.start];
    if (mark !== '`' && mark !== '~') return false;
    // A fence that extends into the appended heading is not closed.
    const endless = offsets(node).end > this.#text.length;
    this.blocks.fences.push(fenceAt(this.#text, place, endless ? undefined : node.value, !alone));
    return true;
  }

  #readProse(children: readonly Nodes[], place: Span): void {
    this.#proseFrom = place.start;
    for (const child of children) this.#readInline(child);
    this.#endProse(place.end, place.end);
  }

  #endProse(end: number, next: number): void {
    if (this.#proseFrom < end) this.blocks.prose.push(span(this.#proseFrom, end));
    this.#proseFrom = Math.max(this.#proseFrom, next);
  }

  #readInline(node: Nodes): void {
    if (node.type === 'text' || node.type === 'break') return;
    const place = this.#spanOf(node);
    if (node.type === 'inlineCode') {
      this.blocks.codeSpans.push(place);
      this.#endProse(place.start, place.end);
    } else if (node.type === 'html') {
      readHtml(this.#text, place, this.blocks);
      this.#endProse(place.start, place.end);
    } else if (node.type === 'image') {
      this.#readImage(node, place);
      this.#endProse(place.start, place.end);
    } else if (node.type === 'link') {
      this.#readLink(node, place);
    } else if ('children' in node) {
      for (const child of node.children) this.#readInline(child);
    }
  }

  #readImage(node: Image, place: Span): void {
    this.#pushLink('image', node.url, place, findTarget(this.#text, place, node.url, ']('));
  }

  #readLink(node: MdLink, place: Span): void {
    if (this.#text[place.start] === '<') {
      const inner = span(place.start + 1, place.end - 1);
      this.blocks.links.push({ kind: 'link', url: node.url, urlSpan: inner, textSpan: inner, span: place });
      this.#endProse(place.start, place.end);
      return;
    }
    const textSpan = this.#childrenSpan(node.children) ?? span(place.start + 1, place.start + 1);
    const tail = span(textSpan.end, place.end);
    const target = findTarget(this.#text, tail, node.url, '](');
    this.blocks.links.push({ kind: 'link', url: node.url, urlSpan: target.urlSpan, textSpan, span: place });
    for (const child of node.children) this.#readInline(child);
    this.#endProse(textSpan.end, place.end);
  }

  #pushLink(kind: 'image' | 'definition', url: string, place: Span, target: { at: number; urlSpan: Span }): void {
    const textSpan = span(place.start + (kind === 'image' ? 2 : 1), target.at);
    this.blocks.links.push({ kind, url, urlSpan: target.urlSpan, textSpan, span: place });
  }

  /** Adds the list and returns its span, which ends with the text of its last item. */
  #readOrderedList(node: List, place: Span): Span {
    const items = node.children.map((item, i): ListItem => {
      // remark puts the end of an item with an unclosed fence after the marker of the next item.
      const { start, end } = this.#spanOf(item);
      const next = node.children[i + 1];
      const whole = trimSpan(this.#text, span(start, next ? Math.min(end, this.#spanOf(next).start) : end));
      const marker = /^\d{1,9}[.)]/.exec(this.#text.slice(whole.start, whole.start + 10))?.[0] ?? '';
      const markerSpan = span(whole.start, whole.start + marker.length);
      const textSpan = trimSpan(this.#text, span(markerSpan.end, whole.end));
      const first = item.children[0];
      const bold = first?.type === 'paragraph' ? first.children[0] : undefined;
      const boldSpan = bold?.type === 'strong' ? this.#childrenSpan(bold.children) : undefined;
      return { span: whole, markerSpan, textSpan, boldSpan };
    });
    const delimiter = this.#text[(items[0]?.markerSpan.end ?? 1) - 1] ?? '.';
    const whole = span(place.start, items.at(-1)?.span.end ?? place.end);
    this.blocks.lists.push({ span: whole, delimiter, first: node.start ?? 1, parts: [{ items, by: 0 }] });
    return whole;
  }
}

/** Returns the empty text span of an empty heading, which is after the marker and the following space. */
function emptyTextOf(text: string, place: Span, level: number): Span {
  const at = Math.min(place.end, place.start + level + (text[place.start + level] === ' ' ? 1 : 0));
  return span(at, at);
}
