/**
 * The variables that a macro, or the block of a call, sees of the template around it. MiniJinja 2.11 passes a variable to
 * a macro only if it finds a use of it there, and it overlooks some uses: the value that is sliced, the arguments of
 * `{% filter %}` and `{% set x | … %}`, the target of `{% set ns.x %}`, and included templates.
 */
import type { AssignmentTarget, Body, CallBlock, Expression, Macro, Node, Parameter } from './ast.ts';

/** Returns the names that the engine passes to a macro, or to the block of a call, if the template sets them. Never throws. */
export function closureOf(macro: Macro | CallBlock): ReadonlySet<string> {
  const walk: Walk = { passed: new Set(), assigned: [new Set()] };
  walkMacro(walk, macro, false);
  return walk.passed;
}

/** The walk in the order of the engine, which assigns a target before it reads the value. */
interface Walk {
  readonly passed: Set<string>;
  readonly assigned: Set<string>[];
}

const assign = ({ assigned }: Walk, name: string): void => void assigned.at(-1)?.add(name);

function inside(walk: Walk, work: () => void): void {
  walk.assigned.push(new Set());
  work();
  walk.assigned.pop();
}

const walkBody = (walk: Walk, { nodes }: Body): void => {
  for (const node of nodes) walkNode(walk, node);
};

function walkMacro(
  walk: Walk,
  { parameters, body }: { readonly parameters: readonly Parameter[]; readonly body: Body },
  isInner: boolean,
): void {
  if (isInner) assign(walk, 'caller');
  for (const { name } of parameters) assign(walk, name.text);
  for (const { default: value } of parameters) if (value) visit(walk, value);
  walkBody(walk, body);
}

function walkNode(walk: Walk, node: Node): void {
  switch (node.kind) {
    case 'output':
      visit(walk, node.value);
      break;
    case 'do':
      visit(walk, node.call);
      break;
    case 'if':
      walkBranches(walk, node.branches, node.otherwise);
      break;
    case 'for':
      inside(walk, () => {
        assign(walk, 'loop');
        visit(walk, node.iterable);
        assignTarget(walk, node.target);
        if (node.condition) visit(walk, node.condition);
        walkBody(walk, node.body);
      });
      if (node.otherwise) inside(walk, () => walkBody(walk, node.otherwise as Body));
      break;
    case 'set':
      assignTarget(walk, node.target);
      visit(walk, node.value);
      break;
    case 'set-block':
      assignTarget(walk, node.target);
      inside(walk, () => walkBody(walk, node.body));
      break;
    case 'with':
      inside(walk, () => {
        for (const { target, value } of node.assignments) {
          assignTarget(walk, target);
          visit(walk, value);
        }
        walkBody(walk, node.body);
      });
      break;
    case 'filter-block':
    case 'autoescape':
      inside(walk, () => walkBody(walk, node.body));
      break;
    case 'block':
      inside(walk, () => {
        assign(walk, 'super');
        walkBody(walk, node.body);
      });
      break;
    case 'macro':
      assign(walk, node.name.text);
      inside(walk, () => walkMacro(walk, node, true));
      break;
    case 'call-block':
      visit(walk, node.call);
      inside(walk, () => walkMacro(walk, node, true));
      break;
    case 'import':
      assignTarget(walk, node.target);
      break;
    case 'from-import':
      for (const { name, alias = name } of node.names) assign(walk, alias.text);
      break;
  }
}

/** An `elif` is an `if` in the `else` of the branch before it. */
function walkBranches(
  walk: Walk,
  branches: readonly { readonly condition: Expression; readonly body: Body }[],
  otherwise: Body | undefined,
): void {
  for (const { condition, body } of branches) {
    visit(walk, condition);
    inside(walk, () => walkBody(walk, body));
  }
  if (otherwise) inside(walk, () => walkBody(walk, otherwise));
}

function assignTarget(walk: Walk, target: AssignmentTarget): void {
  if (target.kind === 'name') assign(walk, target.name);
  else if (target.kind === 'targets') for (const item of target.items) assignTarget(walk, item);
}

/** Finds the names in an expression. A chain of operators is a deep tree, which is walked without recursion. */
function visit({ passed, assigned }: Walk, expression: Expression): void {
  const pending = [expression];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    const name = part.kind === 'name' ? part.name : undefined;
    if (name === undefined) pending.push(...partsOf(part));
    else if (!assigned.some((names) => names.has(name))) passed.add(name);
  }
}

/** Returns the parts of an expression in which the engine finds names: not the value of a slice. */
function partsOf(expression: Expression): readonly Expression[] {
  const values = 'args' in expression ? expression.args.map(({ value }) => value) : [];
  switch (expression.kind) {
    case 'list':
    case 'tuple':
      return expression.items;
    case 'dict':
      return expression.entries.flatMap(({ key, value }) => [key, value]);
    case 'unary':
      return [expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    case 'conditional':
      return [expression.condition, expression.value, ...(expression.otherwise ? [expression.otherwise] : [])];
    case 'filter':
      return [...(expression.input ? [expression.input] : []), ...values];
    case 'test':
      return [expression.input, ...values];
    case 'attribute':
      return [expression.receiver];
    case 'item':
      return [expression.receiver, expression.index];
    case 'slice':
      return [expression.start, expression.stop, expression.step].filter((one) => one !== undefined);
    case 'call':
      return [expression.callee, ...values];
    default:
      return [];
  }
}
