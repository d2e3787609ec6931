/** The problems in a data flow, each with the rule that reports it. */

import type { Draft } from '../../finding.ts';

export type FlowRule =
  | 'missing-required-field'
  | 'ambiguous-field-mapping'
  | 'type-mismatch'
  | 'format-mismatch'
  | 'circular-dependency'
  | 'parallel-outputs'
  | 'unused-mapping';

export interface FlowProblem {
  readonly rule: FlowRule;
  /** The step that has to run earlier, or at all. Only the first problem with a step is reported. */
  readonly awaits?: string;
  readonly draft: Draft;
}
