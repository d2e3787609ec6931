/**
 * A rewriting in steps, each on the text that the one before has left, told at the end as edits to the first text: small
 * ones, at the places that changed.
 */
import type { SkillFile } from '../../skill/skill-file.ts';
import { applyEdits, span, type TextEdit } from '../../text.ts';

export interface Steps {
  /** The file as the steps so far have left it. */
  readonly file: SkillFile;
  /** The edits to the text before the first step: sorted, and none touches another. */
  readonly edits: readonly TextEdit[];
}

export const begin = (file: SkillFile): Steps => ({ file, edits: [] });

/** The next step: edits that count in `steps.file`. Undefined where there are none, which is how edits are refused. */
export function then(steps: Steps | undefined, edits: readonly TextEdit[] | undefined): Steps | undefined {
  if (!steps || !edits || edits.length === 0) return undefined;
  const { text } = steps.file;
  const sorted = [...edits].sort((a, b) => b.span.start - a.span.start || b.span.end - a.span.end);
  let all = steps.edits;
  let current = text;
  // From the last to the first, so that the places of those that follow stay what they are.
  for (const edit of sorted) {
    all = joined(all, edit, current);
    current = applyEdits(current, [edit]);
  }
  return { file: steps.file.edited(current), edits: all };
}

/** `edit` counts in `current`, which is the first text after `before`. */
function joined(before: readonly TextEdit[], edit: TextEdit, current: string): readonly TextEdit[] {
  let { start, end } = edit.span;
  let newText = edit.newText;
  /** The same stretch in the first text. */
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
      // What touches becomes one edit, whose text is what stands there now with the new text in it.
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
