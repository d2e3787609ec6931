/** Where a `SKILL.md` writes commands: its fences, its code spans, and its frontmatter with its hooks. */
import type { SkillFile } from '../skill/skill-file.ts';
import { type Span, shift } from '../text.ts';

export function findInCode(file: SkillFile, find: (text: string) => readonly Span[]): readonly Span[] {
  const { text, body, frontmatter } = file;
  const regions = [
    frontmatter.content,
    ...(body?.fences ?? []).map(({ contentSpan }) => contentSpan),
    ...(body?.codeSpans ?? []),
  ];
  return regions.flatMap(({ start, end }) => find(text.slice(start, end)).map((one) => shift(one, start)));
}
