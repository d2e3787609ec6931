/** A composite with all that it composes, in Markdown. */
import type { Analysis } from '../../analysis/analysis.ts';
import { amountIn, MEASURES, type Measure, type RolledStep, type RollUp, rollUp } from '../../workspace/budgets.ts';
import { type EffectiveContract, effectiveContract } from '../../workspace/effective-contract.ts';
import { stepsByStage } from '../../workspace/order.ts';
import { composersOf } from '../../workspace/parts-and-composers.ts';
import { allows, byVersion, rangesFor, resolveSummary } from '../../workspace/resolve-skill.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';
import { code, joined, listed, type Markdown, md, paragraphs, rows } from '../markdown.ts';

/** How much of a list is shown. */
const MAX_LINES = 12;

/** The effective contract, what it lacks, and the order in which the parts run; undefined for an atomic skill. */
export function describeComposition(analysis: Analysis, uri: string): Markdown | undefined {
  const root = findComposite(analysis, uri);
  if (!root) return undefined;
  const closure = analysis.graph.closureOf(root);
  const whole = effectiveContract([root, ...closure]);
  const isEndless = hasCycle(analysis, root);
  return paragraphs(
    md`**With its ${closure.length === 1 ? 'part' : `${closure.length} parts`}**`,
    rows(contractLines(whole, isEndless ? [] : budgetLines(analysis, root))),
    missingLines(root, closure),
    isEndless ? md`It comes back to itself, so it never ends.` : stageLines(stepsByStage(analysis.graph, root)),
  );
}

function contractLines(whole: EffectiveContract, budget: readonly Markdown[]): readonly Markdown[] {
  const { scopes, roles, effects, operation, interrupts } = whole;
  const line = (title: string, names: Iterable<string>) => {
    const all = [...names];
    return all.length > 0 ? [md`- ${title}: ${listedCode(all)}`] : [];
  };
  return [
    ...line('scopes', scopes.keys()),
    ...(roles === undefined
      ? []
      : [md`- roles: ${roles.length > 0 ? listedCode(roles) : 'nobody may invoke all of it'}`]),
    ...line('effects', effects.keys()),
    ...(operation ? [md`- operation: ${operation.name}, from ${nameOf(operation.by)}`] : []),
    ...line('interrupts', interrupts.keys()),
    ...budget,
  ];
}

const AMOUNTS: Readonly<Record<Measure, string>> = {
  p95_ms: 'p95 along the slowest way',
  p99_ms: 'p99 along it',
  timeout_ms: 'timeouts along it',
  cost_usd: 'cost',
};

function budgetLines(analysis: Analysis, root: IndexedSkill): readonly Markdown[] {
  return MEASURES.flatMap((measure) => {
    const rolled = findRollUp(analysis, root, measure);
    if (!rolled) return [];
    const steps = rolled.steps.slice(0, MAX_LINES).map(({ part }) => code(part.step));
    const way = measure === 'p95_ms' ? md` (${joined(steps, ' → ')})` : '';
    return [md`- ${AMOUNTS[measure]}: ${amountIn(measure, rolled.total)}${way}`];
  });
}

/** What a part needs and the skill itself does not declare. */
function missingLines(root: IndexedSkill, closure: readonly IndexedSkill[]): Markdown | undefined {
  const parts = effectiveContract(closure);
  const { requiredScopes, interrupts, allowedRoles, effects, declaresEffects } = root.summary;
  const missing = (names: ReadonlyMap<string, IndexedSkill>, own: readonly string[]) =>
    [...names].filter(([name]) => !own.includes(name));
  const refusedRoles = allowedRoles.filter((role) => parts.roles?.includes(role) === false);
  const lines = [
    ...missing(parts.scopes, requiredScopes).map(([name, by]) => md`- scope ${code(name)}, for ${nameOf(by)}`),
    ...missing(parts.interrupts, interrupts).map(([name, by]) => md`- interrupt ${code(name)}, for ${nameOf(by)}`),
    // Without `effects` they are inferred.
    ...(declaresEffects ? missing(parts.effects, effects) : []).map(
      ([name, by]) => md`- effect ${code(name)}, for ${nameOf(by)}`,
    ),
    ...refusedRoles.map((role) => md`- the role ${code(role)} may invoke this skill, but not all of its parts`),
  ];
  return lines.length === 0 ? undefined : paragraphs(md`**Not declared here**`, firstOf(lines));
}

function stageLines(stages: readonly (readonly string[])[]): Markdown | undefined {
  if (stages.length === 0) return undefined;
  return paragraphs(
    md`**Order**, each line side by side`,
    firstOf(stages.map((steps, at) => md`${at + 1}. ${listedCode(steps)}`)),
  );
}

/** Which version a name resolves to, and who else composes it. */
export function describeUse(analysis: Analysis, uri: string, name: string): Markdown | undefined {
  const from = analysis.partial ? undefined : analysis.graph.skills.get(uri)?.summary;
  const used = from && resolveSummary(analysis.graph, from, name);
  if (!used || used.uri === uri) return undefined;
  const ranges = rangesFor(from, name);
  const { version } = used.summary;
  const all = [...analysis.skillsNamed(name)].sort(byVersion).flatMap(({ summary }) => summary.version ?? []);
  const isAllowed = ranges.every((range) => allows(range, version));
  const resolves = md`${isAllowed ? 'resolves to' : 'does not allow'}`;
  const asked = ranges.length > 0 && md`${code(ranges.join(' '))} ${resolves} `;
  const others = all.length > 1 && md`, of ${listedCode(all)}`;
  const composers = composersOf(analysis.graph, used).map(nameOf);
  return paragraphs(
    version !== undefined && (asked || others) && md`${asked || md`Resolves to `}${version}${others || ''}.`,
    composers.length > 0 && md`Composed by ${listed(composers, MAX_LINES)}.`,
  );
}

/** Steps with what each adds. */
export const stepLines = (steps: readonly RolledStep[], measure: Measure): Markdown =>
  firstOf(steps.map(({ part, amount }) => md`- ${code(part.step)}: ${amountIn(measure, amount)}`));

/** Names with the first skill that brings each. */
export const namesWithSource = (names: readonly (readonly [string, IndexedSkill])[]): Markdown =>
  firstOf(names.map(([name, by]) => md`- ${code(name)} from ${nameOf(by)}`));

export const nameOf = ({ summary }: IndexedSkill): Markdown => code(summary.name ?? 'a skill without a name');

const listedCode = (names: readonly string[]): Markdown => listed(names.map(code), MAX_LINES);

const firstOf = (lines: readonly Markdown[]): Markdown =>
  rows([...lines.slice(0, MAX_LINES), lines.length > MAX_LINES && md`- and ${lines.length - MAX_LINES} more`]);

// Composites and the sums of their parts' budgets, for lenses, hints and hovers.

/** The skill of a file if it composes others; undefined for any other, and while files are still being read. */
export function findComposite({ graph, partial }: Analysis, uri: string): IndexedSkill | undefined {
  const skill = partial ? undefined : graph.skills.get(uri);
  return skill && !skill.summary.broken && skill.summary.composes.length > 0 ? skill : undefined;
}

/** Whether a skill composes itself, directly or not, or a skill that does; its budgets have no sum. */
export function hasCycle({ graph }: Analysis, skill: IndexedSkill): boolean {
  const wayBack = graph.waysBackOf(skill);
  return [skill, ...graph.closureOf(skill)].some(({ uri }) => wayBack(uri));
}

/** What the parts of a skill add up to; undefined where no part declares the measure. */
export function findRollUp({ graph }: Analysis, skill: IndexedSkill, measure: Measure): RollUp | undefined {
  const rolled = rollUp(graph, skill, measure);
  return rolled.steps.length > 0 && Number.isFinite(rolled.total) ? rolled : undefined;
}
