/**
 * The combined effects, permissions and interrupts of several skills (docs/format.md, section 4, "Effects and
 * operation").
 */
import type { IndexedSkill } from './workspace-index.ts';

/** The operations, weakest first. */
const OPERATIONS: readonly string[] = ['TRANSFORM', 'READ', 'WRITE'];

/** Names, each with the first skill that declares it. */
export type Contributions = ReadonlyMap<string, IndexedSkill>;

export interface EffectiveContract {
  readonly effects: Contributions;
  /** The strongest declared operation; undefined if no skill declares one. */
  readonly operation: { readonly name: string; readonly by: IndexedSkill } | undefined;
  /** The required scopes: a caller must have all of them. */
  readonly scopes: Contributions;
  /** The roles that may invoke all the skills; undefined if no skill restricts roles. */
  readonly roles: readonly string[] | undefined;
  readonly interrupts: Contributions;
}

/**
 * Returns the combined contract of `skills`: the unions of names, the strongest operation, and the roles that all
 * skills allow. Never throws. Implements docs/format.md, section 4, "Effects and operation".
 */
export function effectiveContract(skills: readonly IndexedSkill[]): EffectiveContract {
  return {
    effects: union(skills, (skill) => skill.summary.effects),
    operation: strongestOperation(skills),
    scopes: union(skills, (skill) => skill.summary.requiredScopes),
    roles: rolesOfAll(skills),
    interrupts: union(skills, (skill) => skill.summary.interrupts),
  };
}

function union(skills: readonly IndexedSkill[], names: (skill: IndexedSkill) => readonly string[]): Contributions {
  const brought = new Map<string, IndexedSkill>();
  for (const skill of skills) for (const name of names(skill)) if (!brought.has(name)) brought.set(name, skill);
  return brought;
}

function strongestOperation(skills: readonly IndexedSkill[]): EffectiveContract['operation'] {
  let found: EffectiveContract['operation'];
  for (const by of skills) {
    const name = by.summary.operation;
    if (name !== undefined && operationRank(name) > operationRank(found?.name)) found = { name, by };
  }
  return found;
}

/** Returns the rank of an operation, 0 for the weakest; -1 for an unknown name or undefined. */
export const operationRank = (operation: string | undefined): number => OPERATIONS.indexOf(operation ?? '');

/** Intersects the allowed roles. A skill without `allowed_roles` allows every role. */
function rolesOfAll(skills: readonly IndexedSkill[]): readonly string[] | undefined {
  let roles: readonly string[] | undefined;
  for (const { summary } of skills) {
    if (summary.allowedRoles.length === 0) continue;
    const allowed = new Set(summary.allowedRoles);
    roles = (roles ?? [...allowed]).filter((role) => allowed.has(role));
  }
  return roles;
}
