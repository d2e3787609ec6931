/** New sections of a body: the text of a template, the place where a section goes, a name that is free. */
import { fenceFor } from '../../languages/markdown/fence.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { lineBreakOf, span, type TextEdit } from '../../text.ts';

/** `wanted`, or `wanted-2` and so on where an artifact of that kind has the name. */
export function freeName({ body }: SkillFile, kind: string, wanted: string): string {
  const taken = new Set(body?.artifacts.filter((artifact) => artifact.kind === kind).map(({ name }) => name));
  let name = wanted;
  for (let n = 2; taken.has(name); n++) name = `${wanted}-${n}`;
  return name;
}

/** A PromptTemplate with this source; a fence keeps Markdown from reading its headings. */
export function templateSection(name: string, source: string, isFenced: boolean, lineBreak: string): string {
  const heading = `## PromptTemplate: ${name}${lineBreak}${lineBreak}`;
  if (!isFenced) return heading + source;
  const fence = fenceFor(source);
  return `${heading}${fence}jinja${lineBreak}${source}${lineBreak}${fence}`;
}

/** Inserts a section where another one starts, or at the end, with one empty line on either side. */
export function insertSection(text: string, at: number, section: string): TextEdit {
  const lineBreak = lineBreakOf(text);
  const before = /(?:\r\n|\n|\r)?(?:\r\n|\n|\r)?$/.exec(text.slice(0, at))?.[0] ?? '';
  const breaks = at === 0 ? 2 : before.replaceAll('\r\n', '\n').length;
  const lead = lineBreak.repeat(2 - breaks);
  return { span: span(at, at), newText: lead + section + lineBreak + (at < text.length ? lineBreak : '') };
}

/** Whether a file parses well enough to rewrite it. */
export const isReadable = ({ dialect, frontmatter, body }: SkillFile): boolean =>
  dialect === 'composer' &&
  !frontmatter.tree.broken &&
  body !== undefined &&
  body.scanned.length === 0 &&
  body.problems.length === 0;
