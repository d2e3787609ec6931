/** The expressions of the syntax tree. */
import type { Span } from '../../text.ts';

/** A word; empty, with an empty span, where the author has not typed it yet. */
export interface Name extends Placed {
  readonly text: string;
}

/** A part of the tree with its place. */
export interface Placed {
  readonly span: Span;
}

/** `missing` stands where an expression should be and none is; its span is empty. */
export type Expression =
  | MissingExpression
  | NameExpression
  | Literal
  | Sequence
  | DictLiteral
  | Unary
  | Binary
  | Conditional
  | FilterCall
  | TestCall
  | Attribute
  | Item
  | Slice
  | Call;

export interface MissingExpression extends Placed {
  readonly kind: 'missing';
}

/** Any use of a variable, `loop` and `self` included. */
export interface NameExpression extends Placed {
  readonly kind: 'name';
  readonly name: string;
}

/** `content` is what stands between the quotes of a string written as one piece; MiniJinja joins adjacent strings. */
export interface Literal extends Placed {
  readonly kind: 'literal';
  readonly value: string | number | boolean | null;
  readonly content?: Span;
}

interface Sequence extends Placed {
  readonly kind: 'list' | 'tuple';
  readonly items: readonly Expression[];
}

interface DictLiteral extends Placed {
  readonly kind: 'dict';
  readonly entries: readonly { readonly key: Expression; readonly value: Expression }[];
}

interface Unary extends Placed {
  readonly kind: 'unary';
  readonly operator: 'not' | '-';
  readonly operand: Expression;
}

export type BinaryOperator =
  | ('or' | 'and' | 'in' | 'not in')
  | ('==' | '!=' | '<' | '<=' | '>' | '>=')
  | ('+' | '-' | '~' | '*' | '/' | '//' | '%' | '**');

/** Always left-associative, `**` too. A long chain is a deep tree, so walk it without recursion. */
export interface Binary extends Placed {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

/** `value if condition else otherwise`; `otherwise` may be left out. */
interface Conditional extends Placed {
  readonly kind: 'conditional';
  readonly value: Expression;
  readonly condition: Expression;
  readonly otherwise?: Expression;
}

/** `input` is absent for the first filter of `{% filter … %}` and `{% set x | … %}`, which take a block's text. */
export interface FilterCall extends Placed {
  readonly kind: 'filter';
  readonly input?: Expression;
  readonly name: Name;
  readonly args: readonly Argument[];
}

export interface TestCall extends Placed {
  readonly kind: 'test';
  readonly input: Expression;
  readonly negated: boolean;
  readonly name: Name;
  readonly args: readonly Argument[];
}

export interface Attribute extends Placed {
  readonly kind: 'attribute';
  readonly receiver: Expression;
  readonly name: Name;
}

export interface Item extends Placed {
  readonly kind: 'item';
  readonly receiver: Expression;
  readonly index: Expression;
}

interface Slice extends Placed {
  readonly kind: 'slice';
  readonly receiver: Expression;
  readonly start?: Expression;
  readonly stop?: Expression;
  readonly step?: Expression;
}

export interface Call extends Placed {
  readonly kind: 'call';
  readonly callee: Expression;
  readonly args: readonly Argument[];
}

/** `name=value` is a keyword, `*value` a splat, `**value` a keyword splat. */
export interface Argument extends Placed {
  readonly kind: 'positional' | 'keyword' | 'splat' | 'keyword-splat';
  readonly name?: Name;
  readonly value: Expression;
}
