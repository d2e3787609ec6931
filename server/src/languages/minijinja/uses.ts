/** The uses of names in an expression, in the order in which it runs, with what its conditions show on the way. */
import type { Span } from '../../text.ts';
import type { Argument, Attribute, Expression, FilterCall } from './ast.ts';
import { type Guard, keyOf, keysProvenBy, type PathSegment, pathOf } from './defined-names.ts';
import type { FilterUse, FunctionUse, TemplateReference, TestUse, Use } from './scope-model.ts';
import type { ScopeStack } from './scopes.ts';

type Step =
  | { readonly visit: Expression; readonly guard: Guard | undefined }
  | { readonly prove: readonly string[] }
  | { readonly release: readonly string[] };

/** Collects what the expressions of a template use, at the places that a walk through it reaches. */
export class UseWalk {
  readonly scopes: ScopeStack;
  readonly uses: Use[] = [];
  readonly filters: FilterUse[] = [];
  readonly tests: TestUse[] = [];
  readonly functions: FunctionUse[] = [];
  readonly references: TemplateReference[] = [];
  /** How often each key has been shown to be defined, at the place that the walk has reached. */
  readonly proven = new Map<string, number>();

  constructor(scopes: ScopeStack) {
    this.scopes = scopes;
  }

  /** The names of these keys are defined from here on, until `release`. */
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

  /** Visits an expression without recursion, since a long chain of operators is a deep tree. */
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

/** What an expression uses itself is recorded; its parts are returned, in the order in which they run. */
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
  role: Use['role'],
): Use {
  const { variable, certain } = walk.scopes.lookUp(name);
  const key = keyOf(name, path);
  const known = walk.proven.has(name);
  const pathKnown = key !== undefined && walk.proven.has(key);
  const use: Use = {
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

/** `a and b and c`: each operand runs only if those before it were true; all but the last are tested for truth. */
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

/** Filters and tests that are named by a string: `map("upper")`, `select("odd")`, `selectattr("age", "odd")`. */
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

/** The target of `{% set ns.x = … %}`: the namespace is used, and must exist. */
export function visitTarget(walk: UseWalk, target: Attribute): void {
  const { base, segments } = pathOf(target);
  if (base.kind === 'name') record(walk, base.name, base.span, segments, undefined, 'assign');
  else walk.visit(base);
}

/** The templates that a statement names as constants. */
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
