/** Fences that CommonMark reads otherwise than their author meant them, and the text that was meant as code all the same. */

import { type Anchors, anchorsOf } from '../languages/markdown/anchors.ts';
import { findNestingFences, findSwallowed, type NestingFence } from '../languages/markdown/code-fences.ts';
import type { Fence } from '../skill/body.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { findTouching, type Span, span, spanOf } from '../text.ts';

/** What CommonMark ends elsewhere than its author; where one before does so, the next may stand in code to CommonMark. */
export const nestingIn = (file: SkillFile): readonly NestingFence[] => file.derive(findNesting);

function findNesting({ text, body }: SkillFile): readonly NestingFence[] {
  if (!body || body.fences.length === 0) return [];
  return findNestingFences(text, body.span).filter(({ open, close }) => {
    const fence = findTouching(body.fences, open.start, spanOf);
    return fence && fence.span.end < close.start;
  });
}

export interface SwallowingFence {
  readonly fence: Fence;
  readonly inner: Span;
}

/** Fences that end where another one within them was meant to; behind any other fault, what follows is turned round. */
export const swallowingIn = (file: SkillFile): readonly SwallowingFence[] => file.derive(findSwallowing);

function findSwallowing(file: SkillFile): readonly SwallowingFence[] {
  const { text, body } = file;
  const found: SwallowingFence[] = [];
  if (nestingIn(file).length > 0) return found;
  for (const fence of body?.fences ?? []) {
    if (fence.nested && !fence.closed) break;
    const inner = findSwallowed(text, fence);
    // Without an info string, a fence may show a line that begins one.
    if (inner && (fence.info !== '' || isStray(text, fence))) found.push({ fence, inner });
  }
  return found;
}

/** Text right above, an empty line below, and no language. */
export const isStray = (text: string, { info, span: { start }, contentSpan }: Fence): boolean =>
  info === '' &&
  /\S[ \t]*(?:\r\n|\n|\r)[ \t]*$/.test(text.slice(Math.max(0, start - 1000), start)) &&
  /^[ \t]*(?:[\r\n]|$)/.test(text.slice(contentSpan.start, contentSpan.start + 1000));

/** Whether a place was probably meant as code: behind a fence that ends too early, or before one whose beginning is missing. */
export const isMeantAsCode = (file: SkillFile, { start }: Span): boolean =>
  file.derive(findMeantAsCode).some((place) => place.start <= start && start < place.end);

function findMeantAsCode(file: SkillFile): readonly Span[] {
  const { text, body } = file;
  const fences = body?.fences ?? [];
  const strays = fences.filter(
    (fence) => isStray(text, fence) && (!fence.closed || swallowingIn(file).some((one) => one.fence === fence)),
  );
  return [
    ...nestingIn(file).map(({ end, close }) => span(end.start, close.start)),
    ...strays.map((stray) => {
      const before = fences.findLast(({ span: { end } }) => end <= stray.span.start);
      return span(before?.span.end ?? body?.span.start ?? 0, stray.span.start);
    }),
  ];
}

/** Where the anchors of a file lead, once for each file. */
export const anchorsIn = (file: SkillFile): Anchors => file.derive(makeAnchors);

const makeAnchors = ({ text, body }: SkillFile): Anchors => anchorsOf(text, body?.headings ?? []);

/** The place of an anchor; undefined where there is none. Letters count alike in either case, as in browsers on GitHub. */
export function findAnchor(file: SkillFile, anchor: string): Span | undefined {
  const { headings, others } = anchorsIn(file);
  const wanted = anchor.toLowerCase().replace(/^user-content-/, '');
  return headings.find((one) => one.anchor === wanted)?.heading.span ?? others.get(wanted);
}

/** Whether an anchor is the name of a place at all: neither the top, a line of a source, words to be searched for, nor a word to fill in. */
export const isNameOfPlace = (anchor: string): boolean =>
  !/^$|^(?:top|anchor|section|heading|link|id)$|^L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?$|^:~:|^[!/]|[{}<>$…]/i.test(anchor);
