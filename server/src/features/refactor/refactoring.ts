/** What a refactoring is: a function of a place that yields the ways to rewrite the file there, none where it does not fit. */
import type { Analysis } from '../../analysis/analysis.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';

import type { Steps } from './steps.ts';

/** `selection` is empty where there is only a cursor. */
export interface Place {
  readonly analysis: Analysis;
  readonly file: SkillFile;
  readonly selection: Span;
}

export interface Rewriting {
  readonly title: string;
  readonly steps: Steps;
  /** Where a name stands in the new text that was made up and is now the author's to choose. */
  readonly nameAt?: number;
  /** True where only now it can be told what nothing uses; it was as true before. */
  readonly reveals?: boolean;
}

export interface Refactoring {
  readonly kind: 'refactor.extract' | 'refactor.rewrite';
  /** Cheap, since editors ask at every move of the cursor; total on whatever the file holds. */
  rewrite(place: Place): Rewriting | undefined;
}
