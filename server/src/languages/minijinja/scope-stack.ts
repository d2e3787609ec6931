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
