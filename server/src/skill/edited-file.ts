/** A file after several rounds of edits, with all changes as small edits to the original text. */

import { fenceFor } from '../languages/markdown/code-fences.ts';
import { applyEdits, lineBreakOf, span, type TextEdit } from '../text.ts';
import type { SkillFile } from './skill-file.ts';

export interface EditedFile {
  /** The file after the edits so far. */
  readonly file: SkillFile;
  /** The edits to the original text, sorted by offset; two edits neither overlap nor touch. */
  readonly edits: readonly TextEdit[];
}

export const unedited = (file: SkillFile): EditedFile => ({ file, edits: [] });

/**
 * Returns the file after more edits, whose offsets refer to `result.file`. Returns undefined if `edits` is empty or
 * undefined, which means that an edit was not possible.
 */
export function withEdits(
  result: EditedFile | undefined,
  edits: readonly TextEdit[] | undefined,
): EditedFile | undefined {
  if (!result || !edits || edits.length === 0) return undefined;
  const { text } = result.file;
  const sorted = [...edits].sort((a, b) => b.span.start - a.span.start || b.span.end - a.span.end);
  let all = result.edits;
  let current = text;
  // Applies the last edit first, so that the offsets of the other edits stay valid.
  for (const edit of sorted) {
    all = joined(all, edit, current);
    current = applyEdits(current, [edit]);
  }
  return { file: result.file.edited(current), edits: all };
}

/**
 * Adds `edit` to `before`, the edits to the original text. The offsets of `edit` refer to `current`, the text after
 * `before`.
 */
function joined(before: readonly TextEdit[], edit: TextEdit, current: string): readonly TextEdit[] {
  let { start, end } = edit.span;
  let newText = edit.newText;
  /** The span in the original text. */
  let [first, last] = [start, end];
  let shift = 0;
  const others: TextEdit[] = [];
  let isAhead = true;
  for (const other of before) {
    const from = other.span.start + shift;
    const to = from + other.newText.length;
    const growth = other.newText.length - (other.span.end - other.span.start);
    if (to < edit.span.start || from > edit.span.end) {
      if (to < edit.span.start) {
        first = edit.span.start - shift - growth;
        last = edit.span.end - shift - growth;
      }
      others.push(other);
    } else {
      // Edits that touch become one edit: the current text of both spans, including the new text.
      if (from < start) newText = current.slice(from, start) + newText;
      if (to > end) newText += current.slice(end, to);
      if (isAhead) first = from < start ? other.span.start : start - shift;
      last = to > end ? other.span.end : end - shift - growth;
      start = Math.min(start, from);
      end = Math.max(end, to);
      isAhead = false;
    }
    shift += growth;
  }
  return [...others, { span: span(first, last), newText }].sort((a, b) => a.span.start - b.span.start);
}

/** Returns `wanted`, or `wanted-2` and so on if an artifact of the same kind already has the name. */
export function freeName({ body }: SkillFile, kind: string, wanted: string): string {
  const taken = new Set(body?.artifacts.filter((artifact) => artifact.kind === kind).map(({ name }) => name));
  let name = wanted;
  for (let n = 2; taken.has(name); n++) name = `${wanted}-${n}`;
  return name;
}

/** Returns a PromptTemplate section. A fence is required if the source contains headings. */
export function templateSection(name: string, source: string, isFenced: boolean, lineBreak: string): string {
  const heading = `## PromptTemplate: ${name}${lineBreak}${lineBreak}`;
  if (!isFenced) return heading + source;
  const fence = fenceFor(source);
  return `${heading}${fence}jinja${lineBreak}${source}${lineBreak}${fence}`;
}

/** Inserts a section before another section or at the end of the file, with empty lines around the new section. */
export function insertSection(text: string, at: number, section: string): TextEdit {
  const lineBreak = lineBreakOf(text);
  const before = /(?:\r\n|\n|\r)?(?:\r\n|\n|\r)?$/.exec(text.slice(0, at))?.[0] ?? '';
  const breaks = at === 0 ? 2 : before.replaceAll('\r\n', '\n').length;
  const lead = lineBreak.repeat(2 - breaks);
  return { span: span(at, at), newText: lead + section + lineBreak + (at < text.length ? lineBreak : '') };
}

/** Returns whether a file can be rewritten: it has no syntax errors. */
export const isReadable = ({ dialect, frontmatter, body }: SkillFile): boolean =>
  dialect === 'composer' &&
  !frontmatter.tree.broken &&
  body !== undefined &&
  body.scanned.length === 0 &&
  body.problems.length === 0;
