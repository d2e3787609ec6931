/** Markdown about a composite and the skills that it composes. */
import type { Analysis } from '../../analysis/analysis.ts';
import { amountIn, MEASURES, type Measure, type RolledStep, type RollUp, rollUp } from '../../workspace/budgets.ts';
import { composersOf } from '../../workspace/composition-lookups.ts';
import { type EffectiveContract, effectiveContract } from '../../workspace/effective-contract.ts';
import { stepsByStage } from '../../workspace/order.ts';
import { allows, byVersion, rangesFor, resolveUse } from '../../workspace/resolve-skill.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';
import { code, joined, listed, type Markdown, md, paragraphs, rows } from '../markdown.ts';

/** The maximum number of list items that are shown. */
const MAX_LINES = 12;

/** Describes the effective contract, missing declarations and the order of the steps; undefined for an atomic skill. */
export function describeComposition(analysis: Analysis, uri: string): Markdown | undefined {
  const root = findComposite(analysis, uri);
  if (!root) return undefined;
  const closure = analysis.graph.closureOf(root);
  const whole = effectiveContract([root, ...closure], analysis.operationOfTool);
  const isEndless = hasCycle(analysis, root);
  return paragraphs(
    md`**Including ${closure.length === 1 ? '1 composed skill' : `${closure.length} composed skills`}**`,
    rows(contractLines(whole, isEndless ? [] : budgetLines(analysis, root))),
    missingLines(root, effectiveContract(closure, analysis.operationOfTool)),
    isEndless
      ? md`The skill composes itself, directly or indirectly, so it would never end.`
      : stageLines(stepsByStage(analysis.graph, root)),
  );
}

function contractLines(whole: EffectiveContract, budget: readonly Markdown[]): readonly Markdown[] {
  const { scopes, roles, contexts, capabilities, effects, operation, interrupts } = whole;
  const line = (title: string, names: Iterable<string>) => {
    const all = [...names];
    return all.length > 0 ? [md`- ${title}: ${listedCode(all)}`] : [];
  };
  return [
    ...line('scopes', scopes.keys()),
    ...(roles === undefined
      ? []
      : [md`- roles: ${roles.length > 0 ? listedCode(roles) : 'no role may invoke all composed skills'}`]),
    ...line('contexts', contexts ?? []),
    ...line(
      'tiers',
      capabilities.flatMap(({ kind, value }) => (kind === 'tier' ? [value] : [])),
    ),
    ...line(
      'feature flags',
      capabilities.flatMap(({ kind, value }) => (kind === 'tier' ? [] : [value])),
    ),
    ...line('effects', effects.keys()),
    ...(operation
      ? [
          md`- operation: ${operation.name}, from ${operation.tool === undefined ? nameOf(operation.by) : code(operation.tool)}`,
        ]
      : []),
    ...line('interrupts', interrupts.keys()),
    ...budget,
  ];
}

const AMOUNTS: Readonly<Record<Measure, string>> = {
  p95_ms: 'p95 on the slowest path',
  p99_ms: 'p99 on this path',
  timeout_ms: 'timeouts on this path',
  cost_usd: 'cost',
};

function budgetLines(analysis: Analysis, root: IndexedSkill): readonly Markdown[] {
  return MEASURES.flatMap((measure) => {
    const rolled = findRollUp(analysis, root, measure);
    if (!rolled) return [];
    const steps = rolled.steps.slice(0, MAX_LINES).map(({ composedSkill }) => code(composedSkill.step));
    const way = measure === 'p95_ms' ? md` (${joined(steps, ' → ')})` : '';
    return [md`- ${AMOUNTS[measure]}: ${amountIn(measure, rolled.total)}${way}`];
  });
}

/** Lists the scopes, interrupts and effects that composed skills require but the skill does not declare. */
function missingLines(root: IndexedSkill, required: EffectiveContract): Markdown | undefined {
  const { requiredScopes, interrupts, allowedRoles, effects, declaresEffects } = root.summary;
  const missing = (names: ReadonlyMap<string, IndexedSkill>, own: readonly string[]) =>
    [...names].filter(([name]) => !own.includes(name));
  const refusedRoles = allowedRoles.filter((role) => required.roles?.includes(role) === false);
  const lines = [
    ...missing(required.scopes, requiredScopes).map(([name, by]) => md`- scope ${code(name)}, for ${nameOf(by)}`),
    ...missing(required.interrupts, interrupts).map(([name, by]) => md`- interrupt ${code(name)}, for ${nameOf(by)}`),
    // If a skill has no key `effects`, its effects are inferred, so no effects are missing.
    ...(declaresEffects ? missing(required.effects, effects) : []).map(
      ([name, by]) => md`- effect ${code(name)}, for ${nameOf(by)}`,
    ),
    ...refusedRoles.map((role) => md`- the role ${code(role)} may invoke this skill, but not all composed skills`),
  ];
  return lines.length === 0 ? undefined : paragraphs(md`**Not declared here**`, firstOf(lines));
}

function stageLines(stages: readonly (readonly string[])[]): Markdown | undefined {
  if (stages.length === 0) return undefined;
  return paragraphs(
    md`**Order** (steps on one line run in parallel)`,
    firstOf(stages.map((steps, at) => md`${at + 1}. ${listedCode(steps)}`)),
  );
}

/** Describes the version that a name resolves to, and the skills that compose it. */
export function describeUse(analysis: Analysis, uri: string, name: string): Markdown | undefined {
  const from = analysis.partial ? undefined : analysis.graph.skills.get(uri);
  const use = from && resolveUse(analysis.graph, from, name);
  if (!use || use.skill.uri === uri) return undefined;
  const { skill: used, adapter } = use;
  const ranges = rangesFor(analysis.graph, from, name);
  const { version } = used.summary;
  const all = [...analysis.skillsNamed(name, uri)].sort(byVersion).flatMap(({ summary }) => summary.version ?? []);
  const isAllowed = adapter !== undefined || ranges.every((range) => allows(range, version));
  const resolves = md`${isAllowed ? 'resolves to' : 'does not allow'}`;
  const asked = ranges.length > 0 && md`${code(ranges.join(' '))} ${resolves} `;
  const others = all.length > 1 && md`, of ${listedCode(all)}`;
  const composers = composersOf(analysis.graph, used).map(nameOf);
  return paragraphs(
    version !== undefined && (asked || others) && md`${asked || md`Resolves to `}${version}${others || ''}.`,
    adapter && md`${nameOf(adapter)} gives its output in the form of the required version.`,
    composers.length > 0 && md`Composed by ${listed(composers, MAX_LINES)}.`,
  );
}

/** Lists the steps with the amount that each step adds. */
export const stepLines = (steps: readonly RolledStep[], measure: Measure): Markdown =>
  firstOf(steps.map(({ composedSkill, amount }) => md`- ${code(composedSkill.step)}: ${amountIn(measure, amount)}`));

/** Lists names, each with the first skill that requires it. */
export const namesWithSource = (names: readonly (readonly [string, IndexedSkill])[]): Markdown =>
  firstOf(names.map(([name, by]) => md`- ${code(name)} from ${nameOf(by)}`));

export const nameOf = ({ summary }: IndexedSkill): Markdown => code(summary.name ?? 'a skill without a name');

const listedCode = (names: readonly string[]): Markdown => listed(names.map(code), MAX_LINES);

const firstOf = (lines: readonly Markdown[]): Markdown =>
  rows([...lines.slice(0, MAX_LINES), lines.length > MAX_LINES && md`- and ${lines.length - MAX_LINES} more`]);

/** Returns the skill in a file if the skill is a composite and all files have been read, else undefined. */
export function findComposite({ graph, partial }: Analysis, uri: string): IndexedSkill | undefined {
  const skill = partial ? undefined : graph.skills.get(uri);
  return skill && !skill.summary.broken && skill.summary.composes.length > 0 ? skill : undefined;
}

/** Returns whether a skill, or a skill that it composes, composes itself. The budgets of such a skill have no sum. */
export function hasCycle({ graph }: Analysis, skill: IndexedSkill): boolean {
  const wayBack = graph.waysBackOf(skill);
  return [skill, ...graph.closureOf(skill)].some(({ uri }) => wayBack(uri));
}

/** Returns the sum of a measure over the composed skills; undefined if no composed skill declares the measure. */
export function findRollUp({ graph }: Analysis, skill: IndexedSkill, measure: Measure): RollUp | undefined {
  const rolled = rollUp(graph, skill, measure);
  return rolled.steps.length > 0 && Number.isFinite(rolled.total) ? rolled : undefined;
}
