/** The uses of names in an expression, in the order in which it runs, with what its conditions show on the way. */
import type { Span } from '../../text.ts';
import type { Argument, Attribute, Expression, FilterCall, Target } from './ast.ts';
import { factsOf, type Guard, keyOf, type PathSegment, pathOf } from './guards.ts';
import type { FilterUse, FunctionUse, TemplateReference, TestUse, Use } from './scope-model.ts';
import { type Environment, lookUp } from './scope-stack.ts';

export interface UseWalk {
  readonly environment: Environment;
  readonly uses: Use[];
  readonly filters: FilterUse[];
  readonly tests: TestUse[];
  readonly functions: FunctionUse[];
  readonly references: TemplateReference[];
  /** How often each key has been shown to be defined, at the place that the walk has reached. */
  readonly proven: Map<string, number>;
}

/** Holds the facts while `inside` runs; without `inside` until `release`. */
export function proving(walk: UseWalk, facts: readonly string[], inside?: () => void): readonly string[] {
  for (const fact of facts) walk.proven.set(fact, (walk.proven.get(fact) ?? 0) + 1);
  if (inside === undefined) return facts;
  inside();
  release(walk, facts);
  return facts;
}

export function release(walk: UseWalk, facts: readonly string[]): void {
  for (const fact of facts) {
    const times = (walk.proven.get(fact) ?? 0) - 1;
    if (times > 0) walk.proven.set(fact, times);
    else walk.proven.delete(fact);
  }
}

type Step =
  | { readonly visit: Expression; readonly guard: Guard | undefined }
  | { readonly prove: readonly string[] }
  | { readonly release: readonly string[] };

/** Visits an expression without recursion: a chain of a hundred thousand operators is a tree as deep. */
export function visit(walk: UseWalk, expression: Expression, guard: Guard | undefined): void {
  const pending: Step[] = [{ visit: expression, guard }];
  for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
    if ('prove' in step) proving(walk, step.prove);
    else if ('release' in step) release(walk, step.release);
    else {
      const steps = stepsOf(walk, step.visit, step.guard);
      for (let i = steps.length - 1; i >= 0; i--) pending.push(steps[i] as Step);
    }
  }
}

const plain = (expression: Expression): Step => ({ visit: expression, guard: undefined });
const values = (args: readonly Argument[]): Step[] => args.map(({ value }) => plain(value));

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
      return expression.items.map(plain);
    case 'dict':
      return expression.entries.flatMap(({ key, value }) => [plain(key), plain(value)]);
    case 'unary':
      return [{ visit: expression.operand, guard: expression.operator === 'not' ? 'truth' : undefined }];
    case 'binary':
      if (expression.operator === 'and' || expression.operator === 'or') return stepsOfLogic(expression, guard);
      return [plain(expression.left), plain(expression.right)];
    case 'conditional': {
      const { condition, value, otherwise } = expression;
      const [yes, no] = [factsOf(condition, true), factsOf(condition, false)];
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
      return parts.flatMap((part) => (part === undefined ? [] : [plain(part)]));
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
  return base.kind === 'item' ? [plain(base.receiver), plain(base.index)] : [plain(base)];
}

function record(
  walk: UseWalk,
  name: string,
  span: Span,
  path: readonly PathSegment[],
  guard: Guard | undefined,
  role: Use['role'],
): Use {
  const { variable, certain } = lookUp(walk.environment, name);
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

/** `a and b and c`: each operand runs only if those before it were true, and is asked for its truth, but for the last. */
function stepsOfLogic(expression: Expression & { kind: 'binary' }, guard: Guard | undefined): Step[] {
  const { operator } = expression;
  const operands = [expression.right];
  let left = expression.left;
  for (; left.kind === 'binary' && left.operator === operator; left = left.left) operands.push(left.right);
  operands.push(left);
  operands.reverse();
  const steps: Step[] = [];
  const shown: (readonly string[])[] = [];
  operands.forEach((operand, i) => {
    const last = i === operands.length - 1;
    steps.push({ visit: operand, guard: last && guard === undefined ? undefined : 'truth' });
    const facts = last ? [] : factsOf(operand, operator === 'and');
    steps.push({ prove: facts });
    shown.push(facts);
  });
  return [...steps, ...shown.map((facts) => ({ release: facts }))];
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
  return [plain(callee), ...values(args)];
}

/** The target of `{% set ns.x = … %}`: the namespace is used, and must exist. */
export function visitTarget(walk: UseWalk, target: Target & { kind: 'attribute' }): void {
  const { base, segments } = pathOf(target as Attribute);
  if (base.kind === 'name') record(walk, base.name, base.span, segments, undefined, 'assign');
  else visit(walk, base, undefined);
}

/** The templates that a statement names, as far as they are written down. */
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
