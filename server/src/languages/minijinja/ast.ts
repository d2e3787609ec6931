/**
 * The syntax tree of a MiniJinja template. Spans are UTF-16 offsets in the parsed text plus the base offset that
 * `parseTemplate` receives, so the spans of a template in a skill file are offsets in that file.
 */
import type { Span, TextEdit } from '../../text.ts';

/** The target of an assignment: a name, several names (unpacking), or an attribute of a namespace (`set ns.x`). */
export type AssignmentTarget = NameExpression | Attribute | TargetList;

interface TargetList extends Spanned {
  readonly kind: 'targets';
  readonly items: readonly AssignmentTarget[];
}

/**
 * One `{{ … }}`, `{% … %}`, `{# … #}` or raw block. `content` is the text between the delimiters and their whitespace
 * marks. An unclosed tag ends at the end of its line or at the next tag.
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

/** A node with only one tag has that tag's span. A block extends from its opening tag to the end of its closing tag. */
interface NodeBase extends Spanned {
  readonly tag: Tag;
}

/** Literal text, or the content of a raw block (`raw`). */
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

/** The body of a block, from the end of the preceding tag to the start of the following tag. */
export interface Body extends Spanned {
  readonly nodes: readonly Node[];
}

/** A branch of an `if`. A branch with a missing condition is a second or a misplaced `else`. */
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
  readonly target: AssignmentTarget;
  readonly iterable: Expression;
  readonly condition?: Expression;
  readonly recursive: boolean;
  readonly body: Body;
  readonly otherwise?: Body;
}

export interface Set extends NodeBase {
  readonly kind: 'set';
  readonly target: AssignmentTarget;
  readonly value: Expression;
}

export interface SetBlock extends NodeBase {
  readonly kind: 'set-block';
  readonly target: AssignmentTarget;
  readonly filter?: Expression;
  readonly body: Body;
}

export interface With extends NodeBase {
  readonly kind: 'with';
  readonly assignments: readonly { readonly target: AssignmentTarget; readonly value: Expression }[];
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
  readonly target: AssignmentTarget;
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

/** An unknown tag, or a tag without an effect, such as an `endfor` that closes nothing. */
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

/** One syntax problem. `fix` contains the most probable correction. */
export interface TemplateProblem extends Spanned {
  readonly kind: ProblemKind;
  readonly message: string;
  readonly related: readonly { readonly span: Span; readonly message: string }[];
  readonly fix?: { readonly title: string; readonly edit: TextEdit };
}

/** Syntax that this parser accepts and MiniJinja 2.11 does not. `NEWER_SYNTAX` describes the features. */
export interface NewerUse {
  readonly feature: NewerFeature;
  readonly span: Span;
}

export type NewerFeature = 'loop-controls' | 'required-block' | 'conditional-keyword-argument';

interface Parsed extends Spanned {
  readonly text: string;
  /** The offset of `text` in its file. All spans are offsets in the file. */
  readonly base: number;
  /**
   * The problems in document order. The list is empty if and only if MiniJinja loads the template (not counting
   * `newerSyntax`).
   */
  readonly problems: readonly TemplateProblem[];
  readonly newerSyntax: readonly NewerUse[];
}

export interface Template extends Parsed {
  readonly kind: 'template';
  readonly nodes: readonly Node[];
  /** All tags in document order, including raw blocks and comments. */
  readonly tags: readonly Tag[];
}

/** An expression without delimiters, such as a condition. */
export interface TemplateExpression extends Parsed {
  readonly kind: 'expression';
  readonly expression: Expression;
}

// The expressions of the syntax tree.

/** A word. The text and the span are empty if the author has not typed the word yet. */
export interface Name extends Spanned {
  readonly text: string;
}

export interface Spanned {
  readonly span: Span;
}

/** `missing` marks the absence of a required expression, with an empty span. */
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

/** A use of a variable, including `loop` and `self`. */
export interface NameExpression extends Spanned {
  readonly kind: 'name';
  readonly name: string;
}

/** `content` is the text between the quotes. `content` is absent for adjacent strings, which MiniJinja joins. */
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

/** Left-associative, including `**`. A long chain is a deep tree: do not walk it recursively. */
export interface Binary extends Spanned {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

/** `value if condition else otherwise`; `otherwise` is optional. */
interface Conditional extends Spanned {
  readonly kind: 'conditional';
  readonly value: Expression;
  readonly condition: Expression;
  readonly otherwise?: Expression;
}

/**
 * `input` is absent for the first filter of `{% filter … %}` and `{% set x | … %}`, which filter the text of a block.
 */
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

// Traversals of the tree.

/** Returns the bodies of a node in document order. */
export function bodiesOf(node: Node): readonly Body[] {
  const bodies = node.kind === 'if' ? node.branches.map(({ body }) => body) : 'body' in node ? [node.body] : [];
  return 'otherwise' in node && node.otherwise ? [...bodies, node.otherwise] : bodies;
}

/** Yields every node before the nodes it contains. Recursive: the parser limits the depth of blocks. */
export function* allNodes(nodes: readonly Node[]): Iterable<Node> {
  for (const node of nodes) {
    yield node;
    for (const body of bodiesOf(node)) yield* allNodes(body.nodes);
  }
}

/** The optional parts of a problem. */
export type ProblemExtras = Partial<Pick<TemplateProblem, 'related' | 'fix'>>;

/** Returns a problem with its span in the file. */
export function problemAt(
  kind: ProblemKind,
  span: Span,
  message: string,
  { related = [], fix }: ProblemExtras = {},
): TemplateProblem {
  return { kind, span, message, related, ...(fix && { fix }) };
}

/** Returns a fix that replaces the text at `span` with `newText`. */
export const replacement = (span: Span, newText: string): NonNullable<TemplateProblem['fix']> => ({
  title: `Replace with \`${newText}\``,
  edit: { span, newText },
});
