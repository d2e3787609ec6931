/** What a template's names mean: the data that `resolveScopes` returns. */
import type { Span } from '../../text.ts';
import type { Argument, Call, Expression, FilterCall, TestCall } from './ast.ts';
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
