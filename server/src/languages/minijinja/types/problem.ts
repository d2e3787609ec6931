/** The problems that the types of a template's values show. */
import type { Span, TextEdit } from '../../../text.ts';
import type { ValueType } from './value-type.ts';

/**
 * `undefined-field`: a field that no value has. `maybe-undefined`: a value that may be undefined. All other kinds are
 * values or arguments that the engine refuses.
 */
export type TypeProblemKind = 'undefined-field' | 'maybe-undefined' | 'refused-value' | 'argument';

export interface TypeProblem {
  readonly kind: TypeProblemKind;
  readonly span: Span;
  /** True if the template fails whenever it gets here, false if it fails for some values. */
  readonly isCertain: boolean;
  readonly message: string;
  readonly fixes: readonly { readonly title: string; readonly edits: readonly TextEdit[] }[];
  /** The path of a value that may be left out, from the variable on, and its type. */
  readonly optional?: { readonly path: readonly string[]; readonly type: ValueType };
}
