/** The sections of a body: each heading with all that follows, up to the next heading of its level or above. */
import type { Body, Heading } from '../../skill/body.ts';
import { type Span, span } from '../../text.ts';

export interface Section {
  readonly heading: Heading;
  readonly span: Span;
}

export function sectionsOf({ headings, span: whole }: Pick<Body, 'headings' | 'span'>): readonly Section[] {
  const ends = new Array<number>(headings.length).fill(whole.end);
  const open: number[] = [];
  for (const [i, { level, span: place }] of headings.entries()) {
    while (open.length > 0 && (headings[open.at(-1) as number]?.level ?? 0) >= level)
      ends[open.pop() as number] = place.start;
    open.push(i);
  }
  return headings.map((heading, i) => ({ heading, span: span(heading.span.start, ends[i] as number) }));
}
