/** The interface of a refactoring: a function that rewrites a file at a selection, if it applies. */
import type { Analysis } from '../../analysis/analysis.ts';
import type { EditedFile } from '../../skill/edited-file.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';

/** The input of a refactoring; `selection` is empty if there is only a cursor. */
export interface RefactoringContext {
  readonly analysis: Analysis;
  readonly file: SkillFile;
  readonly selection: Span;
}

export interface Rewriting {
  readonly title: string;
  readonly result: EditedFile;
  /** The offset, in the new text, of a generated name that the author may want to change. */
  readonly nameAt?: number;
  /** True if findings about unused items appear only after the rewriting, although the items were unused before. */
  readonly revealsUnused?: boolean;
}

export interface Refactoring {
  readonly kind: 'refactor.extract' | 'refactor.rewrite';
  /**
   * Returns the rewriting; undefined if the refactoring does not apply. Must be fast: editors request it on every
   * cursor move.
   */
  rewrite(context: RefactoringContext): Rewriting | undefined;
}
