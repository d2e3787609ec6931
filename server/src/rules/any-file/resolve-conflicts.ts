/** The fixes for the conflicts that git left in a file. */
import { type Fix, fixHere } from '../../finding.ts';
import { findMergeConflicts, resolutionsOf } from '../../languages/yaml/merge-conflict.ts';
import type { SkillFile } from '../../skill/skill-file.ts';

/** Returns the fixes that keep the first version of each conflict, or the second. */
export const resolveConflicts = (file: SkillFile): readonly Fix[] =>
  resolutionsOf(file.text, findMergeConflicts(file.text)).flatMap(({ title, edits }) => fixHere(file, title, edits));
