/** What a refactoring is: a function that rewrites a file at a selection, where it fits. */
import type { Analysis } from '../../analysis/analysis.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';
import type { EditedFile } from './edited-file.ts';

/** `selection` is empty where there is only a cursor. */
export interface RefactoringContext {
  readonly analysis: Analysis;
  readonly file: SkillFile;
  readonly selection: Span;
}

export interface Rewriting {
  readonly title: string;
  readonly result: EditedFile;
  /** Where a made-up name stands in the new text, which the author may want to rename at once. */
  readonly nameAt?: number;
  /** True where unused things are reported only after it, though they were unused before. */
  readonly reveals?: boolean;
}

export interface Refactoring {
  readonly kind: 'refactor.extract' | 'refactor.rewrite';
  /** Has to be fast: editors ask at every move of the cursor. */
  rewrite(context: RefactoringContext): Rewriting | undefined;
}
