/**
 * What the names of a template mean, by MiniJinja's rules. A `for` loop, `with`, macro, `call` and block have
 * variables of their own, and what is set inside them stays there; `if`, `else` of a loop, `filter`, `autoescape` and
 * the body of a `set` block have none, so a `set` inside them holds on. A macro sees everything that its scope defines,
 * even after it, and so does a block of a template that extends another; anything else sees what ran before it.
 */
import { contains, type Span, span } from '../../text.ts';
import type * as ast from './ast.ts';
import type { Body, Expression, Node, Target, Template, TemplateExpression } from './ast.ts';
import { keysProvenBy } from './defined-names.ts';
import type { Definition, DefinitionKind, Scope, Scopes, Use, Variable } from './scope-model.ts';
import { referenceOf, UseWalk, visitTarget } from './uses.ts';

export type * from './scope-model.ts';

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
    free: uses.filter(({ variable }) => variable === undefined),
    filters: inOrder(walk.filters),
    tests: inOrder(walk.tests),
    functions: inOrder(walk.functions),
    references: inOrder(walk.references),
    exports: variables.filter(({ scope, implicit }) => scope.kind === 'root' && !implicit),
  };
}

/** Sorted by place, since macros are walked late. */
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

const walkBody = (walk: UseWalk, { nodes }: Body): void => {
  for (const node of nodes) walkNode(walk, node);
};

/** Blocks nest no deeper than `DEPTH_LIMIT`, so this may recurse. Only top nodes may be of a template that extends one. */
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
        bind(walk, target, 'with', behind(value, node.body), value);
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
  bind(walk, target, 'for', behind(iterable, body), iterable);
  if (condition !== undefined) walk.visit(condition, 'truth');
  scopes.define({ name: 'loop', kind: 'loop', span: tag.span, visibleFrom: body.span.start });
  walkProven(walk, condition === undefined ? [] : keysProvenBy(condition, true), () => walkBody(walk, body));
  scopes.pop();
  if (otherwise !== undefined) scopes.walkBranches([() => walkBody(walk, otherwise)], false);
}

/** A place at the end of a value still belongs to it; where there is none yet, all of the tag does. */
const behind = (value: Expression, body: Body): number =>
  value.kind === 'missing' ? body.span.start : value.span.end + 1;

/** Parameters are bound from the last to the first, so a default sees only the parameters behind its own. */
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

function walkBlock(walk: UseWalk, { body, tag }: ast.Block): void {
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

/** Walks what runs only where the names of these keys are defined. */
function walkProven(walk: UseWalk, keys: readonly string[], inside: () => void): void {
  walk.prove(keys);
  inside();
  walk.release(keys);
}

const MAX_KEPT = 200;

/** Postpones a walk to the end of the innermost scope; what conditions show here still holds then. */
function defer(walk: UseWalk, late: () => void): void {
  const keys = walk.proven.size > MAX_KEPT ? [] : [...walk.proven.keys()];
  walk.scopes.defer(() => walkProven(walk, keys, late));
}

/** Binds the names of a target; the receiver of `ns.x` is a use. */
function bind(walk: UseWalk, target: Target, kind: DefinitionKind, visibleFrom: number, value?: Expression): void {
  if (target.kind === 'name') {
    walk.scopes.define({ name: target.name, kind, span: target.span, visibleFrom, value });
  } else if (target.kind === 'attribute') visitTarget(walk, target);
  else for (const item of target.items) bind(walk, item, kind, visibleFrom);
}

// The variables in sight while a template is walked in the order in which it runs.

interface OpenScope extends Scope {
  readonly variables: OpenVariable[];
}

interface OpenVariable extends Variable {
  readonly definitions: Definition[];
  readonly uses: Use[];
}

/** A scope that is being walked. A layer holds what one branch has defined so far, and whether for certain. */
interface Frame {
  readonly scope: OpenScope;
  readonly byName: Map<string, OpenVariable>;
  readonly layers: Map<string, boolean>[];
  /** Bodies of macros: they see what their scope defines after them as well. */
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

export class ScopeStack {
  readonly scopes: OpenScope[] = [];
  readonly variables: OpenVariable[] = [];
  /** The scopes around the place that the walk has reached, the innermost last; never empty. */
  private readonly frames: Frame[] = [];

  constructor(root: Span) {
    this.push('root', root);
  }

  private get frame(): Frame {
    return this.frames.at(-1) as Frame;
  }

  push(kind: Scope['kind'], span: Span): void {
    const scope: OpenScope = { kind, span, variables: [], parent: this.frames.at(-1)?.scope };
    this.scopes.push(scope);
    this.frames.push({ scope, byName: new Map(), layers: [new Map()], deferred: [], finished: false });
  }

  /** Ends the innermost scope, after what was put off to its end. */
  pop(): void {
    const { frame } = this;
    frame.finished = true;
    for (const walk of frame.deferred) walk();
    this.frames.pop();
  }

  /** Puts a walk off to the end of the innermost scope. */
  defer(walk: () => void): void {
    this.frame.deferred.push(walk);
  }

  /** Defines a name in the innermost scope, or defines it anew. */
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

  /** The variable that a name means here. Without a certain definition the value may come from outside the template. */
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

  /** Walks alternatives of which one runs, or none if not `exhaustive`: what they define is in sight afterwards. */
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

/** Whether a name is certainly defined in the branches that are being walked; undefined where it is not at all. */
function certaintyIn({ layers }: Frame, name: string): boolean | undefined {
  let certainty: boolean | undefined;
  for (const layer of layers) {
    if (layer.has(name)) certainty ||= layer.get(name);
  }
  return certainty;
}
