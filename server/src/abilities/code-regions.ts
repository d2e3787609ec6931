/** Where a `SKILL.md` writes commands: its fences, its code spans, and its frontmatter with its hooks. */
import type { SkillFile } from '../skill/skill-file.ts';
import type { Span } from '../text.ts';
import type { FindCommands } from './commands.ts';

export const codeRegions = ({ body, frontmatter }: SkillFile): readonly Span[] => [
  frontmatter.content,
  ...(body?.fences ?? []).map(({ contentSpan }) => contentSpan),
  ...(body?.codeSpans ?? []),
];

export const findInCode = (file: SkillFile, find: FindCommands): readonly Span[] =>
  codeRegions(file).flatMap((region) => find(file.text, region));
