/** The expressions of the syntax tree. */
import type { Span } from '../../text.ts';

/** A word with its place; empty, with an empty span, where the author has not typed it yet. */
export interface Name {
  readonly text: string;
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

export interface MissingExpression {
  readonly kind: 'missing';
  readonly span: Span;
}

/** Any use of a variable, `loop` and `self` included. */
export interface NameExpression {
  readonly kind: 'name';
  readonly span: Span;
  readonly name: string;
}

/** `content` is what stands between the quotes of a string written as one piece; MiniJinja joins adjacent strings. */
export interface Literal {
  readonly kind: 'literal';
  readonly span: Span;
  readonly value: string | number | boolean | null;
  readonly content?: Span;
}

export interface Sequence {
  readonly kind: 'list' | 'tuple';
  readonly span: Span;
  readonly items: readonly Expression[];
}

export interface DictLiteral {
  readonly kind: 'dict';
  readonly span: Span;
  readonly entries: readonly { readonly key: Expression; readonly value: Expression }[];
}

export interface Unary {
  readonly kind: 'unary';
  readonly span: Span;
  readonly operator: 'not' | '-';
  readonly operand: Expression;
}

export type BinaryOperator =
  | 'or'
  | 'and'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'in'
  | 'not in'
  | '+'
  | '-'
  | '~'
  | '*'
  | '/'
  | '//'
  | '%'
  | '**';

/** Always left-associative, `**` too. A long chain is a deep tree: walk it with `walk.ts`, not by recursion. */
export interface Binary {
  readonly kind: 'binary';
  readonly span: Span;
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

/** `value if condition else otherwise`; `otherwise` may be left out. */
export interface Conditional {
  readonly kind: 'conditional';
  readonly span: Span;
  readonly value: Expression;
  readonly condition: Expression;
  readonly otherwise?: Expression;
}

/** `input` is absent for the first filter of `{% filter … %}` and `{% set x | … %}`, which take a block's text. */
export interface FilterCall {
  readonly kind: 'filter';
  readonly span: Span;
  readonly input?: Expression;
  readonly name: Name;
  readonly args: readonly Argument[];
}

export interface TestCall {
  readonly kind: 'test';
  readonly span: Span;
  readonly input: Expression;
  readonly negated: boolean;
  readonly name: Name;
  readonly args: readonly Argument[];
}

export interface Attribute {
  readonly kind: 'attribute';
  readonly span: Span;
  readonly receiver: Expression;
  readonly name: Name;
}

export interface Item {
  readonly kind: 'item';
  readonly span: Span;
  readonly receiver: Expression;
  readonly index: Expression;
}

export interface Slice {
  readonly kind: 'slice';
  readonly span: Span;
  readonly receiver: Expression;
  readonly start?: Expression;
  readonly stop?: Expression;
  readonly step?: Expression;
}

export interface Call {
  readonly kind: 'call';
  readonly span: Span;
  readonly callee: Expression;
  readonly args: readonly Argument[];
}

/** `name=value` is a keyword, `*value` a splat, `**value` a keyword splat. */
export interface Argument {
  readonly kind: 'positional' | 'keyword' | 'splat' | 'keyword-splat';
  readonly span: Span;
  readonly name?: Name;
  readonly value: Expression;
}
