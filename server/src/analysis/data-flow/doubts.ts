/**
 * The reasons why a value might not exist: its step runs only under a condition, or may end without an output
 * (docs/format.md, section 4, "Data flow").
 */

import type { SchemaPart } from '../../languages/schema/schema.ts';
import type { Span } from '../../text.ts';
import type { StepCondition } from './step-condition.ts';
import type { ValuePath } from './value-paths.ts';

/** Returns the schema of a value, and whether the value is always given; undefined if it is not known. */
export type ValueAt = (path: ValuePath) => { readonly part: SchemaPart; readonly isGiven: boolean } | undefined;

/** The reason why a step might not run, or might end without its output. */
export interface Doubt {
  readonly by: 'condition' | 'arm' | 'keep_when' | 'exit';
  /** The condition; undefined for an `else` and an exit. */
  readonly guard: StepCondition | undefined;
  /** The name of the step that might not run. */
  readonly step: string;
  /** True if other conditions around it decide, too. */
  readonly isNested?: true;
  /** The exit of the step's skill, if the skill ends without an output that matches its schema. */
  readonly exit?: DoubtfulExit;
}

export interface DoubtfulExit {
  readonly on: 'tool_budget' | 'interrupt' | 'caller';
  readonly uri: string;
  readonly span: Span;
}

/** The conditions under which a step runs. */
export interface Guards {
  readonly conditions: readonly StepCondition[];
  /** The conditions of earlier arms, which are false. */
  readonly negated: readonly StepCondition[];
  /** The values that the conditions read. */
  readonly valueAt: ValueAt;
  /** True if the step has a condition or is within an `else`, which has no condition of its own. */
  readonly isConditional: boolean;
}

export const UNCONDITIONAL: Guards = {
  conditions: [],
  negated: [],
  valueAt: () => undefined,
  isConditional: false,
};
