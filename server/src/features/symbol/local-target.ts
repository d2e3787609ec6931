/** Names that a template defines itself: `set`, `for`, macros and their parameters, imports. */
import type { Scopes, Variable } from '../../languages/minijinja/scope-model.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Span } from '../../text.ts';
import { isParameter } from './fields.ts';

export interface LocalTarget {
  readonly kind: 'local';
  readonly uri: string;
  readonly name: string;
  readonly definitions: readonly Span[];
  /** All other places of the name; `{% set ns.x = … %}` writes it. */
  readonly uses: readonly { readonly span: Span; readonly isWrite: boolean }[];
  readonly variables: readonly Variable[];
}

/** Undefined for what the engine or the composer defines, and for names that nothing defines. */
export function localTarget(file: SkillFile, name: string, variable: Variable | undefined): LocalTarget | undefined {
  if (variable?.implicit) return undefined;
  const isRoot = !variable || variable.scope.kind === 'root';
  const family = isRoot ? sharedBetweenTemplates(file, name) : undefined;
  const variables = family && family.variables.length > 0 ? family.variables : variable ? [variable] : [];
  if (variables.length === 0) return undefined;
  const uses = [...variables.flatMap((one) => one.uses), ...(family?.free ?? [])];
  return {
    kind: 'local',
    uri: file.uri,
    name,
    definitions: variables.flatMap(({ definitions }) => definitions.map(({ span }) => span)),
    uses: uses.map(({ span, role }) => ({ span, isWrite: role === 'assign' })),
    variables,
  };
}

/**
 * Includes share the variables at the top of templates. So a name that a template uses and does not define is the same
 * as the variables of that name at the top of the others.
 */
function sharedBetweenTemplates(file: SkillFile, name: string) {
  const { templates } = file;
  const including = templates.some(({ source }) => source.scopes.references.length > 0);
  if (isParameter(file, name) || !including) return undefined;
  const free = templates.flatMap((one) => one.placed.scopes.free.filter((use) => use.name === name));
  return free.length > 0
    ? { free, variables: templates.flatMap((one) => rootVariables(one.placed.scopes, name)) }
    : undefined;
}

const rootVariables = ({ variables }: Scopes, name: string): readonly Variable[] =>
  variables.filter((variable) => variable.name === name && variable.scope.kind === 'root' && !variable.implicit);
