/** The texts of the composition graph: of cards and edges, for screen readers, and for the list. */
import { grouped, numberFormat, t, tCount } from '../../kit/l10n.ts';
import type { GraphAmount, ShownEdge, ShownNode, ShownSkill } from '../messages.ts';

/** The problems of a node itself. */
export function problemsOf(node: ShownNode): readonly string[] {
  if (node.kind === 'unknown') return [t('unknown skill')];
  const { findings, isInCycle, isBroken } = node;
  return [
    ...(isBroken ? [t('does not parse')] : []),
    ...(isInCycle ? [t('in a cycle')] : []),
    ...(findings.errors > 0 ? [tCount(findings.errors, '1 error', '{0} errors')] : []),
  ];
}

/** The lines of a card below the name. */
export function cardLines(node: ShownNode): readonly string[] {
  if (node.kind === 'unknown') return [];
  const { version, level, operation, effects, isDeprecated, findings, stages } = node;
  const facts = [
    version ?? t('no version'),
    ...(level === null ? [] : [t('level {0}', level)]),
    ...(operation === null ? [] : [operation]),
  ];
  return [
    [...facts, ...(isDeprecated ? [t('deprecated')] : [])].join(' · '),
    effects.join(', '),
    [...amounts(node), ...(stages.length > 1 ? [t('{0} stages', stages.length)] : [])].join(' · '),
    findings.warnings > 0 ? tCount(findings.warnings, '1 warning', '{0} warnings') : '',
  ].filter((line) => line !== '');
}

const amounts = ({ p95, cost }: ShownSkill): readonly string[] => [
  ...(shortAmount(p95) === undefined ? [] : [t('p95 {0}', milliseconds(shortAmount(p95) ?? 0))]),
  ...(shortAmount(cost) === undefined ? [] : [dollars(shortAmount(cost) ?? 0)]),
];

/** The declared amount, or else that of the parts. */
const shortAmount = (amount: GraphAmount | null): number | undefined =>
  amount?.declared ?? amount?.ofParts ?? undefined;

const milliseconds = (value: number): string => (value < 1000 ? `${grouped(value)} ms` : `${seconds(value / 1000)} s`);
const seconds = numberFormat({ maximumSignificantDigits: 4 });
const dollars = numberFormat({
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
  maximumSignificantDigits: 6,
});

/** The label of an edge; may be empty. `stages` is the number of stages of its composer. */
export function edgeLabel({ as, requires, version, isAllowed, stage, isInCycle }: ShownEdge, stages: number): string {
  return [
    ...(isInCycle ? [t('cycle')] : []),
    ...(stage !== null && stages > 1 ? [t('stage {0}', stage)] : []),
    ...(as === null ? [] : [t('as {0}', as)]),
    ...(requires === null ? [] : [versionText(requires, version, isAllowed)]),
  ].join(' · ');
}

function versionText(requires: string, version: string | null, isAllowed: boolean): string {
  if (version === null) return requires;
  return isAllowed ? `${requires} → ${version}` : t('{0}, but {1} is there', requires, version);
}

/** All facts about an edge, for its tooltip and the list. */
export function edgeDescription(edge: ShownEdge, target: ShownNode, stages: number): string {
  const label = edgeLabel(edge, stages);
  return [
    t('composes {0}', target.name),
    ...(label === '' ? [] : [label]),
    ...(target.kind === 'unknown' ? [t('unknown skill')] : []),
    ...(edge.isCritical ? [t('on the slowest way')] : []),
  ].join(' · ');
}

/** All facts about a node, one a line, for its tooltip, screen readers and the list. */
export function factsOf(node: ShownNode): readonly string[] {
  if (node.kind === 'unknown') return [t('No skill of the workspace has this name.')];
  const { version, level, operation, effects, isInferred, stages, findings, isDeprecated } = node;
  return [
    [
      version ?? t('no version'),
      level === null ? t('no level') : t('level {0}', level),
      ...(isDeprecated ? [t('deprecated')] : []),
      ...problemsOf(node),
      ...(findings.warnings > 0 ? [tCount(findings.warnings, '1 warning', '{0} warnings')] : []),
    ].join(' · '),
    ...(operation === null
      ? []
      : [isInferred.operation ? t('operation {0} (by its parts)', operation) : t('operation {0}', operation)]),
    ...(effects.length === 0
      ? []
      : [
          isInferred.effects
            ? t('effects {0} (by its parts)', effects.join(', '))
            : t('effects {0}', effects.join(', ')),
        ]),
    ...latencyFact(node.p95),
    ...costFact(node.cost),
    ...(stages.length === 0 ? [] : [stagesFact(stages)]),
  ];
}

/** The description of a card for screen readers: its text, and facts that it has no room for. */
export function cardDescription(node: ShownNode, shown: string): string {
  if (node.kind === 'unknown') return shown;
  const { p95, cost, stages } = node;
  return [
    shown,
    ...((p95?.ofParts ?? null) === null ? [] : latencyFact(p95)),
    ...((cost?.ofParts ?? null) === null ? [] : costFact(cost)),
    ...(stages.length === 0 ? [] : [stagesFact(stages)]),
  ].join('; ');
}

const stagesFact = (stages: readonly (readonly string[])[]): string =>
  t(
    'runs {0}',
    stages
      .map((steps) => steps.reduce((before, step) => t('{0} beside {1}', before, step)))
      .reduce((before, stage) => t('{0}, then {1}', before, stage)),
  );

const latencyFact = (amount: GraphAmount | null): readonly string[] =>
  amountFact(amount, milliseconds, {
    declared: (p95) => t('p95 {0}', p95),
    undeclared: t('p95 not declared'),
    ofParts: (p95) => t('parts {0} along the slowest way', p95),
    over: (p95) => t('parts {0} along the slowest way, over the budget', p95),
  });

const costFact = (amount: GraphAmount | null): readonly string[] =>
  amountFact(amount, dollars, {
    declared: (cost) => t('cost {0}', cost),
    undeclared: t('cost not declared'),
    ofParts: (cost) => t('parts {0} all parts together', cost),
    over: (cost) => t('parts {0} all parts together, over the budget', cost),
  });

interface AmountTexts {
  readonly declared: (amount: string) => string;
  readonly undeclared: string;
  readonly ofParts: (amount: string) => string;
  readonly over: (amount: string) => string;
}

function amountFact(
  amount: GraphAmount | null,
  show: (value: number) => string,
  texts: AmountTexts,
): readonly string[] {
  if (amount === null) return [];
  const { declared, ofParts } = amount;
  const own = declared === null ? texts.undeclared : texts.declared(show(declared));
  if (ofParts === null) return [own];
  const isOver = declared !== null && ofParts > declared;
  return [`${own}; ${isOver ? texts.over(show(ofParts)) : texts.ofParts(show(ofParts))}`];
}

const LEVELS: Readonly<Record<number, string>> = { 1: t('Atomic'), 2: t('Composite'), 3: t('Workflow') };

/** The title of the rows of a level. */
export const levelTitle = (level: number): string =>
  LEVELS[level] === undefined ? t('Level {0}', level) : `${LEVELS[level]} · ${t('level {0}', level)}`;
