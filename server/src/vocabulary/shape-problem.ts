/** What is wrong with the shape of a piece of YAML. */
import type { Span, TextEdit } from '../text.ts';

/** A fix of the problem; a `safe` one may be applied unseen. */
export interface ShapeFix {
  readonly title: string;
  readonly safe: boolean;
  readonly edits: readonly TextEdit[];
}

export interface ShapeProblem {
  readonly kind: 'unknown-key' | 'missing-key' | 'value';
  readonly span: Span;
  readonly message: string;
  /** The rule that the key's table names for its values; undefined where the kind decides. */
  readonly rule: string | undefined;
  readonly fixes: readonly ShapeFix[];
  /** The key that is missing or unknown, or whose value is wrong. */
  readonly key: string;
  /** How deep the key's map is nested; 0 is the top level. */
  readonly depth: number;
  /** Where the same stands first, of a key that stands twice. */
  readonly first?: Span;
}
