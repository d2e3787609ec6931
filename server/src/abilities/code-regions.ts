/** Where a `SKILL.md` writes commands: its fences, its code spans, and its frontmatter with its hooks. */
import type { SkillFile } from '../skill/skill-file.ts';
import { type Span, shift } from '../text.ts';

export const codeRegions = ({ body, frontmatter }: SkillFile): readonly Span[] => [
  frontmatter.content,
  ...(body?.fences ?? []).map(({ contentSpan }) => contentSpan),
  ...(body?.codeSpans ?? []),
];

export const findInCode = (file: SkillFile, find: (text: string) => readonly Span[]): readonly Span[] =>
  codeRegions(file).flatMap(({ start, end }) => find(file.text.slice(start, end)).map((one) => shift(one, start)));
