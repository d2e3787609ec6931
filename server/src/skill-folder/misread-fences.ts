/** Code fences that CommonMark reads differently than the author means, the text affected by them, and anchors. */

import { type Anchors, anchorsOf } from '../languages/markdown/anchors.ts';
import { findNestingFences, findSwallowedFence, type NestingFence } from '../languages/markdown/code-fences.ts';
import type { Fence } from '../skill/body.ts';
import type { MarkdownFile } from '../skill/markdown-file.ts';
import { findTouching, type Span, span, spanOf } from '../text.ts';

/**
 * Returns the fences that contain another fence and that CommonMark therefore ends too early. Computed once for each
 * file. Never throws.
 */
export const nestingFences = (file: MarkdownFile): readonly NestingFence[] => file.derive(findNesting);

function findNesting({ text, body }: MarkdownFile): readonly NestingFence[] {
  if (!body || body.fences.length === 0) return [];
  return findNestingFences(text, body.span).filter(({ open, close }) => {
    const fence = findTouching(body.fences, open.start, spanOf);
    return fence && fence.span.end < close.start;
  });
}

/** A fence that ends at the closing line of the fence inside it, which begins at `inner`. */
export interface SwallowingFence {
  readonly fence: Fence;
  readonly inner: Span;
}

/**
 * Returns the fences that CommonMark closes at the closing line of a nested fence. Stops at the first other fault,
 * after which opening and closing lines cannot be told apart. Computed once for each file. Never throws.
 */
export const swallowingFences = (file: MarkdownFile): readonly SwallowingFence[] => file.derive(findSwallowing);

function findSwallowing(file: MarkdownFile): readonly SwallowingFence[] {
  const { text, body } = file;
  const found: SwallowingFence[] = [];
  if (nestingFences(file).length > 0) return found;
  for (const fence of body?.fences ?? []) {
    if (fence.nested && !fence.closed) break;
    const inner = findSwallowedFence(text, fence);
    // A fence without an info string may contain the opening line of another fence as an example.
    if (inner && (fence.info !== '' || looksLikeClosing(text, fence))) found.push({ fence, inner });
  }
  return found;
}

/**
 * Returns whether the opening line of a fence looks like a closing line: text directly above it, an empty line below,
 * no language. Never throws.
 */
export const looksLikeClosing = (text: string, { info, span: { start }, contentSpan }: Fence): boolean =>
  info === '' &&
  /\S[ \t]*(?:\r\n|\n|\r)[ \t]*$/.test(text.slice(Math.max(0, start - 1000), start)) &&
  /^[ \t]*(?:[\r\n]|$)/.test(text.slice(contentSpan.start, contentSpan.start + 1000));

/**
 * Returns whether the author probably means the span as code: it follows a fence that ends too early, or precedes a
 * closing line without an opening line. Never throws.
 */
export const isProbablyCode = (file: MarkdownFile, { start }: Span): boolean =>
  file.derive(findMeantAsCode).some((place) => place.start <= start && start < place.end);

function findMeantAsCode(file: MarkdownFile): readonly Span[] {
  const { text, body } = file;
  const fences = body?.fences ?? [];
  const strays = fences.filter(
    (fence) =>
      looksLikeClosing(text, fence) && (!fence.closed || swallowingFences(file).some((one) => one.fence === fence)),
  );
  return [
    ...nestingFences(file).map(({ end, close }) => span(end.start, close.start)),
    ...strays.map((stray) => {
      const before = fences.findLast(({ span: { end } }) => end <= stray.span.start);
      return span(before?.span.end ?? body?.span.start ?? 0, stray.span.start);
    }),
  ];
}

/** Returns the anchors of a file's headings and elements. Computed once for each file. Never throws. */
export const anchorsIn = (file: MarkdownFile): Anchors => file.derive(makeAnchors);

const makeAnchors = ({ text, body }: MarkdownFile): Anchors => anchorsOf(text, body?.headings ?? []);

/**
 * Returns the span of an anchor's target; undefined if it does not exist. Ignores case, as GitHub does. Never throws.
 */
export function findAnchor(file: MarkdownFile, anchor: string): Span | undefined {
  const { headings, others } = anchorsIn(file);
  const wanted = anchor.toLowerCase().replace(/^user-content-/, '');
  return headings.find((one) => one.anchor === wanted)?.heading.span ?? others.get(wanted);
}

/**
 * Returns whether an anchor can name a heading, and does not name the top, a line number, a text fragment or a
 * placeholder. Never throws.
 */
export const isNameOfPlace = (anchor: string): boolean =>
  !/^$|^(?:top|anchor|section|heading|link|id)$|^L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?$|^:~:|^[!/]|[{}<>$…]/i.test(anchor);
