/** Text that is meant to be in a template without a fence, but that a heading separates from it (docs/format.md, section 5). */

import type { Heading } from '../languages/markdown/blocks.ts';
import { fenceFor } from '../languages/markdown/code-fences.ts';
import { trimSpan, within } from '../languages/markdown/spans.ts';
import { parseTemplate } from '../languages/minijinja/parser.ts';
import type { SkillTemplate } from '../skill/artifact-data.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { lineBreakOf, type Span, span, type TextEdit } from '../text.ts';

export interface Continuation {
  /** The first heading, which ends the template. */
  readonly heading: Heading;
  /** The text from this heading to the next artifact or to the end of the file. */
  readonly passage: Span;
  /** The edits that put the template with this text into a fence. */
  readonly fence: readonly TextEdit[];
  /** The edits that give the headings the level 3, which does not end a template; none if this is not possible. */
  readonly deepen: readonly TextEdit[];
}

/** Returns the prose directly after a template; undefined without such prose, or if the template has a fence. */
export function continuationOf(file: SkillFile, { artifact, span: place }: SkillTemplate): Continuation | undefined {
  const { text, body } = file;
  const found = body?.framing.find(({ start }) => start === artifact.span.end);
  if (!body || !found || artifact.template?.fence) return undefined;
  const passage = trimSpan(text, found);
  const headings = within(body.headings, passage).filter(({ level }) => level <= 2);
  const [heading] = headings;
  if (!heading || heading.span.start !== passage.start) return undefined;
  const source = trimSpan(text, span(place.start, passage.end));
  const lineBreak = lineBreakOf(text);
  const fence = fenceFor(text.slice(source.start, source.end));
  const marks = headings.map((one) => /^ {0,3}#{1,2}(?=\s)/.exec(text.slice(one.span.start, one.span.end))?.[0]);
  return {
    heading,
    passage,
    fence: [
      { span: span(source.start, source.start), newText: `${fence}jinja${lineBreak}` },
      { span: span(source.end, source.end), newText: `${lineBreak}${fence}` },
    ],
    deepen: headings.flatMap(({ span: { start } }, at): TextEdit[] => {
      const mark = marks[at];
      return mark === undefined || marks.includes(undefined)
        ? []
        : [{ span: span(start, start + mark.length), newText: '###' }];
    }),
  };
}

/** Returns the prose after a template that closes the blocks of the template; undefined if it does not close them. */
export function closingContinuationOf(file: SkillFile, template: SkillTemplate): Continuation | undefined {
  if (!template.source.template.problems.some(({ kind }) => kind === 'unclosed-block')) return undefined;
  const next = continuationOf(file, template);
  if (!next) return undefined;
  const whole = parseTemplate(file.text.slice(template.span.start, next.passage.end));
  return whole.problems.some(({ kind }) => kind === 'unclosed-block' || kind === 'stray-tag') ? undefined : next;
}
