/** A composite with all that it composes, in Markdown. */
import type { Analysis } from '../../analysis/analysis.ts';
import type { Measure, RolledStep } from '../../workspace/budgets.ts';
import { type EffectiveContract, effectiveContract } from '../../workspace/effective-contract.ts';
import { composersOf } from '../../workspace/parts-and-composers.ts';
import { allows, byVersion, rangesFor, resolveSummary } from '../../workspace/resolve-skill.ts';
import { type Stage, stagesOf } from '../../workspace/stages.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';
import { findComposite, findRollUp, hasCycle } from '../composite.ts';
import { code, listed, paragraphs } from './describe.ts';

/** How much of a list is shown. */
const MAX_LINES = 12;

/** The effective contract, what it lacks, and the order in which the parts run; undefined for an atomic skill. */
export function describeComposition(analysis: Analysis, uri: string): string | undefined {
  const root = findComposite(analysis, uri);
  if (!root) return undefined;
  const closure = analysis.graph.closureOf(root);
  const whole = effectiveContract([root, ...closure]);
  const isEndless = hasCycle(analysis, root);
  return paragraphs(
    `**With its ${closure.length === 1 ? 'part' : `${closure.length} parts`}**`,
    contractLines(whole, isEndless ? [] : budgetLines(analysis, root)).join('\n'),
    missingLines(root, closure),
    isEndless ? 'It comes back to itself, so it never ends.' : stageLines(stagesOf(analysis.graph, root)),
  );
}

function contractLines(whole: EffectiveContract, budget: readonly string[]): readonly string[] {
  const { scopes, roles, effects, operation, interrupts } = whole;
  const line = (title: string, names: Iterable<string>) => {
    const all = [...names];
    return all.length > 0 ? [`- ${title}: ${listedCode(all)}`] : [];
  };
  return [
    ...line('scopes', scopes.keys()),
    ...(roles === undefined
      ? []
      : [`- roles: ${roles.length > 0 ? listedCode(roles) : 'nobody may invoke all of it'}`]),
    ...line('effects', effects.keys()),
    ...(operation ? [`- operation: ${operation.name}, from ${nameOf(operation.by)}`] : []),
    ...line('interrupts', interrupts.keys()),
    ...budget,
  ];
}

function budgetLines(analysis: Analysis, root: IndexedSkill): readonly string[] {
  const amounts = { p95_ms: 'p95 along the slowest way', timeout_ms: 'timeouts along it', cost_usd: 'cost' };
  return (Object.keys(amounts) as Measure[]).flatMap((measure) => {
    const rolled = findRollUp(analysis, root, measure);
    if (!rolled) return [];
    const steps = rolled.steps.slice(0, MAX_LINES).map(({ part }) => code(part.step));
    const way = measure === 'p95_ms' ? ` (${steps.join(' → ')})` : '';
    return [`- ${amounts[measure]}: ${amountOf(measure, rolled.total)}${way}`];
  });
}

/** What a part needs and the skill itself does not declare. */
function missingLines(root: IndexedSkill, closure: readonly IndexedSkill[]): string | undefined {
  const parts = effectiveContract(closure);
  const { requiredScopes, interrupts, allowedRoles, effects } = root.summary;
  const missing = (names: ReadonlyMap<string, IndexedSkill>, own: readonly string[]) =>
    [...names].filter(([name]) => !own.includes(name));
  const refusedRoles = allowedRoles.filter((role) => parts.roles?.includes(role) === false);
  const lines = [
    ...missing(parts.scopes, requiredScopes).map(([name, by]) => `- scope ${code(name)}, for ${nameOf(by)}`),
    ...missing(parts.interrupts, interrupts).map(([name, by]) => `- interrupt ${code(name)}, for ${nameOf(by)}`),
    // Without `effects` they are inferred.
    ...(effects.length === 0 ? [] : missing(parts.effects, effects)).map(
      ([name, by]) => `- effect ${code(name)}, for ${nameOf(by)}`,
    ),
    ...refusedRoles.map((role) => `- the role ${code(role)} may invoke this skill, but not all of its parts`),
  ];
  return lines.length === 0 ? undefined : paragraphs('**Not declared here**', firstOf(lines));
}

function stageLines(stages: readonly Stage[]): string | undefined {
  if (stages.length === 0) return undefined;
  return paragraphs(
    '**Order**, each line side by side',
    firstOf(stages.map((steps, at) => `${at + 1}. ${listedCode(steps)}`)),
  );
}

/** Which version a name resolves to, and who else composes it. */
export function describeUse(analysis: Analysis, uri: string, name: string): string | undefined {
  const from = analysis.partial ? undefined : analysis.graph.skills.get(uri)?.summary;
  const used = from && resolveSummary(analysis.graph, from, name);
  if (!used || used.uri === uri) return undefined;
  const ranges = rangesFor(from, name);
  const { version } = used.summary;
  const all = [...analysis.skillsNamed(name)].sort(byVersion).flatMap(({ summary }) => summary.version ?? []);
  const isAllowed = ranges.every((range) => allows(range, version));
  const asked = ranges.length > 0 ? `${code(ranges.join(' '))} ${isAllowed ? 'resolves to' : 'does not allow'} ` : '';
  const others = all.length > 1 ? `, of ${listedCode(all)}` : '';
  const composers = composersOf(analysis.graph, used).map(nameOf);
  return paragraphs(
    version !== undefined && (asked !== '' || others !== '') && `${asked || 'Resolves to '}${version}${others}.`,
    composers.length > 0 && `Composed by ${listed(composers, MAX_LINES)}.`,
  );
}

export const amountOf = (measure: Measure, total: number): string =>
  measure === 'cost_usd' ? `$${total}` : `${total} ms`;

/** Steps with what each adds. */
export const stepLines = (steps: readonly RolledStep[], measure: Measure): string =>
  firstOf(steps.map(({ part, amount }) => `- ${code(part.step)}: ${amountOf(measure, amount)}`));

/** Names with the first skill that brings each. */
export const namesWithSource = (names: readonly (readonly [string, IndexedSkill])[]): string =>
  firstOf(names.map(([name, by]) => `- ${code(name)} from ${nameOf(by)}`));

export const nameOf = ({ summary }: IndexedSkill): string => code(summary.name ?? 'a skill without a name');

const listedCode = (names: readonly string[]): string => listed(names.map(code), MAX_LINES);

const firstOf = (lines: readonly string[]): string =>
  [...lines.slice(0, MAX_LINES), ...(lines.length > MAX_LINES ? [`- and ${lines.length - MAX_LINES} more`] : [])].join(
    '\n',
  );
