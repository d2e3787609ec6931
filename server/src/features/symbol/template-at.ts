/** The template around a place, also while its end is being typed; its spans count in the file. */
import { type ParsedTemplate, parseAt } from '../../skill/artifact-data.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { findTouching, spanOf } from '../../text.ts';

export function findTemplate(file: SkillFile, offset: number): ParsedTemplate | undefined {
  const here = findTouching(file.templates, offset, spanOf);
  return here ? here.placed : withTrailingBlanks(file, offset);
}

/** A template without a fence ends with its last letter; blanks behind it belong to it while they are typed. */
function withTrailingBlanks({ text, templates }: SkillFile, offset: number): ParsedTemplate | undefined {
  const last = templates.findLast(({ span }) => span.end < offset);
  if (!last || last.artifact.template?.fence || offset > last.artifact.span.end) return undefined;
  const { start, end } = last.span;
  return /^[ \t]+$/.test(text.slice(end, offset)) ? parseAt(text.slice(start, offset), start) : undefined;
}
