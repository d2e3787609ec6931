import type { SkillFile } from '../skill/skill-file.ts';
import { lineBreakOf } from '../text.ts';
import type { Conversion } from './conversion.ts';

/** A contract is the frontmatter of a skill: it gets fences, and an empty body. */
export function contractToSkill({ text, frontmatter }: SkillFile, name: string): Conversion {
  const [problem] = frontmatter.tree.broken ? frontmatter.tree.problems : [];
  if (problem) return { problem: `Its YAML does not parse: ${problem.message}`, span: problem.span };
  const end = lineBreakOf(text);
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const yaml = text.slice(mark.length).replace(/^---[ \t]*(?:\r\n|\r|\n)/, '');
  const last = /[\r\n]$/.test(yaml) ? '' : end;
  return { files: [{ path: `${name}.skill.md`, text: `${mark}---${end}${yaml}${last}---${end}` }], lost: [] };
}
