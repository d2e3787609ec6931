/** The closed set of artifact kinds, and what a heading says about one (skill-format.md, section 5). */
import { distance } from 'fastest-levenshtein';
import type { Heading } from '../languages/markdown/blocks.ts';
import { trimSpan } from '../languages/markdown/spans.ts';
import { type Span, span } from '../text.ts';

export const ARTIFACT_KINDS = ['Description', 'Approach', 'PromptTemplate', 'Example'] as const;
export const RETIRED_KINDS = ['CodeTemplate', 'DspyModule'] as const;

export type ArtifactKind = (typeof ARTIFACT_KINDS)[number];
export type RetiredKind = (typeof RETIRED_KINDS)[number];

/** `Kind` or `Kind: name`, as written; without a name there is no `nameSpan`. */
export interface HeadingParts {
  readonly kindSpan: Span;
  readonly nameSpan?: Span;
}

export function splitHeading(text: string, { textSpan }: Heading): HeadingParts {
  const colon = text.slice(textSpan.start, textSpan.end).indexOf(':');
  if (colon < 0) return { kindSpan: textSpan };
  const kindSpan = trimSpan(text, span(textSpan.start, textSpan.start + colon));
  const nameSpan = trimSpan(text, span(textSpan.start + colon + 1, textSpan.end));
  return nameSpan.start === nameSpan.end ? { kindSpan } : { kindSpan, nameSpan };
}

/** The kind that `written` is, whatever its case, spaces, hyphens and underscores. */
export const findKind = (written: string): ArtifactKind | undefined => lookUp(ARTIFACT_KINDS, written);

export const findRetiredKind = (written: string): RetiredKind | undefined => lookUp(RETIRED_KINDS, written);

function lookUp<Kind extends string>(kinds: readonly Kind[], written: string): Kind | undefined {
  const folded = fold(written);
  return kinds.find((kind) => kind.toLowerCase() === folded);
}

/** Longer than any kind with its spaces: what is longer need not be looked at. */
const LONGEST = 40;

const fold = (written: string): string =>
  written
    .slice(0, LONGEST)
    .toLowerCase()
    .replace(/[\s_-]+/g, '');

/** English words that are no further from a kind than a misspelling is; headings in their own right. */
const WORDS = new Set(
  (
    'sample samples trample ample examine examined examiner examines exempla exemplar ' +
    'reproach broach approached approacher ' +
    'descriptive descriptor descriptors prescription inscription subscription discretion conscription'
  ).split(' '),
);

/**
 * The kind that `written` nearly is. With a name behind it, which no ordinary heading has by accident, a plural or a
 * small misspelling counts; alone only what is no English word, so that `## Examples` in free prose stays prose.
 */
export function findNearKind(written: string, named: boolean): ArtifactKind | undefined {
  if (written.length > LONGEST) return undefined;
  const folded = fold(written);
  if (WORDS.has(folded) || /\d/.test(folded)) return undefined;
  const words = written.split(/[\s_-]+/).length;
  return ARTIFACT_KINDS.find((kind) => {
    const target = kind.toLowerCase();
    // `Example 1: x` and `Approach B: y` are ordinary headings.
    if (words > (kind === 'PromptTemplate' ? 2 : 1)) return false;
    const near = distance(folded, target) <= 2;
    return near && (named || (folded[0] === target[0] && !isDerived(folded, target)));
  });
}

/** A plural or a form of the word itself: `examples`, `approaches`, `approaching`. */
const isDerived = (folded: string, target: string): boolean => folded.startsWith(target);
