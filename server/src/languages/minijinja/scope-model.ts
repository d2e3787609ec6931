/** The scopes, variables and uses of a template: the result of `resolveScopes`. */
import { contains, type Span } from '../../text.ts';
import type { Argument, Call, Expression, FilterCall, Template, TemplateExpression, TestCall } from './ast.ts';
import type { Guard, PathSegment } from './defined-names.ts';

/**
 * A part of a template with its own variables. `if`, `filter` and `autoescape` are not scopes: a variable that `set`
 * defines in such a block is still visible after the block.
 */
export interface Scope {
  readonly kind: 'root' | 'for' | 'with' | 'macro' | 'call' | 'block';
  readonly span: Span;
  readonly variables: readonly Variable[];
  readonly parent: Scope | undefined;
}

export type DefinitionKind =
  | 'set'
  | 'for'
  | 'with'
  | 'macro'
  | 'parameter'
  | 'import'
  | 'loop'
  | 'caller'
  | 'self'
  | 'super';

/** All definitions and uses of one name in one scope, which a rename changes together. */
export interface Variable {
  readonly name: string;
  readonly scope: Scope;
  readonly definitions: readonly Definition[];
  readonly uses: readonly NameUse[];
  /** True for `loop`, `caller`, `self` and `super`, which a tag defines implicitly. */
  readonly implicit: boolean;
}

export interface Definition {
  readonly kind: DefinitionKind;
  /** The span of the name. */
  readonly span: Span;
  /** The offset in the file from which the definition is visible. */
  readonly visibleFrom: number;
  /**
   * The value of `set` and `with`, the iterable of `for`, or the default of a parameter. Undefined for unpacked names.
   */
  readonly value: Expression | undefined;
}

/** A name and its span. */
interface NamedUse {
  readonly name: string;
  readonly span: Span;
}

/** One occurrence of a name as a variable. */
export interface NameUse extends NamedUse {
  /** `call` for `name(…)`, `assign` for the `ns` of `{% set ns.x = … %}`. */
  readonly role: 'read' | 'call' | 'assign';
  /** Undefined for a name that the template does not define here: a parameter, an engine function, or a mistake. */
  readonly variable: Variable | undefined;
  /** False if the definition is conditional (`set` in a branch), so that the value may come from outside. */
  readonly certain: boolean;
  /** The attributes after the name, as in `user.name` or `user["name"]`. */
  readonly path: readonly PathSegment[];
  /** The protection of the whole path. */
  readonly guard: Guard | undefined;
  /** True if the use tests whether the name is defined or true, or a condition proves that it is defined. */
  readonly guarded: boolean;
  /** Like `guarded`, but for the name with its path. `user.name is defined` guards the path and not `user`. */
  readonly pathGuarded: boolean;
}

/** A use of a filter. `call` is undefined if a string names the filter, as in `map("upper")`. */
export interface FilterUse extends NamedUse {
  readonly call: FilterCall | undefined;
}

export interface TestUse extends NamedUse {
  readonly call: TestCall | undefined;
}

export interface FunctionUse extends NamedUse {
  readonly args: readonly Argument[];
  readonly call: Call;
  readonly use: NameUse;
}

/** A statement that loads another template. */
export interface TemplateReference {
  readonly statement: 'include' | 'extends' | 'import' | 'from';
  readonly span: Span;
  /** Every constant name that it can load. `content` is the text between the quotes, undefined for adjacent strings. */
  readonly names: readonly { readonly name: string; readonly span: Span; readonly content: Span | undefined }[];
  /** True if a part of the name is computed. */
  readonly dynamic: boolean;
  readonly ignoreMissing: boolean;
}

export interface Scopes {
  /** The root scope, then the other scopes in document order. */
  readonly scopes: readonly Scope[];
  readonly variables: readonly Variable[];
  /** All uses, in document order. */
  readonly uses: readonly NameUse[];
  /** The uses of names that the template does not define. */
  readonly undefinedUses: readonly NameUse[];
  readonly filters: readonly FilterUse[];
  readonly tests: readonly TestUse[];
  readonly functions: readonly FunctionUse[];
  readonly references: readonly TemplateReference[];
  /** The variables that an `include` of this template defines in the template that includes it. */
  readonly exports: readonly Variable[];
}

// Finds names that nothing defines, for the rules and the composer.

/**
 * Returns true if a use of a name that nothing defines is a fault. A test of its truth is one, too, because it is always
 * false, except after `not`. `is defined`, `default` and guarded uses are not faults.
 */
export function failsIfUndefined(
  { text, base }: { readonly text: string; readonly base: number },
  use: Pick<NameUse, 'guarded' | 'guard' | 'span'>,
): boolean {
  if (!use.guarded) return true;
  const before = use.span.start - base;
  return use.guard === 'truth' && !/\bnot\s*$/.test(text.slice(Math.max(0, before - 20), before));
}

/**
 * Returns the uses of names that neither the template nor `isKnown` defines. Skips uses after a statement with a syntax
 * error, and uses in macros and blocks before it, because that statement may define the name.
 */
export function undefinedInTemplate(
  template: Template,
  scopes: Scopes,
  isKnown: (name: string) => boolean,
): readonly NameUse[] {
  const broken = template.problems.filter(({ span }) => isInStatement(template, span.start));
  const end = Math.min(...broken.map(({ span }) => span.start));
  const late = broken.length === 0 ? [] : scopes.scopes.filter(({ kind }) => kind === 'macro' || kind === 'block');
  return scopes.undefinedUses.filter(
    (use) =>
      use.span.end <= end &&
      !late.some(({ span }) => contains(span, use.span)) &&
      !isKnown(use.name) &&
      failsIfUndefined(template, use),
  );
}

/** Returns the uses of undefined names in a condition, including tests of a name's truth, even after `not`. */
export const undefinedInCondition = (
  expression: TemplateExpression,
  scopes: Scopes,
  isKnown: (name: string) => boolean,
): readonly NameUse[] =>
  expression.problems.length > 0
    ? []
    : scopes.undefinedUses.filter((use) => (!use.guarded || use.guard === 'truth') && !isKnown(use.name));

/** Returns true if the last tag that opens before an offset in the file is a `{%` tag. */
function isInStatement({ text, base }: Template, place: number): boolean {
  const offset = place - base;
  let at = text.lastIndexOf('{', offset);
  while (at > 0 && text[at + 1] !== '%' && text[at + 1] !== '{') at = text.lastIndexOf('{', at - 1);
  return text[at + 1] === '%';
}

interface NamedTemplate {
  readonly name: string;
  readonly scopes: Scopes;
}

/**
 * Returns a function that tests whether other templates of the same skill define a name for a template. These names are
 * exports of the templates that it includes, and variables of the templates that include it, directly and indirectly.
 */
export function sharedNames(
  templates: readonly NamedTemplate[],
): (template: NamedTemplate) => (name: string) => boolean {
  const exported = new Map<string, Set<string>>();
  const defined = new Map<string, Set<string>>();
  const included = new Map<string, Set<string>>();
  const including = new Map<string, Set<string>>();
  for (const { name, scopes } of templates) {
    const inner = [...includedBy(scopes)];
    addNames(exported, name, scopes.exports);
    addNames(defined, name, scopes.variables);
    addNames(included, name, inner.map(named));
    for (const one of inner) addNames(including, one, [{ name }]);
  }
  return ({ name: own, scopes }) => {
    const outer = reachable(including.get(own) ?? [], including).map((name) => defined.get(name));
    const inner = reachable(includedBy(scopes), included).map((name) => exported.get(name));
    const known = [...outer, ...inner].filter((names) => names !== undefined);
    return (name) => known.some((names) => names.has(name));
  };
}

const named = (name: string) => ({ name });

/** Returns the names that the edges lead to from some names, with these names. */
function reachable(start: Iterable<string>, edges: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const found = new Set(start);
  for (const name of found) for (const next of edges.get(name) ?? []) found.add(next);
  return [...found];
}

const includedBy = ({ references }: Scopes): ReadonlySet<string> =>
  new Set(references.flatMap(({ names }) => names.map(({ name }) => name)));

function addNames(to: Map<string, Set<string>>, key: string, variables: readonly { readonly name: string }[]): void {
  if (variables.length === 0) return;
  const names = to.get(key) ?? new Set();
  to.set(key, names);
  for (const { name } of variables) names.add(name);
}
