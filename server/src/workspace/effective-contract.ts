/**
 * The combined effects, permissions and interrupts of several skills (docs/format.md, section 4, "Effects and
 * operation").
 */
import { allowsContext } from '../permissions/may-use.ts';
import type { Capability } from '../skill/contract.ts';
import type { IndexedSkill } from './workspace-index.ts';

/** The operations, weakest first. */
const OPERATIONS: readonly string[] = ['TRANSFORM', 'READ', 'WRITE'];

/** Names, each with the first skill that declares it. */
export type Contributions = ReadonlyMap<string, IndexedSkill>;

/** Returns the operation of a tool for the skill with the URI; undefined if it is unknown. */
export type ToolOperations = (uri: string, tool: string) => string | undefined;

/** An operation with the skill that declares it, or whose tool has it. */
interface OperationSource {
  readonly name: string;
  readonly by: IndexedSkill;
  /** The tool with the operation; undefined if the skill declares the operation. */
  readonly tool: string | undefined;
}

export interface EffectiveContract {
  readonly effects: Contributions;
  /** The strongest operation; undefined if no skill declares one and no tool has one. */
  readonly operation: OperationSource | undefined;
  /** The required scopes: a caller must have all of them. */
  readonly scopes: Contributions;
  /** The roles that may invoke all the skills; undefined if no skill restricts roles. */
  readonly roles: readonly string[] | undefined;
  /** The contexts in which all the skills may be invoked; undefined if no skill restricts contexts. */
  readonly contexts: readonly string[] | undefined;
  /** The surfaces that offer all the skills; undefined if no skill restricts surfaces. */
  readonly surfaces: readonly string[] | undefined;
  /** The required capabilities: a caller must have all of them. */
  readonly capabilities: readonly Capability[];
  readonly interrupts: Contributions;
  /** The declared tools, and the skills with a backing service. */
  readonly tools: Contributions;
  /** The codes of the declared errors. */
  readonly errors: Contributions;
}

/**
 * Returns the combined contract of `skills`: the unions of names, the strongest operation of the skills and their
 * tools, and the roles, contexts and surfaces that all skills allow. Never throws. Implements docs/format.md, section 4, "Effects and
 * operation".
 */
export function effectiveContract(skills: readonly IndexedSkill[], operationOfTool: ToolOperations): EffectiveContract {
  return {
    effects: union(skills, (skill) => skill.summary.effects),
    operation: strongestOperation(skills, operationOfTool),
    scopes: union(skills, (skill) => skill.summary.requiredScopes),
    roles: allowedByAll(skills.map(({ summary }) => summary.allowedRoles)),
    contexts: allowedByAll(
      skills.map(({ summary }) => summary.allowedContexts),
      allowsContext,
    ),
    surfaces: allowedByAll(skills.map(({ summary }) => summary.surfaces.map(({ name }) => name))),
    capabilities: [
      ...new Map(
        skills.flatMap(({ summary }) => summary.capabilitiesRequired).map((one) => [`${one.kind} ${one.value}`, one]),
      ).values(),
    ],
    interrupts: union(skills, (skill) => skill.summary.interrupts),
    tools: union(skills, ({ summary: { tools, isTool, name } }) =>
      isTool && name !== undefined ? [...tools, name] : tools,
    ),
    errors: union(skills, (skill) => skill.summary.errors.map(({ code }) => code)),
  };
}

function union(skills: readonly IndexedSkill[], names: (skill: IndexedSkill) => readonly string[]): Contributions {
  const brought = new Map<string, IndexedSkill>();
  for (const skill of skills) for (const name of names(skill)) if (!brought.has(name)) brought.set(name, skill);
  return brought;
}

/**
 * Returns the strongest operation that `skills` declare or that their tools have, including optional tools. Never
 * throws. Implements docs/format.md, section 4, "Effects and operation".
 */
export function strongestOperation(
  skills: readonly IndexedSkill[],
  operationOfTool: ToolOperations,
): OperationSource | undefined {
  let found: OperationSource | undefined;
  const consider = (by: IndexedSkill, name: string | undefined, tool?: string): void => {
    if (name !== undefined && operationRank(name) > operationRank(found?.name)) found = { name, by, tool };
  };
  for (const by of skills) consider(by, by.summary.operation);
  for (const by of skills) for (const tool of by.summary.tools) consider(by, operationOfTool(by.uri, tool), tool);
  return found;
}

/** Returns the rank of an operation, 0 for the weakest; -1 for an unknown name or undefined. */
export const operationRank = (operation: string | undefined): number => OPERATIONS.indexOf(operation ?? '');

/** Intersects lists of allowed values. An empty list allows every value; undefined if all lists are empty. */
function allowedByAll(
  lists: readonly (readonly string[])[],
  allows: (list: readonly string[], value: string) => boolean = (list, value) => list.includes(value),
): readonly string[] | undefined {
  const limits = lists.filter((list) => list.length > 0);
  if (limits.length === 0) return undefined;
  return [...new Set(limits.flat())].filter((value) => limits.every((list) => allows(list, value)));
}
