/** What a cursor in a template can expect: the data that `expectAt` returns. */
import type { Span } from '../../../text.ts';
import type { PathSegment } from '../defined-names.ts';
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

/** A value, and the filters that it has been through. */
export interface FilterInput {
  readonly receiver: ReceiverPath;
  readonly filters: readonly string[];
}

export type TemplateCursor =
  /** Outside every tag, or in a raw block. */
  | { readonly kind: 'text' }
  /** An operand; `visible` are the template's own variables here. */
  | ({ readonly kind: 'expression'; readonly word: TypedWord; readonly visible: readonly Variable[] } & InCall)
  /** Behind an operand, where `|`, `is`, `and`, `else` or the end of the tag may follow. */
  | ({ readonly kind: 'operator'; readonly word: TypedWord } & InCall)
  /** The name of a filter; no `input` where what it is put behind is computed. */
  | ({ readonly kind: 'filter'; readonly word: TypedWord; readonly input: FilterInput | undefined } & InCall)
  /** The name of a test. */
  | ({ readonly kind: 'test'; readonly word: TypedWord } & InCall)
  /** A name behind a dot; no `receiver` where that is computed. */
  | ({ readonly kind: 'attribute'; readonly word: TypedWord; readonly receiver: ReceiverPath | undefined } & InCall)
  /** The first word of a block tag; `open` are the blocks around it, the innermost last. */
  | { readonly kind: 'statement'; readonly word: TypedWord; readonly open: readonly OpenBlock[] }
  /** Inside the string of `include`, `extends`, `import` or `from`. */
  | { readonly kind: 'include-name'; readonly word: TypedWord }
  /** Inside another string; `comparedWith` is the other side of `==`, `!=` or `in`. */
  | ({ readonly kind: 'string'; readonly word: TypedWord; readonly comparedWith: ReceiverPath | undefined } & InCall)
  /** Where something new is given a name. */
  | { readonly kind: 'name'; readonly word: TypedWord };

interface InCall {
  readonly call: CallAt | undefined;
}
