import type { Span } from '../text.ts';

/** What a conversion leaves behind, or changes, with its place in the source. */
export interface Lost {
  readonly what: string;
  readonly span: Span;
  readonly why: string;
}

export const NOWHERE: Span = { start: 0, end: 0 };
