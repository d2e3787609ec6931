/** The composition graph of a workspace, or of some skills with their closures, as plain data. */

import { validRange } from 'semver';
import type { Analysis } from '../../analysis/analysis.ts';
import { isDisabledHere } from '../../analysis/permissions.ts';
import { SEVERITIES, type Severity } from '../../finding.ts';
import type { FindingCounts, GraphView, GraphViewEdge, GraphViewNode, GraphViewSkill } from '../../protocol.ts';
import { checkComposition } from '../../rules/sample-failures.ts';
import { span } from '../../text.ts';
import { nameFromUri } from '../../vocabulary/dialect.ts';
import { stagesOf, stepsByStage } from '../../workspace/order.ts';
import { allows, resolvedReferences, resolveReference, resolveSummary } from '../../workspace/resolve-skill.ts';
import { type IndexedSkill, mainName, type SkillGraph, visibleSkills } from '../../workspace/workspace-index.ts';
import { type Component, rollUpGraph, shortestCycle, stronglyConnected, type Totals } from './roll-up.ts';

export interface GraphViewOptions {
  /** The URIs of the skills that are shown with their closures; undefined means all visible skills. */
  readonly roots?: Iterable<string>;
  /** Counts a file's findings from composition rules. */
  readonly countFindings: (uri: string) => FindingCounts;
}

/** Returns the graph. The result does not depend on the order in which the skills were read. */
export function graphView(analysis: Analysis, { roots, countFindings }: GraphViewOptions): GraphView {
  const { graph, partial } = analysis;
  const entries = entriesWithin(
    graph,
    roots ? withMentioned(analysis, roots) : visibleSkills(graph, graph.skills.keys()),
  );
  const next = (id: string): readonly string[] => (entries.get(id) ?? []).map(({ to }) => to);
  const ids = [...entries.keys()].sort();
  const components = stronglyConnected(ids, next);
  const totals = rollUpGraph(analysis, components);
  const ranks = ranksOf(components, next);
  const componentOf = new Map(components.flatMap((component) => component.ids.map((id) => [id, component] as const)));
  const isWithinCycle = (from: string, to: string) =>
    componentOf.get(from) === componentOf.get(to) && componentOf.get(to)?.isCyclic === true;

  const nodes = ids.map((id): GraphViewNode => {
    const rank = ranks.get(id) ?? 0;
    const skill = graph.skills.get(id);
    if (!skill) return { kind: 'unknown', id, name: id.slice(UNKNOWN.length), rank };
    const isInCycle = componentOf.get(id)?.isCyclic === true;
    return { ...skillNode(analysis, skill, totals.get(id)), rank, isInCycle, findings: countFindings(id) };
  });
  const sorted = nodes.sort(byRank);
  return {
    nodes: sorted,
    edges: sorted.flatMap(({ id }) => {
      const own = entries.get(id) ?? [];
      const composed = new Set(own.map(({ to }) => to));
      return [
        ...edgesOf(analysis, own, totals.get(id), (to) => isWithinCycle(id, to)),
        ...adapterEdges(analysis, id),
        ...mentionsOf(analysis, id).filter(({ to }) => entries.has(to) && !composed.has(to)),
      ];
    }),
    cycles: components
      .filter(({ isCyclic }) => isCyclic)
      .map((component) => shortestCycle(component, next))
      .sort(([a = ''], [b = '']) => compared(a, b)),
    partial,
  };
}

/** Returns the roots, and the skills that the text of the roots mentions. */
const withMentioned = (analysis: Analysis, roots: Iterable<string>): readonly string[] =>
  [...roots].flatMap((root) => [root, ...mentionsOf(analysis, root).map(({ to }) => to)]);

/** Returns whether any skill has entries in `composes`. */
export function hasCompositions({ graph }: Analysis): boolean {
  for (const { summary } of graph.skills.values()) if (summary.composes.length > 0) return true;
  return false;
}

/** An entry of `composes`; `to` is the ID of its node. */
interface ComposesEdge {
  readonly from: IndexedSkill;
  readonly at: number;
  readonly to: string;
}

const UNKNOWN = 'unknown:';

/**
 * Returns the IDs that the roots reach, including IDs for unknown skills, each with the `composes` entries of its
 * skill.
 */
function entriesWithin(graph: SkillGraph, roots: Iterable<string>): ReadonlyMap<string, readonly ComposesEdge[]> {
  const entries = new Map<string, readonly ComposesEdge[]>();
  const waiting = [...roots].filter((uri) => graph.skills.has(uri));
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (entries.has(id)) continue;
    const own = entriesOf(graph, id);
    entries.set(id, own);
    for (const { to } of own) waiting.push(to);
    for (const { to } of adaptersOf(graph, id)) waiting.push(to);
  }
  return entries;
}

/** Returns the adapters of a skill, each with its position in `adapts`. */
function adaptersOf(graph: SkillGraph, id: string): readonly { readonly at: number; readonly to: string }[] {
  const skill = graph.skills.get(id);
  return (skill?.summary.adapts ?? []).flatMap(({ adapter }, at) => {
    const to = skill && resolveSummary(graph, skill, adapter)?.uri;
    return to === undefined || to === id ? [] : [{ at, to }];
  });
}

function entriesOf(graph: SkillGraph, id: string): readonly ComposesEdge[] {
  const from = graph.skills.get(id);
  if (!from || from.summary.broken) return [];
  return from.summary.composes.map(({ skill }, at) => ({
    from,
    at,
    to: resolveSummary(graph, from, skill)?.uri ?? UNKNOWN + skill,
  }));
}

/**
 * Returns, for each ID, the length of the longest path from a skill that no other skill composes, counted in
 * components.
 */
function ranksOf(
  components: readonly Component[],
  next: (id: string) => readonly string[],
): ReadonlyMap<string, number> {
  const ranks = new Map<string, number>();
  // Visits composites before the skills that they compose.
  for (const { ids } of [...components].reverse()) {
    const own = ids.reduce((rank, id) => Math.max(rank, ranks.get(id) ?? 0), 0);
    for (const id of ids) for (const to of next(id)) ranks.set(to, Math.max(own + 1, ranks.get(to) ?? 0));
    for (const id of ids) ranks.set(id, own);
  }
  return ranks;
}

function skillNode(
  analysis: Analysis,
  skill: IndexedSkill,
  sum: Totals | undefined,
): Omit<GraphViewSkill, 'rank' | 'isInCycle' | 'findings'> {
  const { uri, summary } = skill;
  const contract = analysis.file(uri)?.contract;
  return {
    kind: 'skill',
    id: uri,
    uri,
    span: contract?.name?.span ?? span(0, 0),
    name: summary.name ?? nameFromUri(uri),
    version: summary.version ?? null,
    level: sum?.level ?? null,
    description: contract?.description?.name ?? null,
    isDeprecated: summary.deprecated,
    isDisabled: isDisabledHere(analysis, skill),
    isBroken: summary.broken,
    effects: sum?.effects ?? [],
    operation: sum?.operation ?? null,
    isInferred: { effects: !summary.declaresEffects, operation: summary.operation === undefined },
    p95: sum?.p95 ?? null,
    cost: sum?.cost ?? null,
    stages: stepsByStage(analysis.graph, skill),
  };
}

/** Returns the edges of one composite. */
function edgesOf(
  analysis: Analysis,
  entries: readonly ComposesEdge[],
  sum: Totals | undefined,
  isWithinCycle: (to: string) => boolean,
): readonly GraphViewEdge[] {
  const [from] = entries.map((entry) => entry.from);
  if (!from) return [];
  const { composes, requires } = from.summary;
  const named = analysis.file(from.uri)?.contract.composes;
  const stages = new Map<number, number>();
  for (const [at, stage] of stagesOf(analysis.graph, from).entries()) {
    for (const entry of stage) if (!stages.has(entry)) stages.set(entry, at + 1);
  }
  const { graph } = analysis;
  const uses = new Map(graph.composedSkillsOf(from).map((use) => [use.entry, use]));
  return entries.map(({ at, to }) => {
    const { skill = '', step = '' } = composes[at] ?? {};
    const version = graph.skills.get(to)?.summary.version ?? null;
    const use = uses.get(at);
    const adapter = use?.adapter?.summary.name ?? use?.missingAdapter ?? null;
    const main = mainName(graph, skill);
    const ranges = requires.flatMap((one) => (mainName(graph, one.skill) === main ? (one.range ?? []) : []));
    return {
      kind: 'composes',
      from: from.uri,
      to,
      uri: from.uri,
      span: named?.[at]?.span ?? span(0, 0),
      step,
      as: named?.[at]?.as?.name ?? null,
      requires: ranges.length > 0 ? ranges.join(' ') : null,
      version,
      adapter,
      isAllowed:
        adapter !== null || ranges.every((range) => validRange(range) === null || allows(range, version ?? undefined)),
      stage: stages.get(at) ?? null,
      isInCycle: isWithinCycle(to),
      isCritical: sum?.critical.has(at) ?? false,
    };
  });
}

function byRank(a: GraphViewNode, b: GraphViewNode): number {
  const version = (node: GraphViewNode) => (node.kind === 'skill' ? (node.version ?? '') : '');
  return a.rank - b.rank || compared(a.name, b.name) || compared(version(a), version(b)) || compared(a.id, b.id);
}

/** Compares strings by UTF-16 code units, so that the order is the same on all machines. */
const compared = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export const NO_FINDINGS: FindingCounts = { errors: 0, warnings: 0, infos: 0, hints: 0 };

export function countSeverities(found: readonly Severity[]): FindingCounts {
  const count = (severity: Severity) => found.filter((one) => one === severity).length;
  return { errors: count('error'), warnings: count('warning'), infos: count('info'), hints: count('hint') };
}

/** Counts the findings of composition rules in a file. */
export function countFindings(analysis: Analysis, uri: string): FindingCounts {
  const file = analysis.file(uri);
  return file ? countSeverities(checkComposition(analysis, file).map(({ severity }) => severity)) : NO_FINDINGS;
}

/** Returns the severity for the severity number of an LSP diagnostic. */
export const severityFromLsp = (number: number | undefined): Severity => SEVERITIES[(number ?? 1) - 1] ?? 'error';

/**
 * Returns one edge for each other skill that the text of a `SKILL.md` mentions, with the span of the first mention.
 * Edges for mentions do not affect ranks and cycles.
 */
function mentionsOf(analysis: Analysis, from: string): readonly GraphViewEdge[] {
  const { graph } = analysis;
  const summary = graph.skills.get(from)?.summary;
  // A body is parsed only if it may mention a skill.
  if (!summary?.agentSkill || !summary.mentions.some((name) => name !== summary.name && graph.byName.has(name)))
    return [];
  const file = analysis.file(from);
  const edges = new Map<string, GraphViewEdge>();
  for (const reference of file ? resolvedReferences(graph, file) : []) {
    const to = file && resolveReference(graph, file, reference)?.uri;
    if (to === undefined || to === from || edges.has(to)) continue;
    const place = { from, to, uri: from, span: reference.nameSpan, step: reference.name };
    edges.set(to, { kind: 'mentions', ...place, ...NO_FACTS });
  }
  return [...edges.values()];
}

/** Returns an edge from a skill to each of its adapters. Edges to adapters do not affect ranks and cycles. */
function adapterEdges(analysis: Analysis, from: string): readonly GraphViewEdge[] {
  const adapts = analysis.file(from)?.contract.adapts ?? [];
  return adaptersOf(analysis.graph, from).flatMap(({ at, to }) => {
    const entry = adapts[at];
    if (!entry) return [];
    const place = { from, to, uri: from, span: entry.adapter.span, step: entry.adapter.name };
    return [{ kind: 'adapts', ...place, ...NO_FACTS, requires: entry.from.name }];
  });
}

const NO_FACTS = {
  as: null,
  requires: null,
  adapter: null,
  version: null,
  isAllowed: true,
  stage: null,
  isInCycle: false,
  isCritical: false,
} as const;
