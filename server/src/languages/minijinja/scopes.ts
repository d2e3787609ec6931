/**
 * Resolves the names in a template as MiniJinja does. `for`, `with`, macro, `call` and block have their own variables.
 * `if`, `else` of a loop, `filter`, `autoescape` and the body of a `set` block are not scopes: a `set` inside such a
 * block is visible after the block. A macro, and a block of a template with `extends`, sees all definitions in its
 * scope, even later definitions. Everything else sees only the definitions that ran before it.
 */
import { contains, type Span, span } from '../../text.ts';
import type * as ast from './ast.ts';
import type {
  Argument,
  AssignmentTarget,
  Attribute,
  Body,
  Expression,
  FilterCall,
  Node,
  Template,
  TemplateExpression,
} from './ast.ts';
import { type Guard, keyOf, keysProvenBy, type PathSegment, pathOf } from './defined-names.ts';
import type {
  Definition,
  DefinitionKind,
  FilterUse,
  FunctionUse,
  NameUse,
  Scope,
  Scopes,
  TemplateReference,
  TestUse,
  Variable,
} from './scope-model.ts';

export type * from './scope-model.ts';

/** Returns the scopes of a template or condition. Never throws. All spans are offsets in the file. */
export function resolveScopes(parsed: Template | TemplateExpression): Scopes {
  const stack = new ScopeStack(parsed.span);
  const walk = new UseWalk(stack);
  if (parsed.kind === 'expression') walk.visit(parsed.expression, 'truth');
  else {
    const { start } = parsed.span;
    stack.define({ name: 'self', kind: 'self', span: span(start, start), visibleFrom: start });
    const isExtending = parsed.nodes.some(({ kind }) => kind === 'extends');
    for (const node of parsed.nodes) walkNode(walk, node, isExtending);
  }
  stack.pop();
  const { scopes, variables } = stack;
  const uses = inOrder(walk.uses);
  return {
    scopes: inOrder(scopes),
    variables,
    uses,
    undefinedUses: uses.filter(({ variable }) => variable === undefined),
    filters: inOrder(walk.filters),
    tests: inOrder(walk.tests),
    functions: inOrder(walk.functions),
    references: inOrder(walk.references),
    exports: variables.filter(({ scope, implicit }) => scope.kind === 'root' && !implicit),
  };
}

/** Sorts items by position, because macros are walked last. */
const inOrder = <T extends { readonly span: Span }>(items: T[]): T[] =>
  items.sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end);

/** Returns the variables that are visible at an offset in the file. An inner variable hides an outer variable. */
export function visibleAt({ scopes }: Scopes, offset: number): readonly Variable[] {
  const around = scopes.filter(
    ({ kind, span: place }) => kind === 'root' || (place.start <= offset && offset <= place.end),
  );
  const found = new Map<string, Variable>();
  for (const scope of around.reverse()) {
    const late = around.some((inner) => inner.kind === 'macro' && isInside(inner, scope));
    for (const variable of scope.variables) {
      const holds = late || variable.definitions.some(({ visibleFrom }) => visibleFrom <= offset);
      if (holds && !found.has(variable.name)) found.set(variable.name, variable);
    }
  }
  return [...found.values()];
}

const isInside = (inner: Scope, outer: Scope) => inner !== outer && contains(outer.span, inner.span);

const walkBody = (walk: UseWalk, { nodes }: Body): void => {
  for (const node of nodes) walkNode(walk, node);
};

/** Walks a node recursively (`DEPTH_LIMIT` limits the depth). `isExtending` applies only to top-level nodes. */
function walkNode(walk: UseWalk, node: Node, isExtending = false): void {
  const { scopes } = walk;
  switch (node.kind) {
    case 'output':
      walk.visit(node.value);
      break;
    case 'if':
      walkIf(walk, node);
      break;
    case 'for':
      walkFor(walk, node);
      break;
    case 'set':
      walk.visit(node.value);
      bind(walk, node.target, 'set', node.span.end, node.value);
      break;
    case 'set-block':
      walkBody(walk, node.body);
      if (node.filter !== undefined) walk.visit(node.filter);
      bind(walk, node.target, 'set', node.span.end);
      break;
    case 'with':
      scopes.push('with', span(node.tag.content.start, node.body.span.end));
      for (const { target, value } of node.assignments) {
        walk.visit(value);
        bind(walk, target, 'with', firstOffsetAfter(value, node.body), value);
      }
      walkBody(walk, node.body);
      scopes.pop();
      break;
    case 'filter-block':
      walkBody(walk, node.body);
      walk.visit(node.filter);
      break;
    case 'autoescape':
      walk.visit(node.enabled);
      walkBody(walk, node.body);
      break;
    case 'macro': {
      const { name, tag } = node;
      scopes.define({ name: name.text, kind: 'macro', span: name.span, visibleFrom: tag.span.end });
      defer(walk, () => walkMacro(walk, 'macro', node));
      break;
    }
    case 'call-block':
      walk.visit(node.call);
      walkMacro(walk, 'call', node);
      break;
    case 'block':
      if (isExtending) defer(walk, () => walkBlock(walk, node));
      else walkBlock(walk, node);
      break;
    case 'include':
    case 'extends':
    case 'import':
    case 'from-import':
      walkLoading(walk, node);
      break;
    case 'do':
      walk.visit(node.call);
      break;
  }
}

function walkIf(walk: UseWalk, { branches, otherwise }: ast.If): void {
  const proven: string[] = [];
  const bodies = branches.map(({ condition, body }) => () => {
    walk.visit(condition, 'truth');
    walkProven(walk, keysProvenBy(condition, true), () => walkBody(walk, body));
    const keys = keysProvenBy(condition, false);
    walk.prove(keys);
    for (const key of keys) proven.push(key);
  });
  if (otherwise !== undefined) bodies.push(() => walkBody(walk, otherwise));
  walk.scopes.walkBranches(bodies, otherwise !== undefined);
  walk.release(proven);
}

function walkFor(walk: UseWalk, { target, iterable, condition, tag, body, otherwise }: ast.For): void {
  const { scopes } = walk;
  walk.visit(iterable);
  scopes.push('for', span(iterable.span.end, body.span.end));
  bind(walk, target, 'for', firstOffsetAfter(iterable, body), iterable);
  if (condition !== undefined) walk.visit(condition, 'truth');
  scopes.define({ name: 'loop', kind: 'loop', span: tag.span, visibleFrom: body.span.start });
  walkProven(walk, condition === undefined ? [] : keysProvenBy(condition, true), () => walkBody(walk, body));
  scopes.pop();
  if (otherwise !== undefined) scopes.walkBranches([() => walkBody(walk, otherwise)], false);
}

/** Returns the first offset after a value. For a missing value, this is the first offset after the tag. */
const firstOffsetAfter = (value: Expression, body: Body): number =>
  value.kind === 'missing' ? body.span.start : value.span.end + 1;

/** Walks a macro. MiniJinja binds the last parameter first, so a default sees only later parameters. */
function walkMacro(walk: UseWalk, kind: 'macro' | 'call', { parameters, body, tag }: ast.Macro | ast.CallBlock): void {
  const { scopes } = walk;
  const { start, end } = body.span;
  scopes.push(kind, span(Math.min(parameters[0]?.name.span.start ?? start, start), end));
  for (const { name, default: value } of parameters.toReversed()) {
    if (value !== undefined) walk.visit(value);
    scopes.define({ name: name.text, kind: 'parameter', span: name.span, visibleFrom: start, value });
  }
  scopes.define({ name: 'caller', kind: 'caller', span: tag.span, visibleFrom: start });
  walkBody(walk, body);
  scopes.pop();
}

function walkBlock(walk: UseWalk, { body, tag }: ast.TemplateBlock): void {
  const { scopes } = walk;
  scopes.push('block', body.span);
  scopes.define({ name: 'super', kind: 'super', span: tag.span, visibleFrom: body.span.start });
  walkBody(walk, body);
  scopes.pop();
}

function walkLoading(walk: UseWalk, node: ast.Include | ast.Extends | ast.Import | ast.FromImport): void {
  const { kind, template, span: place } = node;
  const statement = kind === 'from-import' ? 'from' : kind;
  walk.references.push(referenceOf(statement, template, place, kind === 'include' && node.ignoreMissing));
  walk.visit(template);
  if (kind === 'import') bind(walk, node.target, 'import', place.end);
  if (kind !== 'from-import') return;
  for (const { name, alias = name } of node.names) {
    walk.scopes.define({ name: alias.text, kind: 'import', span: alias.span, visibleFrom: place.end });
  }
}

/** Calls `inside`, which walks code that runs only if the names of these keys are defined. */
function walkProven(walk: UseWalk, keys: readonly string[], inside: () => void): void {
  walk.prove(keys);
  inside();
  walk.release(keys);
}

const MAX_KEPT = 200;

/**
 * Postpones a walk to the end of the innermost scope. Names that are proven to be defined now are also proven during
 * that walk.
 */
function defer(walk: UseWalk, late: () => void): void {
  const keys = walk.proven.size > MAX_KEPT ? [] : [...walk.proven.keys()];
  walk.scopes.defer(() => walkProven(walk, keys, late));
}

/** Defines the names of a target. The receiver of `ns.x` is a use. */
function bind(
  walk: UseWalk,
  target: AssignmentTarget,
  kind: DefinitionKind,
  visibleFrom: number,
  value?: Expression,
): void {
  if (target.kind === 'name') {
    walk.scopes.define({ name: target.name, kind, span: target.span, visibleFrom, value });
  } else if (target.kind === 'attribute') visitTarget(walk, target);
  else for (const item of target.items) bind(walk, item, kind, visibleFrom);
}

// The variables that are visible during the walk, which follows the order of execution.

interface OpenScope extends Scope {
  readonly variables: OpenVariable[];
}

interface OpenVariable extends Variable {
  readonly definitions: Definition[];
  readonly uses: NameUse[];
}

/**
 * A scope during the walk. A layer maps the names that one branch has defined so far to whether the definition
 * is certain.
 */
interface ScopeFrame {
  readonly scope: OpenScope;
  readonly byName: Map<string, OpenVariable>;
  readonly layers: Map<string, boolean>[];
  /** The walks of macro bodies, which also see later definitions in their scope. */
  readonly deferred: (() => void)[];
  finished: boolean;
}

interface NewDefinition {
  readonly name: string;
  readonly kind: DefinitionKind;
  readonly span: Span;
  readonly visibleFrom: number;
  readonly value?: Expression | undefined;
}

const IMPLICIT: ReadonlySet<DefinitionKind> = new Set(['loop', 'caller', 'self', 'super']);

class ScopeStack {
  readonly scopes: OpenScope[] = [];
  readonly variables: OpenVariable[] = [];
  /** The scopes at the current position of the walk, innermost last. Never empty. */
  private readonly frames: ScopeFrame[] = [];

  constructor(root: Span) {
    this.push('root', root);
  }

  private get frame(): ScopeFrame {
    return this.frames.at(-1) as ScopeFrame;
  }

  push(kind: Scope['kind'], span: Span): void {
    const scope: OpenScope = { kind, span, variables: [], parent: this.frames.at(-1)?.scope };
    this.scopes.push(scope);
    this.frames.push({ scope, byName: new Map(), layers: [new Map()], deferred: [], finished: false });
  }

  /** Runs the postponed walks of the innermost scope and closes it. */
  pop(): void {
    const { frame } = this;
    frame.finished = true;
    for (const walk of frame.deferred) walk();
    this.frames.pop();
  }

  /** Postpones a walk to the end of the innermost scope. */
  defer(walk: () => void): void {
    this.frame.deferred.push(walk);
  }

  /** Adds a definition of a name to the innermost scope. */
  define({ name, kind, span, visibleFrom, value }: NewDefinition): void {
    if (name === '') return;
    const { scope, byName, layers } = this.frame;
    let variable = byName.get(name);
    if (variable === undefined) {
      variable = { name, scope, definitions: [], uses: [], implicit: IMPLICIT.has(kind) };
      byName.set(name, variable);
      scope.variables.push(variable);
      this.variables.push(variable);
    }
    variable.definitions.push({ kind, span, visibleFrom, value });
    layers.at(-1)?.set(name, true);
  }

  /** Returns the variable with a name. Without a certain definition, the value may come from outside the template. */
  lookUp(name: string): { variable: OpenVariable | undefined; certain: boolean } {
    let found: OpenVariable | undefined;
    for (const frame of this.frames.toReversed()) {
      const variable = frame.byName.get(name);
      const certainty = variable && (frame.finished || certaintyIn(frame, name));
      if (certainty === undefined) continue;
      found ??= variable;
      if (certainty) return { variable: found, certain: true };
    }
    return { variable: found, certain: false };
  }

  /**
   * Walks alternative branches, whose definitions stay visible. Exactly one branch runs if `exhaustive`, otherwise at
   * most one.
   */
  walkBranches(branches: readonly (() => void)[], exhaustive: boolean): void {
    const { layers } = this.frame;
    const defined = new Map<string, number>();
    for (const walk of branches) {
      const layer = new Map<string, boolean>();
      layers.push(layer);
      walk();
      layers.pop();
      for (const [name, certain] of layer) defined.set(name, (defined.get(name) ?? 0) + (certain ? 1 : 0));
    }
    const outer = layers.at(-1);
    for (const [name, times] of defined) {
      const certain = exhaustive && times === branches.length;
      outer?.set(name, certain || outer.get(name) === true);
    }
  }
}

/** Returns true if the current branches certainly define a name, false if they may, undefined if they do not. */
function certaintyIn({ layers }: ScopeFrame, name: string): boolean | undefined {
  let certainty: boolean | undefined;
  for (const layer of layers) {
    if (layer.has(name)) certainty ||= layer.get(name);
  }
  return certainty;
}

// The uses of names in an expression, in the order of execution, with the names that its conditions prove.

type Step =
  | { readonly visit: Expression; readonly guard: Guard | undefined }
  | { readonly prove: readonly string[] }
  | { readonly release: readonly string[] };

/** Collects the uses of variables, filters, tests, functions and templates during the walk. */
class UseWalk {
  readonly scopes: ScopeStack;
  readonly uses: NameUse[] = [];
  readonly filters: FilterUse[] = [];
  readonly tests: TestUse[] = [];
  readonly functions: FunctionUse[] = [];
  readonly references: TemplateReference[] = [];
  /** The number of enclosing conditions that prove each key, at the current position of the walk. */
  readonly proven = new Map<string, number>();

  constructor(scopes: ScopeStack) {
    this.scopes = scopes;
  }

  /** Marks the names of these keys as defined until `release`. */
  prove(keys: readonly string[]): void {
    for (const key of keys) this.proven.set(key, (this.proven.get(key) ?? 0) + 1);
  }

  release(keys: readonly string[]): void {
    for (const key of keys) {
      const times = (this.proven.get(key) ?? 0) - 1;
      if (times > 0) this.proven.set(key, times);
      else this.proven.delete(key);
    }
  }

  /** Visits an expression without recursion, because a long chain of operators is a deep tree. */
  visit(expression: Expression, guard?: Guard): void {
    const pending: Step[] = [{ visit: expression, guard }];
    for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
      if ('prove' in step) this.prove(step.prove);
      else if ('release' in step) this.release(step.release);
      else for (const next of stepsOf(this, step.visit, step.guard).reverse()) pending.push(next);
    }
  }
}

const unguarded = (expression: Expression): Step => ({ visit: expression, guard: undefined });
const values = (args: readonly Argument[]): Step[] => args.map(({ value }) => unguarded(value));

/** Records the uses in an expression, except those in its parts, and returns the parts in the order of execution. */
function stepsOf(walk: UseWalk, expression: Expression, guard: Guard | undefined): Step[] {
  switch (expression.kind) {
    case 'missing':
    case 'literal':
      return [];
    case 'name':
    case 'attribute':
    case 'item':
      return stepsOfPath(walk, expression, guard);
    case 'list':
    case 'tuple':
      return expression.items.map(unguarded);
    case 'dict':
      return expression.entries.flatMap(({ key, value }) => [unguarded(key), unguarded(value)]);
    case 'unary':
      return [{ visit: expression.operand, guard: expression.operator === 'not' ? 'truth' : undefined }];
    case 'binary':
      if (expression.operator === 'and' || expression.operator === 'or') return stepsOfLogic(expression, guard);
      return [unguarded(expression.left), unguarded(expression.right)];
    case 'conditional': {
      const { condition, value, otherwise } = expression;
      const yes = keysProvenBy(condition, true);
      const no = keysProvenBy(condition, false);
      const rest: Step[] = otherwise === undefined ? [] : [{ prove: no }, { visit: otherwise, guard }, { release: no }];
      return [{ visit: condition, guard: 'truth' }, { prove: yes }, { visit: value, guard }, { release: yes }, ...rest];
    }
    case 'filter':
      return stepsOfFilter(walk, expression);
    case 'test': {
      const { name, input, args } = expression;
      if (name.text !== '') walk.tests.push({ name: name.text, span: name.span, call: expression });
      const asks = name.text === 'defined' || name.text === 'undefined';
      return [{ visit: input, guard: asks ? 'defined' : undefined }, ...values(args)];
    }
    case 'slice': {
      const parts = [expression.receiver, expression.start, expression.stop, expression.step];
      return parts.flatMap((part) => (part === undefined ? [] : [unguarded(part)]));
    }
    case 'call':
      return stepsOfCall(walk, expression);
  }
}

function stepsOfPath(walk: UseWalk, expression: Expression, guard: Guard | undefined, called = false): Step[] {
  const { base, segments } = pathOf(expression, called);
  if (base.kind === 'name') {
    record(walk, base.name, base.span, segments, guard, called && segments.length === 0 ? 'call' : 'read');
    return [];
  }
  return base.kind === 'item' ? [unguarded(base.receiver), unguarded(base.index)] : [unguarded(base)];
}

function record(
  walk: UseWalk,
  name: string,
  span: Span,
  path: readonly PathSegment[],
  guard: Guard | undefined,
  role: NameUse['role'],
): NameUse {
  const { variable, certain } = walk.scopes.lookUp(name);
  const key = keyOf(name, path);
  const known = walk.proven.has(name);
  const pathKnown = key !== undefined && walk.proven.has(key);
  const use: NameUse = {
    name,
    span,
    role,
    variable,
    certain,
    path,
    guard: guard ?? (pathKnown ? 'proven' : undefined),
    guarded: known || (guard !== undefined && path.length === 0),
    pathGuarded: pathKnown || guard !== undefined,
  };
  variable?.uses.push(use);
  walk.uses.push(use);
  return use;
}

/**
 * Returns the steps of `a and b and c`, in which an operand runs only if the previous operands are true. The truth of
 * all operands but the last is tested.
 */
function stepsOfLogic(expression: Expression & { kind: 'binary' }, guard: Guard | undefined): Step[] {
  const { operator } = expression;
  const operands = [expression.right];
  let { left } = expression;
  for (; left.kind === 'binary' && left.operator === operator; left = left.left) operands.push(left.right);
  const steps: Step[] = [];
  const proven: string[] = [];
  for (const operand of [left, ...operands.slice(1).reverse()]) {
    const keys = keysProvenBy(operand, operator === 'and');
    steps.push({ visit: operand, guard: 'truth' }, { prove: keys });
    for (const key of keys) proven.push(key);
  }
  steps.push({ visit: expression.right, guard: guard && 'truth' }, { release: proven });
  return steps;
}

function stepsOfFilter(walk: UseWalk, expression: FilterCall): Step[] {
  const { name, input, args } = expression;
  if (name.text !== '') walk.filters.push({ name: name.text, span: name.span, call: expression });
  namedByString(walk, name.text, args);
  const supplied = name.text === 'default' || name.text === 'd';
  const first: Step[] = input === undefined ? [] : [{ visit: input, guard: supplied ? 'default' : undefined }];
  return [...first, ...values(args)];
}

/** Records a filter or test that a string names: `map("upper")`, `select("odd")`, `selectattr("age", "odd")`. */
function namedByString(walk: UseWalk, filter: string, args: readonly Argument[]): void {
  const takesTest = filter === 'select' || filter === 'reject';
  const takesAttribute = filter === 'selectattr' || filter === 'rejectattr';
  if (!takesTest && !takesAttribute && filter !== 'map') return;
  const argument = args[takesAttribute ? 1 : 0];
  if (argument?.kind !== 'positional' || argument.value.kind !== 'literal') return;
  const { value, content } = argument.value;
  if (typeof value !== 'string' || content === undefined) return;
  (filter === 'map' ? walk.filters : walk.tests).push({ name: value, span: content, call: undefined });
}

function stepsOfCall(walk: UseWalk, expression: Expression & { kind: 'call' }): Step[] {
  const { callee, args } = expression;
  if (callee.kind === 'name') {
    const use = record(walk, callee.name, callee.span, [], undefined, 'call');
    walk.functions.push({ name: callee.name, span: callee.span, args, call: expression, use });
    return values(args);
  }
  if (callee.kind === 'attribute') return [...stepsOfPath(walk, callee, undefined, true), ...values(args)];
  return [unguarded(callee), ...values(args)];
}

/** Records the namespace of `{% set ns.x = … %}` as a use, because it must exist. */
function visitTarget(walk: UseWalk, target: Attribute): void {
  const { base, segments } = pathOf(target);
  if (base.kind === 'name') record(walk, base.name, base.span, segments, undefined, 'assign');
  else walk.visit(base);
}

/**
 * Returns the templates that a statement names as constants. `template` is the expression for the name, and `span`
 * is the span of the statement.
 */
export function referenceOf(
  statement: TemplateReference['statement'],
  template: Expression,
  span: Span,
  ignoreMissing = false,
): TemplateReference {
  const names: TemplateReference['names'][number][] = [];
  let dynamic = false;
  const pending = [template];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (part.kind === 'literal' && typeof part.value === 'string') {
      names.push({ name: part.value, span: part.span, content: part.content });
    } else if (part.kind === 'list' || part.kind === 'tuple') {
      for (const item of part.items.toReversed()) pending.push(item);
    } else if (part.kind === 'conditional') {
      if (part.otherwise !== undefined) pending.push(part.otherwise);
      pending.push(part.value);
    } else if (part.kind !== 'missing') dynamic = true;
  }
  return { statement, span, names, dynamic, ignoreMissing };
}
