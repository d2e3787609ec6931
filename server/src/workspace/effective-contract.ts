/** What several skills together need and do (docs/format.md, section 4, "Effects and operation"). */
import type { IndexedSkill } from './workspace-index.ts';

/** The severities of operations, mildest first. */
const OPERATIONS: readonly string[] = ['TRANSFORM', 'READ', 'WRITE'];

/** Each name with the first skill that brings it. */
export type Brought = ReadonlyMap<string, IndexedSkill>;

export interface EffectiveContract {
  /** The union. */
  readonly effects: Brought;
  /** The severest that any declares; undefined where none declares one. */
  readonly operation: { readonly name: string; readonly by: IndexedSkill } | undefined;
  /** The union: a caller must hold them all. */
  readonly scopes: Brought;
  /** The roles that may invoke all of them; undefined where none restricts it. */
  readonly roles: readonly string[] | undefined;
  /** The union. */
  readonly interrupts: Brought;
}

/** The contract of a skill and its closure, or of the closure alone. */
export function effectiveContract(skills: readonly IndexedSkill[]): EffectiveContract {
  return {
    effects: union(skills, (skill) => skill.summary.effects),
    operation: severest(skills),
    scopes: union(skills, (skill) => skill.summary.requiredScopes),
    roles: rolesOfAll(skills),
    interrupts: union(skills, (skill) => skill.summary.interrupts),
  };
}

function union(skills: readonly IndexedSkill[], names: (skill: IndexedSkill) => readonly string[]): Brought {
  const brought = new Map<string, IndexedSkill>();
  for (const skill of skills) for (const name of names(skill)) if (!brought.has(name)) brought.set(name, skill);
  return brought;
}

function severest(skills: readonly IndexedSkill[]): EffectiveContract['operation'] {
  let found: EffectiveContract['operation'];
  for (const by of skills) {
    const name = by.summary.operation;
    if (name !== undefined && rankOf(name) > rankOf(found?.name)) found = { name, by };
  }
  return found;
}

/** -1 for what is no operation. */
export const rankOf = (operation: string | undefined): number => OPERATIONS.indexOf(operation ?? '');

/** A skill without `allowed_roles` leaves it to everybody. */
function rolesOfAll(skills: readonly IndexedSkill[]): readonly string[] | undefined {
  let roles: readonly string[] | undefined;
  for (const { summary } of skills) {
    if (summary.allowedRoles.length === 0) continue;
    const allowed = new Set(summary.allowedRoles);
    roles = (roles ?? [...allowed]).filter((role) => allowed.has(role));
  }
  return roles;
}
