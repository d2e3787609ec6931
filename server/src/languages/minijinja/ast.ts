/**
 * The syntax tree of a MiniJinja template. Every span counts UTF-16 offsets from the start of the text
 * that was parsed, plus the base offset that `parseTemplate` was given: a template embedded in a file has file offsets.
 */
import type { Span, TextEdit } from '../../text.ts';

/** What an assignment binds: a name, several (unpacking), or an attribute of a namespace (`set ns.x`). */
export type Target = NameExpression | Attribute | TargetList;

interface TargetList extends Spanned {
  readonly kind: 'targets';
  readonly items: readonly Target[];
}

/**
 * One `{{ … }}`, `{% … %}`, `{# … #}` or raw block as it stands in the text. `content` lies between the delimiters
 * (whitespace marks excluded); an unclosed tag ends where its line or the next tag does.
 */
export interface Tag extends Spanned {
  readonly kind: 'output' | 'block' | 'comment' | 'raw';
  readonly content: Span;
  readonly closed: boolean;
  readonly trimBefore: '' | '-' | '+';
  readonly trimAfter: '' | '-' | '+';
}

export type Node =
  | TextNode
  | Output
  | Comment
  | If
  | For
  | Set
  | SetBlock
  | With
  | FilterBlock
  | Autoescape
  | Macro
  | CallBlock
  | TemplateBlock
  | Extends
  | Include
  | Import
  | FromImport
  | Do
  | LoopControl
  | UnknownStatement;

/** A node made of one tag has that tag's span; a block runs from its opening tag to the end of its closing tag. */
interface NodeBase extends Spanned {
  readonly tag: Tag;
}

/** Literal output; the inside of a raw block also (`raw`). */
export interface TextNode extends Spanned {
  readonly kind: 'text';
  readonly raw: boolean;
}

export interface Output extends NodeBase {
  readonly kind: 'output';
  readonly value: Expression;
}

export interface Comment extends NodeBase {
  readonly kind: 'comment';
}

/** The body of a block, from the end of the tag before it to the start of the tag behind it. */
export interface Body extends Spanned {
  readonly nodes: readonly Node[];
}

/** `if` and every `elif`, in order; a missing condition is a second `else`, or one in the wrong place. */
export interface Branch {
  readonly tag: Tag;
  readonly condition: Expression;
  readonly body: Body;
}

export interface If extends NodeBase {
  readonly kind: 'if';
  readonly branches: readonly Branch[];
  readonly otherwise?: Body;
}

export interface For extends NodeBase {
  readonly kind: 'for';
  readonly target: Target;
  readonly iterable: Expression;
  readonly condition?: Expression;
  readonly recursive: boolean;
  readonly body: Body;
  readonly otherwise?: Body;
}

export interface Set extends NodeBase {
  readonly kind: 'set';
  readonly target: Target;
  readonly value: Expression;
}

export interface SetBlock extends NodeBase {
  readonly kind: 'set-block';
  readonly target: Target;
  readonly filter?: Expression;
  readonly body: Body;
}

export interface With extends NodeBase {
  readonly kind: 'with';
  readonly assignments: readonly { readonly target: Target; readonly value: Expression }[];
  readonly body: Body;
}

export interface FilterBlock extends NodeBase {
  readonly kind: 'filter-block';
  readonly filter: Expression;
  readonly body: Body;
}

export interface Autoescape extends NodeBase {
  readonly kind: 'autoescape';
  readonly enabled: Expression;
  readonly body: Body;
}

export interface Parameter {
  readonly name: Name;
  readonly default?: Expression;
}

export interface Macro extends NodeBase {
  readonly kind: 'macro';
  readonly name: Name;
  readonly parameters: readonly Parameter[];
  readonly body: Body;
}

/** `{% call(a, b) dialog() %}…{% endcall %}`: the body becomes the macro's `caller`. */
export interface CallBlock extends NodeBase {
  readonly kind: 'call-block';
  readonly parameters: readonly Parameter[];
  readonly call: Expression;
  readonly body: Body;
}

export interface TemplateBlock extends NodeBase {
  readonly kind: 'block';
  readonly name: Name;
  readonly required: boolean;
  readonly body: Body;
}

export interface Extends extends NodeBase {
  readonly kind: 'extends';
  readonly template: Expression;
}

export interface Include extends NodeBase {
  readonly kind: 'include';
  readonly template: Expression;
  readonly ignoreMissing: boolean;
}

export interface Import extends NodeBase {
  readonly kind: 'import';
  readonly template: Expression;
  readonly target: Target;
}

export interface FromImport extends NodeBase {
  readonly kind: 'from-import';
  readonly template: Expression;
  readonly names: readonly { readonly name: Name; readonly alias?: Name }[];
}

export interface Do extends NodeBase {
  readonly kind: 'do';
  readonly call: Expression;
}

export interface LoopControl extends NodeBase {
  readonly kind: 'break' | 'continue';
}

/** A tag that MiniJinja does not know, or that stands where it means nothing (a stray `endfor`). */
interface UnknownStatement extends NodeBase {
  readonly kind: 'unknown';
  readonly name: Name;
}

export type ProblemKind =
  | 'unclosed-tag'
  | 'unclosed-block'
  | 'unclosed-string'
  | 'stray-tag'
  | 'misplaced-tag'
  | 'unknown-tag'
  | 'duplicate-block'
  | 'unexpected'
  | 'reserved-name'
  | 'bad-character'
  | 'bad-escape'
  | 'bad-number'
  | 'too-deep'
  | 'newer-syntax';

/** One problem of the syntax. `fix`, where there is one, is what the author most probably meant. */
export interface TemplateProblem extends Spanned {
  readonly kind: ProblemKind;
  readonly message: string;
  readonly related: readonly { readonly span: Span; readonly message: string }[];
  readonly fix?: { readonly title: string; readonly edit: TextEdit };
}

/** Syntax that we accept and MiniJinja 2.11 does not; `NEWER_SYNTAX` describes the features. */
export interface NewerUse {
  readonly feature: NewerFeature;
  readonly span: Span;
}

export type NewerFeature = 'loop-controls' | 'required-block' | 'conditional-keyword-argument';

interface Parsed extends Spanned {
  readonly text: string;
  /** The offset of `text` in its file; all spans count from the file's start. */
  readonly base: number;
  /** In document order; empty exactly where MiniJinja would load the template (`newerSyntax` aside). */
  readonly problems: readonly TemplateProblem[];
  readonly newerSyntax: readonly NewerUse[];
}

export interface Template extends Parsed {
  readonly kind: 'template';
  readonly nodes: readonly Node[];
  /** All tags in document order, raw blocks and comments included. */
  readonly tags: readonly Tag[];
}

/** An expression without delimiters, such as a condition. */
export interface TemplateExpression extends Parsed {
  readonly kind: 'expression';
  readonly expression: Expression;
}

// The expressions of the syntax tree.

/** A word; empty, with an empty span, where the author has not typed it yet. */
export interface Name extends Spanned {
  readonly text: string;
}

/** A part of the tree with its place. */
export interface Spanned {
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

export interface MissingExpression extends Spanned {
  readonly kind: 'missing';
}

/** Any use of a variable, `loop` and `self` included. */
export interface NameExpression extends Spanned {
  readonly kind: 'name';
  readonly name: string;
}

/** `content` is what stands between the quotes of a string written as one piece; MiniJinja joins adjacent strings. */
export interface Literal extends Spanned {
  readonly kind: 'literal';
  readonly value: string | number | boolean | null;
  readonly content?: Span;
}

interface Sequence extends Spanned {
  readonly kind: 'list' | 'tuple';
  readonly items: readonly Expression[];
}

interface DictLiteral extends Spanned {
  readonly kind: 'dict';
  readonly entries: readonly { readonly key: Expression; readonly value: Expression }[];
}

interface Unary extends Spanned {
  readonly kind: 'unary';
  readonly operator: 'not' | '-';
  readonly operand: Expression;
}

export type BinaryOperator =
  | ('or' | 'and' | 'in' | 'not in')
  | ('==' | '!=' | '<' | '<=' | '>' | '>=')
  | ('+' | '-' | '~' | '*' | '/' | '//' | '%' | '**');

/** Always left-associative, `**` too. A long chain is a deep tree, so walk it without recursion. */
export interface Binary extends Spanned {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

/** `value if condition else otherwise`; `otherwise` may be left out. */
interface Conditional extends Spanned {
  readonly kind: 'conditional';
  readonly value: Expression;
  readonly condition: Expression;
  readonly otherwise?: Expression;
}

/** `input` is absent for the first filter of `{% filter … %}` and `{% set x | … %}`, which take a block's text. */
export interface FilterCall extends Spanned {
  readonly kind: 'filter';
  readonly input?: Expression;
  readonly name: Name;
  readonly args: readonly Argument[];
}

export interface TestCall extends Spanned {
  readonly kind: 'test';
  readonly input: Expression;
  readonly negated: boolean;
  readonly name: Name;
  readonly args: readonly Argument[];
}

export interface Attribute extends Spanned {
  readonly kind: 'attribute';
  readonly receiver: Expression;
  readonly name: Name;
}

export interface Item extends Spanned {
  readonly kind: 'item';
  readonly receiver: Expression;
  readonly index: Expression;
}

interface Slice extends Spanned {
  readonly kind: 'slice';
  readonly receiver: Expression;
  readonly start?: Expression;
  readonly stop?: Expression;
  readonly step?: Expression;
}

export interface Call extends Spanned {
  readonly kind: 'call';
  readonly callee: Expression;
  readonly args: readonly Argument[];
}

/** `name=value` is a keyword, `*value` a splat, `**value` a keyword splat. */
export interface Argument extends Spanned {
  readonly kind: 'positional' | 'keyword' | 'splat' | 'keyword-splat';
  readonly name?: Name;
  readonly value: Expression;
}

// Walks through a template's tree.

/** The bodies of a node, in the order of the text. */
export function bodiesOf(node: Node): readonly Body[] {
  const bodies = node.kind === 'if' ? node.branches.map(({ body }) => body) : 'body' in node ? [node.body] : [];
  return 'otherwise' in node && node.otherwise ? [...bodies, node.otherwise] : bodies;
}

/** Every node, each before what it holds. Blocks nest no deeper than the parser lets them, so this may recurse. */
export function* allNodes(nodes: readonly Node[]): Iterable<Node> {
  for (const node of nodes) {
    yield node;
    for (const body of bodiesOf(node)) yield* allNodes(body.nodes);
  }
}

/** Makes the problems that parsing finds. */
export type ProblemExtras = Partial<Pick<TemplateProblem, 'related' | 'fix'>>;

export function problemAt(
  kind: ProblemKind,
  span: Span,
  message: string,
  { related = [], fix }: ProblemExtras = {},
): TemplateProblem {
  return { kind, span, message, related, ...(fix && { fix }) };
}

/** A fix that writes `newText` at a place, titled by what it writes. */
export const replacement = (span: Span, newText: string): NonNullable<TemplateProblem['fix']> => ({
  title: `Replace with \`${newText}\``,
  edit: { span, newText },
});
