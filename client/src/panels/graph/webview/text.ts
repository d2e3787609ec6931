/** The labels of cards and edges of the composition graph, for the drawing, the list and screen readers. */
import { duration, numberFormat, t, tCount } from '../../kit/l10n.ts';
import type { GraphAmount, ShownEdge, ShownNode, ShownSkill } from '../messages.ts';
import type { Folders, Item, Link } from './folders.ts';

export interface ItemText {
  readonly title: string;
  readonly lines: readonly string[];
  readonly problems: readonly string[];
  /** All facts, one per line, for the tooltip and the list. */
  readonly facts: readonly string[];
  /** The facts that do not fit on a card, for screen readers. */
  readonly more: readonly string[];
}

export function itemText({ nodes, opens, isOutside }: Item, folders: Folders): ItemText {
  const [node] = nodes;
  if (opens) {
    const [lines, problems] = [[countText(nodes), ...warningText(warningsOf(nodes))], errorText(errorsOf(nodes))];
    return {
      title: groupTitle(opens, folders),
      lines,
      problems,
      facts: [[...lines, ...problems].join(' · ')],
      more: [],
    };
  }
  if (!node) return { title: '', lines: [], problems: [], facts: [], more: [] };
  const folder = isOutside ? [t('in {0}', folders.nameOf(folders.of(node.id)) || t('Workspace'))] : [];
  return {
    title: node.name,
    lines: [...folder, ...cardLines(node)],
    problems: problemsOf(node),
    facts: [...folder, ...factsOf(node)],
    more: node.kind === 'skill' ? partsFacts(node) : [],
  };
}

const groupTitle = (opens: NonNullable<Item['opens']>, folders: Folders): string =>
  'folder' in opens ? folders.nameOf(opens.folder) : levelTitle(opens.level);

function countText(nodes: readonly ShownNode[]): string {
  const skills = nodes.filter(({ kind }) => kind === 'skill').length;
  const unknown = nodes.length - skills;
  return [tCount(skills, '1 skill', '{0} skills'), ...(unknown > 0 ? [t('{0} unknown', unknown)] : [])].join(' · ');
}

/** Returns the number of errors, as *Problems* counts them. */
export const errorsOf = (nodes: readonly ShownNode[]): number =>
  nodes.reduce((sum, node) => sum + (node.kind === 'skill' ? node.findings.errors : 0), 0);

const warningsOf = (nodes: readonly ShownNode[]): number =>
  nodes.reduce((sum, node) => sum + (node.kind === 'skill' ? node.findings.warnings : 0), 0);

export const errorText = (errors: number): readonly string[] =>
  errors > 0 ? [tCount(errors, '1 error', '{0} errors')] : [];

const warningText = (warnings: number): readonly string[] =>
  warnings > 0 ? [tCount(warnings, '1 warning', '{0} warnings')] : [];

/** Returns the problems of a node, but not the problems of its edges. */
function problemsOf(node: ShownNode): readonly string[] {
  if (node.kind === 'unknown') return [t('unknown skill')];
  const { findings, isInCycle, isBroken } = node;
  return [
    ...(isBroken ? [t('does not parse')] : []),
    ...(isInCycle ? [t('in a cycle')] : []),
    ...errorText(findings.errors),
  ];
}

/** Returns the lines of a card below the name. */
function cardLines(node: ShownNode): readonly string[] {
  if (node.kind === 'unknown') return [];
  const { version, level, operation, effects, isDeprecated, isDisabled, findings, stages } = node;
  const facts = [
    ...(version === null ? [] : [version]),
    ...(level === null ? [] : [t('level {0}', level)]),
    ...(operation === null ? [] : [operation]),
  ];
  return [
    [...facts, ...(isDeprecated ? [t('deprecated')] : [])].join(' · '),
    ...(isDisabled ? [t('disabled in this workspace')] : []),
    effects.join(', '),
    [...amounts(node), ...(stages.length > 1 ? [t('{0} stages', stages.length)] : [])].join(' · '),
    ...warningText(findings.warnings),
  ].filter((line) => line !== '');
}

const amounts = ({ p95, cost }: ShownSkill): readonly string[] => [
  ...(shortAmount(p95) === undefined ? [] : [t('p95 {0}', duration(shortAmount(p95) ?? 0))]),
  ...(shortAmount(cost) === undefined ? [] : [dollars(shortAmount(cost) ?? 0)]),
];

/** Returns the declared amount, or else the amount computed from the composed skills. */
const shortAmount = (amount: GraphAmount | null): number | undefined =>
  amount?.declared ?? amount?.ofParts ?? undefined;

const dollars = numberFormat({
  style: 'currency',
  currency: 'USD',
  currencyDisplay: 'narrowSymbol',
  maximumSignificantDigits: 6,
});

/** Returns the facts of an edge, possibly none. `stages` is the number of stages of the edge's composer. */
function edgeFacts({ as, adapter, isInCycle, stage }: ShownEdge, stages: number, version: string | null): string {
  return [
    ...(isInCycle ? [t('cycle')] : []),
    ...(stage !== null && stages > 1 ? [t('stage {0}', stage)] : []),
    ...(as === null ? [] : [t('as {0}', as)]),
    ...(version === null ? [] : [version]),
    ...(adapter === null ? [] : [t('through {0}', adapter)]),
  ].join(' · ');
}

function versionText({ requires, version, isAllowed }: ShownEdge): string | null {
  if (requires === null || version === null) return requires;
  return isAllowed ? `${requires} → ${version}` : t('{0}, but found {1}', requires, version);
}

/** Returns all facts about an edge, for its tooltip and the list. */
export function edgeDescription(edge: ShownEdge, nodes: Nodes): string {
  const target = nodes.get(edge.to);
  if (edge.kind === 'mentions') return t('mentions {0}', target?.name ?? edge.to);
  if (edge.kind === 'adapts') return t('serves {0} through {1}', edge.requires ?? '', target?.name ?? edge.to);
  const label = edgeFacts(edge, stagesOf(edge, nodes), versionText(edge));
  return [
    t('composes {0}', target?.name ?? edge.to),
    ...(label === '' ? [] : [label]),
    ...(target?.kind === 'unknown' ? [t('unknown skill')] : []),
    ...(edge.isCritical ? [t('on the slowest path')] : []),
  ].join(' · ');
}

/** The nodes by ID. */
export type Nodes = ReadonlyMap<string, ShownNode>;

const stagesOf = ({ from }: ShownEdge, nodes: Nodes): number => {
  const composer = nodes.get(from);
  return composer?.kind === 'skill' ? composer.stages.length : 0;
};

export const isWrong = ({ edges }: Link): boolean => edges.some(({ isInCycle, isAllowed }) => isInCycle || !isAllowed);

/** Returns true if the edges of the link are only mentions and adapters. */
export const isMention = ({ edges }: Link): boolean => edges.every(({ kind }) => kind !== 'composes');

/**
 * Returns the label of a link, which may be empty. The label shows the actual version only if that version is not
 * allowed; otherwise, only the card shows the version.
 */
export function linkLabel(link: Link, nodes: Nodes): string {
  if (isMention(link)) {
    const served = servedBy(link);
    return served === '' ? '' : t('adapter for {0}', served);
  }
  const edges = link.edges.filter(({ kind }) => kind === 'composes');
  const [edge] = edges;
  if (edges.length === 1 && edge) {
    return edgeFacts(edge, stagesOf(edge, nodes), edge.isAllowed ? edge.requires : versionText(edge));
  }
  return tCount(edges.length, '1 composition', '{0} compositions');
}

/** Returns the versions that the adapters of a link serve, joined by commas; the empty string without an adapter. */
const servedBy = ({ edges }: Link): string =>
  edges.flatMap(({ kind, requires }) => (kind === 'adapts' && requires !== null ? requires : [])).join(', ');

/** Returns the text for a link from or to a group in the list. */
export function groupLinkText(link: Link, target: string): string {
  if (!isMention(link)) return t('composes {0}', target);
  const served = servedBy(link);
  return served === '' ? t('mentions {0}', target) : t('serves {0} through {1}', served, target);
}

const MOST_DESCRIBED = 12;

export function linkDescription({ edges }: Link, nodes: Nodes): string {
  const lines = edges
    .slice(0, MOST_DESCRIBED)
    .map((edge) => `${nodes.get(edge.from)?.name ?? ''} ${edgeDescription(edge, nodes)}`);
  return [...lines, ...(edges.length > MOST_DESCRIBED ? ['…'] : [])].join('\n');
}

function factsOf(node: ShownNode): readonly string[] {
  if (node.kind === 'unknown') return [t('This workspace has no skill with this name.')];
  const { version, level, operation, effects, isInferred, stages, findings, isDeprecated, isDisabled } = node;
  return [
    [
      ...(version === null ? [] : [version]),
      ...(level === null ? [] : [t('level {0}', level)]),
      ...(isDeprecated ? [t('deprecated')] : []),
      ...(isDisabled ? [t('disabled in this workspace')] : []),
      ...problemsOf(node),
      ...warningText(findings.warnings),
    ].join(' · '),
    ...(operation === null
      ? []
      : [isInferred.operation ? t('operation {0} (from composed skills)', operation) : t('operation {0}', operation)]),
    ...(effects.length === 0
      ? []
      : [
          isInferred.effects
            ? t('effects {0} (from composed skills)', effects.join(', '))
            : t('effects {0}', effects.join(', ')),
        ]),
    ...latencyFact(node.p95),
    ...costFact(node.cost),
    ...(stages.length === 0 ? [] : [stagesFact(stages)]),
  ];
}

const partsFacts = ({ p95, cost, stages }: ShownSkill): readonly string[] => [
  ...((p95?.ofParts ?? null) === null ? [] : latencyFact(p95)),
  ...((cost?.ofParts ?? null) === null ? [] : costFact(cost)),
  ...(stages.length === 0 ? [] : [stagesFact(stages)]),
];

const stagesFact = (stages: readonly (readonly string[])[]): string =>
  t(
    'runs {0}',
    stages
      .map((steps) => steps.reduce((before, step) => t('{0} in parallel with {1}', before, step)))
      .reduce((before, stage) => t('{0}, then {1}', before, stage)),
  );

const latencyFact = (amount: GraphAmount | null): readonly string[] =>
  amountFact(amount, duration, {
    declared: (p95) => t('p95 {0}', p95),
    undeclared: t('p95 not declared'),
    ofParts: (p95) => t('composed skills: {0} on the slowest path', p95),
    over: (p95) => t('composed skills: {0} on the slowest path, over the budget', p95),
  });

const costFact = (amount: GraphAmount | null): readonly string[] =>
  amountFact(amount, dollars, {
    declared: (cost) => t('cost {0}', cost),
    undeclared: t('cost not declared'),
    ofParts: (cost) => t('composed skills: {0} in total', cost),
    over: (cost) => t('composed skills: {0} in total, over the budget', cost),
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

/** Returns the title of a level; 0 is for skills without a level. */
export const levelTitle = (level: number): string =>
  level === 0
    ? t('No level')
    : LEVELS[level] === undefined
      ? t('Level {0}', level)
      : `${LEVELS[level]} · ${t('level {0}', level)}`;
