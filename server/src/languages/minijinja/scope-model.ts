/** What a template's names mean: the data that `resolveScopes` returns. */
import { contains, type Span } from '../../text.ts';
import type { Argument, Call, Expression, FilterCall, Template, TemplateExpression, TestCall } from './ast.ts';
import type { Guard, PathSegment } from './defined-names.ts';

/** A stretch of a template with variables of its own. `if`, `filter` and `autoescape` have none, and `set` leaks out. */
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

/** All definitions of one name in one scope, and what uses them: what a rename changes together. */
export interface Variable {
  readonly name: string;
  readonly scope: Scope;
  readonly definitions: readonly Definition[];
  readonly uses: readonly Use[];
  /** `loop`, `caller`, `self` and `super`, which a tag defines without naming them. */
  readonly implicit: boolean;
}

export interface Definition {
  readonly kind: DefinitionKind;
  /** The name as written. */
  readonly span: Span;
  /** The place in the file from which on it holds. */
  readonly visibleFrom: number;
  /** The value of `set` and `with`, the iterable of `for`, the default of a parameter. Not where several names are unpacked. */
  readonly value: Expression | undefined;
}

/** A name with its place. */
interface NamedUse {
  readonly name: string;
  readonly span: Span;
}

/** One occurrence of a name as a variable. */
export interface Use extends NamedUse {
  /** `call` for `name(…)`, `assign` for the `ns` of `{% set ns.x = … %}`. */
  readonly role: 'read' | 'call' | 'assign';
  /** Absent where the template does not define the name here: a parameter, a function of the engine, or a mistake. */
  readonly variable: Variable | undefined;
  /** False where the template may define the name and may not (`set` in a branch): the value may come from outside. */
  readonly certain: boolean;
  /** The attributes that are taken of it, `user.name` and `user["name"]` alike. */
  readonly path: readonly PathSegment[];
  /** Applies to the whole path. */
  readonly guard: Guard | undefined;
  /** True where an undefined name does no harm: its definedness or truth is tested here, or a condition has proven it. */
  readonly guarded: boolean;
  /** The same for the name with its path. `user.name is defined` guards the path and not `user`. */
  readonly pathGuarded: boolean;
}

/** A filter or test by its name; `call` is absent where a string names it, as in `map("upper")`. */
export interface FilterUse extends NamedUse {
  readonly call: FilterCall | undefined;
}

export interface TestUse extends NamedUse {
  readonly call: TestCall | undefined;
}

export interface FunctionUse extends NamedUse {
  readonly args: readonly Argument[];
  readonly call: Call;
  readonly use: Use;
}

/** A statement that loads another template. */
export interface TemplateReference {
  readonly statement: 'include' | 'extends' | 'import' | 'from';
  readonly span: Span;
  /** Every constant name that it may take. `content` is the place between the quotes, of a string in one piece. */
  readonly names: readonly { readonly name: string; readonly span: Span; readonly content: Span | undefined }[];
  /** True where some of the name is computed. */
  readonly dynamic: boolean;
  readonly ignoreMissing: boolean;
}

export interface Scopes {
  /** The root first, then in the order in which they begin. */
  readonly scopes: readonly Scope[];
  readonly variables: readonly Variable[];
  /** All uses in document order, and those among them that the template does not define. */
  readonly uses: readonly Use[];
  readonly free: readonly Use[];
  readonly filters: readonly FilterUse[];
  readonly tests: readonly TestUse[];
  readonly functions: readonly FunctionUse[];
  readonly references: readonly TemplateReference[];
  /** The variables that an `include` of this template defines in the template that includes it. */
  readonly exports: readonly Variable[];
}

// Uses of names that nothing defines, which strict rendering refuses. Rules and composer decide by this alone.

/**
 * Whether strict rendering fails at a use if the name is undefined. A test of its truth fails as well, except behind
 * `not`; `is defined` and `default` do not fail, nor do uses that they guard.
 */
export function failsIfUndefined(
  { text, base }: { readonly text: string; readonly base: number },
  use: Pick<Use, 'guarded' | 'guard' | 'span'>,
): boolean {
  if (!use.guarded) return true;
  const before = use.span.start - base;
  return use.guard === 'truth' && !/\bnot\s*$/.test(text.slice(Math.max(0, before - 20), before));
}

/**
 * The uses in a template of names that neither it nor anything else defines. Behind a statement that does not parse nothing
 * is judged, nor in a macro before it, since that statement may be the one that defines the name.
 */
export function undefinedInTemplate(
  template: Template,
  scopes: Scopes,
  isKnown: (name: string) => boolean,
): readonly Use[] {
  const broken = template.problems.filter(({ span }) => isInStatement(template, span.start));
  const end = Math.min(...broken.map(({ span }) => span.start));
  const late = broken.length === 0 ? [] : scopes.scopes.filter(({ kind }) => kind === 'macro' || kind === 'block');
  return scopes.free.filter(
    (use) =>
      use.span.end <= end &&
      !late.some(({ span }) => contains(span, use.span)) &&
      !isKnown(use.name) &&
      failsIfUndefined(template, use),
  );
}

/** In a condition the truth of a name that does not exist means nothing, also behind `not`. */
export const undefinedInCondition = (
  expression: TemplateExpression,
  scopes: Scopes,
  isKnown: (name: string) => boolean,
): readonly Use[] =>
  expression.problems.length > 0
    ? []
    : scopes.free.filter((use) => (!use.guarded || use.guard === 'truth') && !isKnown(use.name));

/** Whether the nearest tag that opens before a place in a template is a `{%` tag. */
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
 * Whether a name comes into a template from others of the same skill: templates that it includes export names, and
 * templates that include it define names.
 */
export function sharedNames(
  templates: readonly NamedTemplate[],
): (template: NamedTemplate) => (name: string) => boolean {
  const leftBy = new Map<string, Set<string>>();
  const definedAround = new Map<string, Set<string>>();
  for (const { name, scopes } of templates) {
    addNames(leftBy, name, scopes.exports);
    for (const included of includedBy(scopes)) addNames(definedAround, included, scopes.variables);
  }
  return ({ name: own, scopes }) => {
    const sets = [definedAround.get(own), ...[...includedBy(scopes)].map((name) => leftBy.get(name))];
    const known = sets.filter((names) => names !== undefined);
    return (name) => known.some((names) => names.has(name));
  };
}

const includedBy = ({ references }: Scopes): ReadonlySet<string> =>
  new Set(references.flatMap(({ names }) => names.map(({ name }) => name)));

function addNames(to: Map<string, Set<string>>, key: string, variables: readonly { readonly name: string }[]): void {
  if (variables.length === 0) return;
  const names = to.get(key) ?? new Set();
  to.set(key, names);
  for (const { name } of variables) names.add(name);
}
