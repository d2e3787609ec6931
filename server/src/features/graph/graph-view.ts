/** The composition graph of a workspace, or of some skills with their closures, as plain data. */

import { validRange } from 'semver';
import type { Analysis } from '../../analysis/analysis.ts';
import { isDisabledHere } from '../../analysis/permissions.ts';
import { SEVERITIES, type Severity } from '../../finding.ts';
import type { FindingCounts, GraphView, GraphViewEdge, GraphViewNode, GraphViewSkill } from '../../protocol.ts';
import type { SkillSummary } from '../../skill/summary.ts';
import { span } from '../../text.ts';
import { nameFromUri } from '../../vocabulary/dialect.ts';
import { stagesOf, stepsByStage } from '../../workspace/order.ts';
import { allows, resolvedReferences, resolveReference, resolveSummary } from '../../workspace/resolve-skill.ts';
import type { ResolvedGraph } from '../../workspace/resolved-graph.ts';
import { type IndexedSkill, mainName, type SkillGraph, visibleSkills } from '../../workspace/workspace-index.ts';
import { type Component, rollUpGraph, shortestCycle, stronglyConnected, type Totals } from './roll-up.ts';

export interface GraphViewOptions {
  /** The URIs of the skills that are shown with their closures; undefined means all visible skills. */
  readonly roots?: Iterable<string>;
  /** Counts the findings that the node of a file shows. */
  readonly countFindings: (uri: string) => FindingCounts;
}

/** A graph whose edges are computed when they are iterated, because all edges together may need much memory. */
export interface LazyGraph extends Omit<GraphView, 'edges'> {
  readonly edges: Iterable<GraphViewEdge>;
}

/** Returns the graph. The result does not depend on the order in which the skills were read. */
export const graphView = (analysis: Analysis, options: GraphViewOptions): GraphView =>
  resultOf(graphSteps(analysis, options));

/** Returns the same graph as `graphView`, with lazy edges. */
export const lazyGraph = (analysis: Analysis, options: GraphViewOptions): LazyGraph =>
  resultOf(lazyGraphSteps(analysis, options));

function resultOf<Result>(steps: Generator<undefined, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Returns the graph as `graphView` does, in time that is linear in the number of edges. Pauses often, so that a server
 * can answer other requests.
 */
export function* graphSteps(analysis: Analysis, options: GraphViewOptions): Generator<undefined, GraphView> {
  const view = yield* lazyGraphSteps(analysis, options);
  const edges: GraphViewEdge[] = [];
  for (const edge of view.edges) if (edges.push(edge) % EDGES_AT_ONCE === 0) yield;
  return { ...view, edges };
}

const EDGES_AT_ONCE = 100;

function* lazyGraphSteps(
  analysis: Analysis,
  { roots, countFindings }: GraphViewOptions,
): Generator<undefined, LazyGraph> {
  const { graph, partial } = analysis;
  const targets = yield* targetsWithin(
    graph,
    roots ? withMentioned(analysis, roots) : visibleSkills(graph, graph.skills.keys()),
  );
  const next = (id: string): readonly string[] => targets.get(id) ?? [];
  const ids = [...targets.keys()].sort();
  const components = yield* stronglyConnected(ids, next);
  const totals = yield* rollUpGraph(analysis, components);
  const ranks = yield* ranksOf(components, next);
  const componentOf = new Map(components.flatMap((component) => component.ids.map((id) => [id, component] as const)));
  const edges = new Map<string, Iterable<GraphViewEdge>>();
  const nodes: GraphViewNode[] = [];
  for (const id of ids) {
    yield;
    const rank = ranks.get(id) ?? 0;
    const skill = graph.skills.get(id);
    if (!skill) {
      nodes.push({ kind: 'unknown', id, name: id.slice(UNKNOWN.length), rank });
      continue;
    }
    const own = componentOf.get(id);
    const total = totals.get(id);
    const isInCycle = own?.isCyclic === true;
    nodes.push({ ...skillNode(analysis, skill, total), rank, isInCycle, findings: countFindings(id) });
    const composed = next(id);
    edges.set(
      id,
      inOrder([
        edgesOf(analysis, skill, composed, total, (to) => isInCycle && componentOf.get(to) === own),
        adapterEdges(analysis, id),
        mentionsOf(analysis, id).filter(({ to }) => targets.has(to) && !composed.includes(to)),
      ]),
    );
  }
  nodes.sort(byRank);
  yield;
  return {
    nodes,
    edges: inOrder(nodes.map(({ id }) => edges.get(id) ?? [])),
    cycles: components
      .filter(({ isCyclic }) => isCyclic)
      .map((component) => shortestCycle(component, next))
      .sort(([a = ''], [b = '']) => compared(a, b)),
    partial,
  };
}

/** Joins lists. The result can be iterated several times. */
const inOrder = <Item>(lists: readonly Iterable<Item>[]): Iterable<Item> => ({
  *[Symbol.iterator]() {
    for (const list of lists) yield* list;
  },
});

/** Returns the roots, and the skills that the text of the roots mentions. */
const withMentioned = (analysis: Analysis, roots: Iterable<string>): readonly string[] =>
  [...roots].flatMap((root) => [root, ...mentionsOf(analysis, root).map(({ to }) => to)]);

/** Returns whether any skill has entries in `composes`. */
export function hasCompositions({ graph }: Analysis): boolean {
  for (const { summary } of graph.skills.values()) if (summary.composes.length > 0) return true;
  return false;
}

const UNKNOWN = 'unknown:';

/**
 * Returns the IDs that the roots reach, including IDs for unknown skills, each with the IDs of the entries in its
 * `composes`.
 */
function* targetsWithin(
  graph: ResolvedGraph,
  roots: Iterable<string>,
): Generator<undefined, ReadonlyMap<string, readonly string[]>> {
  const targets = new Map<string, readonly string[]>();
  const waiting = [...roots].filter((uri) => graph.skills.has(uri));
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (targets.has(id)) continue;
    yield;
    const own = targetsOf(graph, id);
    targets.set(id, own);
    for (const to of own) if (!targets.has(to)) waiting.push(to);
    for (const { to } of adaptersOf(graph, id)) waiting.push(to);
  }
  return targets;
}

/** Returns the adapters of a skill, each with its position in `adapts`. */
function adaptersOf(graph: SkillGraph, id: string): readonly { readonly at: number; readonly to: string }[] {
  const skill = graph.skills.get(id);
  return (skill?.summary.adapts ?? []).flatMap(({ adapter }, at) => {
    const to = skill && resolveSummary(graph, skill, adapter)?.uri;
    return to === undefined || to === id ? [] : [{ at, to }];
  });
}

/** Returns the ID of the node of each entry in `composes`. */
function targetsOf(graph: ResolvedGraph, id: string): readonly string[] {
  const from = graph.skills.get(id);
  if (!from || from.summary.broken) return [];
  const known = new Map(graph.composedSkillsOf(from).map(({ entry, skill }) => [entry, skill.uri]));
  return from.summary.composes.map(
    ({ skill }, at) => known.get(at) ?? resolveSummary(graph, from, skill)?.uri ?? UNKNOWN + skill,
  );
}

/**
 * Returns, for each ID, the length of the longest path from a skill that no other skill composes, counted in
 * components.
 */
function* ranksOf(
  components: readonly Component[],
  next: (id: string) => readonly string[],
): Generator<undefined, ReadonlyMap<string, number>> {
  const ranks = new Map<string, number>();
  // Visits composites before the skills that they compose.
  for (const { ids } of [...components].reverse()) {
    yield;
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

/**
 * Returns the edges of one composite, which are computed when they are iterated. `targets` are the IDs of the entries in
 * `composes`.
 */
function edgesOf(
  analysis: Analysis,
  from: IndexedSkill,
  targets: readonly string[],
  sum: Totals | undefined,
  isWithinCycle: (to: string) => boolean,
): Iterable<GraphViewEdge> {
  if (targets.length === 0) return [];
  // Keeps only these parts of the file, and computes everything else when the edges are iterated.
  const composes = analysis.file(from.uri)?.contract.composes ?? [];
  const places = composes.map((entry) => entry.span);
  const names = composes.map(({ as }) => as?.name ?? null);
  return {
    *[Symbol.iterator]() {
      const { graph } = analysis;
      const { summary } = from;
      const stages = new Map<number, number>();
      for (const [at, stage] of stagesOf(graph, from).entries()) {
        for (const entry of stage) if (!stages.has(entry)) stages.set(entry, at + 1);
      }
      const uses = new Map(graph.composedSkillsOf(from).map((use) => [use.entry, use]));
      for (const [at, to] of targets.entries()) {
        const { skill = '', step = '' } = summary.composes[at] ?? {};
        const use = uses.get(at);
        const version = (use?.skill ?? graph.skills.get(to))?.summary.version ?? null;
        const adapter = use?.adapter?.summary.name ?? use?.missingAdapter ?? null;
        const ranges = summary.requires.length === 0 ? [] : rangesOf(graph, summary.requires, skill);
        const isAllowed = ranges.every((range) => validRange(range) === null || allows(range, version ?? undefined));
        yield {
          kind: 'composes',
          from: from.uri,
          to,
          uri: from.uri,
          span: places[at] ?? span(0, 0),
          step,
          as: names[at] ?? null,
          requires: ranges.length > 0 ? ranges.join(' ') : null,
          version,
          adapter,
          isAllowed: adapter !== null || isAllowed,
          stage: stages.get(at) ?? null,
          isInCycle: isWithinCycle(to),
          isCritical: sum?.critical.has(at) ?? false,
        };
      }
    },
  };
}

/** Returns the ranges in `requires` for a skill. */
function rangesOf(graph: SkillGraph, requires: SkillSummary['requires'], skill: string): readonly string[] {
  const main = mainName(graph, skill);
  return requires.flatMap((one) => (mainName(graph, one.skill) === main ? (one.range ?? []) : []));
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
