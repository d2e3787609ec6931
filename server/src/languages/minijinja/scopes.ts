/**
 * What the names of a template mean, by MiniJinja's rules. A `for` loop, `with`, macro, `call` and block have
 * variables of their own, and what is set inside them stays there; `if`, `else` of a loop, `filter`, `autoescape` and
 * the body of a `set` block have none, so a `set` inside them holds on. A macro sees everything that its scope defines,
 * even after it, and so does a block of a template that extends another; anything else sees what ran before it.
 */
import { contains, type Span, span } from '../../text.ts';
import type { Body, Expression, For, If, Node, Parameter, Target, Template, TemplateExpression } from './ast.ts';
import { factsOf } from './guards.ts';
import type { DefinitionKind, Scope, Scopes, Variable } from './scope-model.ts';
import { define, type Environment, popScope, pushScope, walkBranches } from './scope-stack.ts';
import { proving, referenceOf, release, type UseWalk, visit, visitTarget } from './uses.ts';

export type { Guard, PathSegment } from './guards.ts';
export type * from './scope-model.ts';

export function resolveScopes(parsed: Template | TemplateExpression): Scopes {
  const environment: Environment = { frames: [], scopes: [], variables: [] };
  const walk: UseWalk = {
    environment,
    uses: [],
    filters: [],
    tests: [],
    functions: [],
    references: [],
    proven: new Map(),
  };
  const root = pushScope(environment, 'root', parsed.span);
  if (parsed.kind === 'expression') visit(walk, parsed.expression, 'truth');
  else {
    const { start } = parsed.span;
    define(environment, { name: 'self', kind: 'self', span: span(start, start), visibleFrom: start });
    walkNodes(
      walk,
      parsed.nodes,
      parsed.nodes.some(({ kind }) => kind === 'extends'),
    );
  }
  popScope(environment);
  const { scopes, variables } = environment;
  const uses = inOrder(walk.uses);
  return {
    scopes: inOrder(scopes),
    variables,
    uses,
    free: uses.filter(({ variable }) => variable === undefined),
    filters: inOrder(walk.filters),
    tests: inOrder(walk.tests),
    functions: inOrder(walk.functions),
    references: inOrder(walk.references),
    exports: root.scope.variables.filter(({ implicit }) => !implicit),
  };
}

/** Macros are walked late; readers want the order of the text. */
const inOrder = <T extends { readonly span: Span }>(items: T[]): T[] =>
  items.sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end);

/** The variables in sight at a place of the file, the nearest of each name. */
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

function walkNodes(walk: UseWalk, nodes: readonly Node[], extending = false): void {
  for (const node of nodes) walkNode(walk, node, extending);
}

/** Blocks nest no deeper than `DEPTH_LIMIT`, so this may recurse. */
function walkNode(walk: UseWalk, node: Node, extending: boolean): void {
  const { environment } = walk;
  switch (node.kind) {
    case 'output':
      visit(walk, node.value, undefined);
      break;
    case 'if':
      walkIf(walk, node);
      break;
    case 'for':
      walkFor(walk, node);
      break;
    case 'set':
      visit(walk, node.value, undefined);
      bind(walk, node.target, 'set', node.span.end, node.value);
      break;
    case 'set-block':
      walkNodes(walk, node.body.nodes);
      if (node.filter !== undefined) visit(walk, node.filter, undefined);
      bind(walk, node.target, 'set', node.span.end);
      break;
    case 'with':
      pushScope(environment, 'with', span(node.tag.content.start, node.body.span.end));
      for (const { target, value } of node.assignments) {
        visit(walk, value, undefined);
        bind(walk, target, 'with', behind(value, node.body), value);
      }
      walkNodes(walk, node.body.nodes);
      popScope(environment);
      break;
    case 'filter-block':
      walkNodes(walk, node.body.nodes);
      visit(walk, node.filter, undefined);
      break;
    case 'autoescape':
      visit(walk, node.enabled, undefined);
      walkNodes(walk, node.body.nodes);
      break;
    case 'macro': {
      const { name, parameters, body, tag } = node;
      define(environment, { name: name.text, kind: 'macro', span: name.span, visibleFrom: tag.span.end });
      defer(walk, () => walkMacro(walk, 'macro', parameters, body, tag.span));
      break;
    }
    case 'call-block':
      visit(walk, node.call, undefined);
      walkMacro(walk, 'call', node.parameters, node.body, node.tag.span);
      break;
    case 'block':
      if (extending) defer(walk, () => walkBlock(walk, node.body, node.tag.span));
      else walkBlock(walk, node.body, node.tag.span);
      break;
    case 'include':
      walk.references.push(referenceOf('include', node.template, node.span, node.ignoreMissing));
      visit(walk, node.template, undefined);
      break;
    case 'extends':
      walk.references.push(referenceOf('extends', node.template, node.span));
      visit(walk, node.template, undefined);
      break;
    case 'import':
      walk.references.push(referenceOf('import', node.template, node.span));
      visit(walk, node.template, undefined);
      bind(walk, node.target, 'import', node.span.end);
      break;
    case 'from-import':
      walk.references.push(referenceOf('from', node.template, node.span));
      visit(walk, node.template, undefined);
      for (const { name, alias = name } of node.names) {
        define(environment, { name: alias.text, kind: 'import', span: alias.span, visibleFrom: node.span.end });
      }
      break;
    case 'do':
      visit(walk, node.call, undefined);
      break;
  }
}

function walkIf(walk: UseWalk, { branches, otherwise }: If): void {
  const shown: string[] = [];
  const bodies = branches.map(({ condition, body }) => () => {
    visit(walk, condition, 'truth');
    proving(walk, factsOf(condition, true), () => walkNodes(walk, body.nodes));
    for (const fact of proving(walk, factsOf(condition, false))) shown.push(fact);
  });
  if (otherwise !== undefined) bodies.push(() => walkNodes(walk, otherwise.nodes));
  walkBranches(walk.environment, bodies, otherwise !== undefined);
  release(walk, shown);
}

function walkFor(walk: UseWalk, { target, iterable, condition, tag, body, otherwise }: For): void {
  const { environment } = walk;
  visit(walk, iterable, undefined);
  pushScope(environment, 'for', span(iterable.span.end, body.span.end));
  bind(walk, target, 'for', behind(iterable, body), iterable);
  if (condition !== undefined) visit(walk, condition, 'truth');
  define(environment, { name: 'loop', kind: 'loop', span: tag.span, visibleFrom: body.span.start });
  const facts = condition === undefined ? [] : factsOf(condition, true);
  proving(walk, facts, () => walkNodes(walk, body.nodes));
  popScope(environment);
  if (otherwise !== undefined) walkBranches(environment, [() => walkNodes(walk, otherwise.nodes)], false);
}

/** A place at the end of a value still belongs to it; where there is none yet, all of the tag does. */
const behind = (value: Expression, body: Body): number =>
  value.kind === 'missing' ? body.span.start : value.span.end + 1;

/** Parameters are bound from the last to the first, so a default sees only the parameters behind its own. */
function walkMacro(
  walk: UseWalk,
  kind: 'macro' | 'call',
  parameters: readonly Parameter[],
  body: Body,
  tag: Span,
): void {
  const { environment } = walk;
  pushScope(
    environment,
    kind,
    span(Math.min(parameters[0]?.name.span.start ?? body.span.start, body.span.start), body.span.end),
  );
  for (const { name, default: value } of [...parameters].reverse()) {
    if (value !== undefined) visit(walk, value, undefined);
    define(environment, { name: name.text, kind: 'parameter', span: name.span, visibleFrom: body.span.start, value });
  }
  define(environment, { name: 'caller', kind: 'caller', span: tag, visibleFrom: body.span.start });
  walkNodes(walk, body.nodes);
  popScope(environment);
}

function walkBlock(walk: UseWalk, body: Body, tag: Span): void {
  const { environment } = walk;
  pushScope(environment, 'block', body.span);
  define(environment, { name: 'super', kind: 'super', span: tag, visibleFrom: body.span.start });
  walkNodes(walk, body.nodes);
  popScope(environment);
}

/** Postpones a walk to the end of the innermost scope; what conditions show here still holds then. */
function defer(walk: UseWalk, late: () => void): void {
  const shown = walk.proven.size > 200 ? [] : [...walk.proven.keys()];
  walk.environment.frames.at(-1)?.deferred.push(() => proving(walk, shown, late));
}

/** Binds the names of a target; the receiver of `ns.x` is a use. */
function bind(walk: UseWalk, target: Target, kind: DefinitionKind, visibleFrom: number, value?: Expression): void {
  if (target.kind === 'name') {
    define(walk.environment, { name: target.name, kind, span: target.span, visibleFrom, value });
  } else if (target.kind === 'attribute') visitTarget(walk, target);
  else for (const item of target.items) bind(walk, item, kind, visibleFrom);
}
