/** What a cursor in a template can expect: the data that `expectAt` returns. */
import type { Span } from '../../../text.ts';
import type { PathSegment } from '../guards.ts';
import type { BlockKind } from '../keywords.ts';
import type { Variable } from '../scope-model.ts';

/** The word that is being typed: `span` is all of it, `prefix` what stands before the cursor. */
export interface TypedWord {
  readonly span: Span;
  readonly prefix: string;
}

/** The innermost call around the cursor, for signature help. */
export interface CallAt {
  readonly kind: 'function' | 'filter' | 'test';
  /** The name and, for a method, what it is taken of; empty where the callee is an expression. */
  readonly path: readonly string[];
  /** The place of the callee's name. */
  readonly span: Span;
  /** How many arguments stand before the cursor's. */
  readonly index: number;
  /** The name of the keyword argument that the cursor stands in. */
  readonly keyword: string | undefined;
}

/** A block that is open at the cursor. */
export interface OpenBlock {
  readonly kind: BlockKind;
  readonly span: Span;
  /** The name of a `block` or macro. */
  readonly name: string | undefined;
  /** Whether `else` may stand here, and `elif`. */
  readonly takesElse: boolean;
  readonly takesElif: boolean;
}

export interface ReceiverPath {
  readonly name: string;
  readonly variable: Variable | undefined;
  readonly segments: readonly Pick<PathSegment, 'kind' | 'name'>[];
}

/**
 * - `text`: outside every tag, or in a raw block.
 * - `expression`: an operand; `visible` are the template's own variables here.
 * - `operator`: behind an operand, where `|`, `is`, `and`, `else` or the end of the tag may follow.
 * - `filter`, `test`: their name. `attribute`: a name behind a dot; no `receiver` where that is computed.
 * - `statement`: the first word of a block tag; `open` are the blocks around it, the innermost last.
 * - `include-name`: inside the string of `include`, `extends`, `import` or `from`.
 * - `string`: inside another string; `comparedWith` is the other side of `==`, `!=` or `in`.
 * - `name`: where something new is given a name.
 */
export type TemplateCursor =
  | { readonly kind: 'text' }
  | ({ readonly kind: 'expression'; readonly word: TypedWord; readonly visible: readonly Variable[] } & InCall)
  | ({ readonly kind: 'operator'; readonly word: TypedWord } & InCall)
  | ({ readonly kind: 'filter' | 'test'; readonly word: TypedWord } & InCall)
  | ({ readonly kind: 'attribute'; readonly word: TypedWord; readonly receiver: ReceiverPath | undefined } & InCall)
  | { readonly kind: 'statement'; readonly word: TypedWord; readonly open: readonly OpenBlock[] }
  | { readonly kind: 'include-name'; readonly word: TypedWord }
  | ({ readonly kind: 'string'; readonly word: TypedWord; readonly comparedWith: ReceiverPath | undefined } & InCall)
  | { readonly kind: 'name'; readonly word: TypedWord };

interface InCall {
  readonly call: CallAt | undefined;
}
