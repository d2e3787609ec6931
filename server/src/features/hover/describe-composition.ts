/** What a composite comes to with all that it composes, in Markdown. */
import type { Analysis } from '../../analysis/analysis.ts';
import { type Measure, type RolledStep, rollUp } from '../../workspace/budgets.ts';
import { composersOf } from '../../workspace/composing.ts';
import { type EffectiveContract, effectiveContract } from '../../workspace/effective-contract.ts';
import { allows, byVersion, rangesFor, resolveSummary } from '../../workspace/resolve-skill.ts';
import { type Stage, stagesOf } from '../../workspace/stages.ts';
import type { IndexedSkill } from '../../workspace/workspace-index.ts';

import { paragraphs } from './describe.ts';

/** Nobody reads more of a hover. */
const MAX_LINES = 12;

/** The effective contract, what it lacks, and the order in which the parts run; undefined for an atomic skill. */
export function describeComposition(analysis: Analysis, uri: string): string | undefined {
  const root = analysis.partial ? undefined : analysis.graph.skills.get(uri);
  if (!root || root.summary.broken || root.summary.composes.length === 0) return undefined;
  const closure = analysis.graph.closureOf(root);
  const whole = effectiveContract([root, ...closure]);
  const wayBack = analysis.graph.waysBackOf(root);
  const isEndless = [root, ...closure].some(({ uri: one }) => wayBack(one));
  return paragraphs(
    `**With its ${closure.length === 1 ? 'part' : `${closure.length} parts`}**`,
    contractLines(whole, isEndless ? [] : budgetLines(analysis, root)).join('\n'),
    lackLines(root, closure),
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

function budgetLines({ graph }: Analysis, root: IndexedSkill): readonly string[] {
  const amounts = { p95_ms: 'p95 along the slowest way', timeout_ms: 'timeouts along it', cost_usd: 'cost' };
  return (Object.keys(amounts) as Measure[]).flatMap((measure) => {
    const { total, steps } = rollUp(graph, root, measure);
    if (steps.length === 0 || !Number.isFinite(total)) return [];
    const way =
      measure === 'p95_ms'
        ? ` (${steps
            .map(({ part }) => code(part.step))
            .slice(0, MAX_LINES)
            .join(' → ')})`
        : '';
    return [`- ${amounts[measure]}: ${amountOf({ measure, total })}${way}`];
  });
}

/** What a part needs and the skill itself does not declare. */
function lackLines(root: IndexedSkill, closure: readonly IndexedSkill[]): string | undefined {
  const parts = effectiveContract(closure);
  const { requiredScopes, interrupts, allowedRoles, effects } = root.summary;
  const lacking = (names: ReadonlyMap<string, IndexedSkill>, own: readonly string[]) =>
    [...names].filter(([name]) => !own.includes(name));
  const shutOut = allowedRoles.filter((role) => parts.roles?.includes(role) === false);
  const lines = [
    ...lacking(parts.scopes, requiredScopes).map(([name, by]) => `- scope ${code(name)}, for ${nameOf(by)}`),
    ...lacking(parts.interrupts, interrupts).map(([name, by]) => `- interrupt ${code(name)}, for ${nameOf(by)}`),
    // Effects that are left out altogether are inferred.
    ...(effects.length === 0 ? [] : lacking(parts.effects, effects)).map(
      ([name, by]) => `- effect ${code(name)}, for ${nameOf(by)}`,
    ),
    ...shutOut.map((role) => `- the role ${code(role)} may invoke this skill, but not all of its parts`),
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

/** Which version a name resolves to, of those that there are, and who else composes it. */
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
    composers.length > 0 && `Composed by ${listedWords(composers)}.`,
  );
}

export interface Amount {
  readonly measure: Measure;
  readonly total: number;
}

export const amountOf = ({ measure, total }: Amount): string => (measure === 'cost_usd' ? `$${total}` : `${total} ms`);

/** Steps with what each adds. */
export const stepLines = (steps: readonly RolledStep[], measure: Measure): string =>
  firstOf(steps.map(({ part, amount }) => `- ${code(part.step)}: ${amountOf({ measure, total: amount })}`));

/** Names with the first skill that brings each. */
export const brought = (names: readonly (readonly [string, IndexedSkill])[]): string =>
  firstOf(names.map(([name, by]) => `- ${code(name)} from ${nameOf(by)}`));

export const nameOf = ({ summary }: IndexedSkill): string => code(summary.name ?? 'a skill without a name');

/** A name of the user's as code, whatever it holds. */
const code = (name: string): string => `\`${name.replaceAll('`', "'").replaceAll(/\s+/g, ' ')}\``;

const listedCode = (names: readonly string[]): string => listedWords(names.map(code));

const listedWords = (words: readonly string[]): string =>
  words.length > MAX_LINES
    ? `${words.slice(0, MAX_LINES).join(', ')} and ${words.length - MAX_LINES} more`
    : words.join(', ');

const firstOf = (lines: readonly string[]): string =>
  [...lines.slice(0, MAX_LINES), ...(lines.length > MAX_LINES ? [`- and ${lines.length - MAX_LINES} more`] : [])].join(
    '\n',
  );
