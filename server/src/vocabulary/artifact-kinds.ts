/** The closed set of artifact kinds, and what a heading says about one (docs/format.md, section 5). */
import { distance } from 'fastest-levenshtein';
import type { Heading } from '../languages/markdown/blocks.ts';
import { trimSpan } from '../languages/markdown/spans.ts';
import { type Span, span } from '../text.ts';

export const ARTIFACT_KINDS = ['Description', 'Approach', 'PromptTemplate', 'Example'] as const;
const RETIRED_KINDS = ['CodeTemplate', 'DspyModule'] as const;

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

/** Longer than any kind with its spaces. */
const MAX_LENGTH = 40;

const fold = (written: string): string =>
  written
    .slice(0, MAX_LENGTH)
    .toLowerCase()
    .replace(/[\s_-]+/g, '');

/** English words that look like misspellings of a kind. */
const ENGLISH_WORDS = new Set(
  (
    'sample samples trample ample examine examined examiner examines exempla exemplar ' +
    'reproach broach approached approacher ' +
    'descriptive descriptor descriptors prescription inscription subscription discretion conscription'
  ).split(' '),
);

/**
 * The kind that `written` misspells. In a heading with a name (`Examples: dusk`) plurals and derived words count too;
 * alone they are ordinary headings.
 */
export function findNearKind(written: string, named: boolean): ArtifactKind | undefined {
  if (written.length > MAX_LENGTH) return undefined;
  const folded = fold(written);
  if (ENGLISH_WORDS.has(folded) || /\d/.test(folded)) return undefined;
  // Bold text is how a heading that looks like an artifact is kept as prose.
  if (written.includes('*')) return undefined;
  const words = written.split(/[\s_-]+/).length;
  return ARTIFACT_KINDS.find((kind) => {
    const target = kind.toLowerCase();
    // `Example 1: x` and `Approach B: y` are ordinary headings.
    if (words > (kind === 'PromptTemplate' ? 2 : 1)) return false;
    const near = distance(folded, target) <= 2;
    return near && (named || (folded[0] === target[0] && !isDerived(folded, target)));
  });
}

/** A plural or a derived word: `examples`, `approaches`. */
const isDerived = (folded: string, target: string): boolean => folded.startsWith(target);
