/** The variables in sight while a template is walked in the order in which it runs. */
import type { Span } from '../../text.ts';
import type { Expression } from './ast.ts';
import type { Definition, DefinitionKind, Scope, Use, Variable } from './scope-model.ts';

interface OpenScope extends Scope {
  readonly variables: OpenVariable[];
}

interface OpenVariable extends Variable {
  readonly definitions: Definition[];
  readonly uses: Use[];
}

/** A scope that is being walked. A layer holds what one branch has defined so far, and whether for certain. */
export interface Frame {
  readonly scope: OpenScope;
  readonly byName: Map<string, OpenVariable>;
  layers: Map<string, boolean>[];
  /** Bodies of macros: they see what their scope defines after them as well. */
  readonly deferred: (() => void)[];
  finished: boolean;
}

export interface Environment {
  frames: Frame[];
  readonly scopes: OpenScope[];
  readonly variables: OpenVariable[];
}

export function pushScope(environment: Environment, kind: Scope['kind'], span: Span): Frame {
  const parent = environment.frames.at(-1)?.scope;
  const scope: OpenScope = { kind, span, variables: [], parent };
  const frame: Frame = { scope, byName: new Map(), layers: [new Map()], deferred: [], finished: false };
  environment.scopes.push(scope);
  environment.frames.push(frame);
  return frame;
}

export function popScope(environment: Environment): void {
  const frame = environment.frames.at(-1);
  if (frame === undefined) return;
  frame.finished = true;
  for (const walk of frame.deferred) walk();
  environment.frames.pop();
}

export interface NewDefinition {
  readonly name: string;
  readonly kind: DefinitionKind;
  readonly span: Span;
  readonly visibleFrom: number;
  readonly value?: Expression | undefined;
}

const IMPLICIT: ReadonlySet<DefinitionKind> = new Set(['loop', 'caller', 'self', 'super']);

/** Defines a name in the innermost scope, or defines it anew. */
export function define(environment: Environment, { name, kind, span, visibleFrom, value }: NewDefinition): void {
  const frame = environment.frames.at(-1);
  if (frame === undefined || name === '') return;
  let variable = frame.byName.get(name);
  if (variable === undefined) {
    variable = { name, scope: frame.scope, definitions: [], uses: [], implicit: IMPLICIT.has(kind) };
    frame.byName.set(name, variable);
    frame.scope.variables.push(variable);
    environment.variables.push(variable);
  }
  variable.definitions.push({ kind, span, visibleFrom, value });
  frame.layers.at(-1)?.set(name, true);
}

/** The variable that a name means here. Without a certain definition the value may come from outside the template. */
export function lookUp(
  { frames }: Environment,
  name: string,
): { variable: OpenVariable | undefined; certain: boolean } {
  let found: OpenVariable | undefined;
  for (let i = frames.length - 1; i >= 0; i--) {
    const frame = frames[i] as Frame;
    const variable = frame.byName.get(name);
    if (variable === undefined) continue;
    const certainty = frame.finished ? true : certaintyIn(frame, name);
    if (certainty === undefined) continue;
    found ??= variable;
    if (certainty) return { variable: found, certain: true };
  }
  return { variable: found, certain: false };
}

function certaintyIn({ layers }: Frame, name: string): boolean | undefined {
  let certainty: boolean | undefined;
  for (let i = layers.length - 1; i >= 0 && certainty !== true; i--) {
    certainty = layers[i]?.get(name) ?? certainty;
  }
  return certainty;
}

/** Walks alternatives of which one runs, or none if not `exhaustive`: what they define is in sight afterwards. */
export function walkBranches(environment: Environment, branches: readonly (() => void)[], exhaustive: boolean): void {
  const frame = environment.frames.at(-1);
  if (frame === undefined) return;
  const defined = new Map<string, number>();
  for (const walk of branches) {
    const layer = new Map<string, boolean>();
    frame.layers.push(layer);
    walk();
    frame.layers.pop();
    for (const [name, certain] of layer) defined.set(name, (defined.get(name) ?? 0) + (certain ? 1 : 0));
  }
  const outer = frame.layers.at(-1);
  for (const [name, times] of defined) {
    const certain = exhaustive && times === branches.length;
    outer?.set(name, certain || outer.get(name) === true);
  }
}
