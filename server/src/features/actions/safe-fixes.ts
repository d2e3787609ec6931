/** The fixes of a file that may be applied unasked, together. */
import type { Finding, Fix } from '../../finding.ts';
import type { TextEdit } from '../../text.ts';

/** The safe preferred fixes to one file; one that overlaps an earlier one is left out. */
export function safeFixes(uri: string, findings: readonly Finding[]): readonly Fix[] {
  const taken: TextEdit[] = [];
  const fixes: Fix[] = [];
  for (const {
    fixes: [fix],
  } of findings) {
    if (!fix?.safe || fix.edits.some((edited) => edited.uri !== uri)) continue;
    const edits = fix.edits.flatMap((edited) => edited.edits);
    if (edits.some((edit) => taken.some((other) => collide(edit, other)))) continue;
    taken.push(...edits);
    fixes.push(fix);
  }
  return fixes;
}

export const safeEdits = (uri: string, findings: readonly Finding[]): readonly TextEdit[] =>
  safeFixes(uri, findings).flatMap((fix) => fix.edits.flatMap(({ edits }) => edits));

/** Two edits collide where they overlap or insert at the same place. */
const collide = ({ span: a }: TextEdit, { span: b }: TextEdit): boolean =>
  (a.start < b.end && b.start < a.end) || a.start === b.start;
