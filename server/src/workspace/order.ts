/** The order in which the composed skills of a composite run, and the stages and levels derived from it. */
import { isObject } from '../languages/schema/model.ts';
import type { Json } from '../languages/yaml/node.ts';
import {
  type CompositionOrder,
  type FieldNames,
  type FlowNames,
  fieldNamesOf,
  flowNames,
  orderByData,
} from '../skill/composition-order.ts';
import type { PlanNode } from '../skill/execution/execution.ts';
import type { ComposedSkill } from '../skill/summary.ts';
import { giverOf, type ResolvedUse } from './resolve-skill.ts';
import type { ResolvedGraph } from './resolved-graph.ts';
import type { IndexedSkill } from './workspace-index.ts';

/** A node of the order. `entry` is an index in `composes`. */
export type OrderNode =
  | {
      readonly kind: 'step';
      readonly entry: number;
      /** The attempts of the step's own `retry`. */
      readonly attempts?: number | undefined;
    }
  | { readonly kind: 'parallel'; readonly steps: readonly OrderNode[] }
  | { readonly kind: 'branch'; readonly arms: readonly (readonly OrderNode[])[] };

/**
 * Returns the order of `execution`, without steps that are not in `composes`. Without `execution`, returns the
 * order of the data, in which independent neighbours are parallel. Never throws. Implements docs/format.md, section
 * 4, "Execution".
 */
export function orderOf(graph: ResolvedGraph, skill: IndexedSkill): readonly OrderNode[] {
  const { composes, execution } = skill.summary;
  if (execution) {
    const entries = new Map(composes.map(({ step }, entry) => [step, entry] as const).reverse());
    return orderOfPlan(execution, entries);
  }
  return dataOrderOf(graph, skill).groups.map((group) => {
    const steps = group.map((entry) => ({ kind: 'step', entry }) as const);
    return steps.length === 1 && steps[0] ? steps[0] : { kind: 'parallel', steps };
  });
}

/**
 * Returns the order in which the composed skills run without an `execution`: the topological order of their data.
 * Never throws. Implements docs/format.md, section 4, "Execution".
 */
export const dataOrderOf = (graph: ResolvedGraph, skill: IndexedSkill): CompositionOrder =>
  graph.keep(skill, findDataOrder);

function findDataOrder(graph: ResolvedGraph, skill: IndexedSkill): CompositionOrder {
  const resolved = new Map(graph.composedSkillsOf(skill).map((entry) => [entry.entry, entry]));
  const flows = skill.summary.composes.map((composed, entry) => flowOf(graph, composed, resolved.get(entry)));
  return orderByData(flows, fieldsOf(skill.summary.inputs).fields);
}

const orderOfPlan = (nodes: readonly PlanNode[], entries: ReadonlyMap<string, number>): readonly OrderNode[] =>
  nodes.flatMap((node): readonly OrderNode[] => {
    if (node.kind === 'parallel') return [{ kind: 'parallel', steps: orderOfPlan(node.steps, entries) }];
    if (node.kind === 'branch') {
      return [{ kind: 'branch', arms: node.arms.map((arm) => orderOfPlan(arm, entries)) }];
    }
    const entry = entries.get(node.step);
    return entry === undefined ? [] : [{ kind: 'step', entry, attempts: node.attempts }];
  });

/**
 * Returns the names that a composed skill reads and that it or its adapter writes; undefined for an unknown skill or
 * adapter.
 */
function flowOf(
  graph: ResolvedGraph,
  { inputMapping, outputMapping }: ComposedSkill,
  use: ResolvedUse | undefined,
): FlowNames | undefined {
  const giver = use && giverOf(use);
  if (!use || !giver) return undefined;
  const isPlain = inputMapping === null && outputMapping === null && giver === use.skill;
  return isPlain ? graph.keep(giver, plainFlowOf) : flowBetween(use.skill, giver, inputMapping, outputMapping);
}

/** Returns the flow of a skill without mappings and adapter. */
const plainFlowOf = (_: ResolvedGraph, skill: IndexedSkill): FlowNames | undefined =>
  flowBetween(skill, skill, null, null);

const flowBetween = (taker: IndexedSkill, giver: IndexedSkill, inputMapping: Json, outputMapping: Json) =>
  flowNames(
    { ...fieldsOf(taker.summary.inputs), mapping: stringsOf(inputMapping) },
    { ...fieldsOf(giver.summary.outputs), mapping: stringsOf(outputMapping) },
  );

/** Returns the fields of a schema; no fields without a schema. */
const fieldsOf = (schema: FieldNames | undefined): FieldNames => schema ?? fieldNamesOf(undefined);

const stringsOf = (mapping: Json): readonly (readonly [string, string])[] =>
  isObject(mapping)
    ? Object.entries(mapping).flatMap(([a, b]) => (typeof b === 'string' ? [[a, b] as const] : []))
    : [];

// Levels of skills, declared or derived (docs/format.md, section 4).

/**
 * Returns the declared level; without one, the highest of `partLevels` plus 1, or 1 for a skill that composes nothing.
 * May exceed 3. Never throws. Implements docs/format.md, section 4.
 */
export const levelOf = ({ summary }: IndexedSkill, partLevels: readonly number[]): number =>
  summary.level ?? partLevels.reduce((top, level) => Math.max(top, level + 1), summary.composes.length > 0 ? 2 : 1);

/** Returns the levels of a skill and its closure, by URI. Ignores the edge that closes a cycle. Never throws. */
export function levelsOf(graph: ResolvedGraph, root: IndexedSkill): ReadonlyMap<string, number> {
  const levels = new Map<string, number>();
  for (const skill of [...graph.closureOf(root), root]) {
    const composed = graph
      .composedSkillsOf(skill)
      .flatMap((composedSkill) => levels.get(composedSkill.skill.uri) ?? []);
    levels.set(skill.uri, levelOf(skill, composed));
  }
  return levels;
}

// The order of one composite as stages, whose skills may run in parallel.

/** Composed skills that may run in parallel, as indices in `composes`. */
type Stage = readonly number[];

/** Returns the stages of a composite; empty for other skills. The arms of a branch share stages. Never throws. */
export const stagesOf = (graph: ResolvedGraph, skill: IndexedSkill): readonly Stage[] =>
  stagesOfOrder(orderOf(graph, skill))
    .map((stage) => [...new Set(stage)])
    .filter((stage) => stage.length > 0);

/** Returns the names of the steps in each stage. Never throws. */
export const stepsByStage = (graph: ResolvedGraph, skill: IndexedSkill): readonly (readonly string[])[] =>
  stagesOf(graph, skill).map((stage) => stage.flatMap((entry) => skill.summary.composes[entry]?.step ?? []));

const stagesOfOrder = (nodes: readonly OrderNode[]): readonly Stage[] => nodes.flatMap(stagesOfNode);

function stagesOfNode(node: OrderNode): readonly Stage[] {
  if (node.kind === 'step') return [[node.entry]];
  return sideBySide(node.kind === 'branch' ? node.arms.map(stagesOfOrder) : node.steps.map(stagesOfNode));
}

function sideBySide(tracks: readonly (readonly Stage[])[]): readonly Stage[] {
  const length = tracks.reduce((longest, track) => Math.max(longest, track.length), 0);
  return Array.from({ length }, (_, at) => tracks.flatMap((track) => track[at] ?? []));
}

// The order in which many files are checked.

/**
 * Yields all URIs: composed skills shortly before their composites, and the skills of a cycle in any order. The check
 * of a composite reads its composed skills, and an analysis caches only the most recently used closed files. Computed
 * lazily. Never throws.
 */
export function* partsFirst(graph: ResolvedGraph, uris: Iterable<string>): Iterable<string> {
  const left = new Set(uris);
  for (const start of left) {
    const agenda = [start];
    // The loop also visits URIs that are added during the loop.
    for (const next of agenda) {
      for (const uri of afterTheirComposedSkills(graph, next, left)) {
        yield uri;
        // Includes files that mention the skill without composing it; excluding them would cost more.
        for (const other of graph.mentionedBy.get(nameIn(graph, uri)) ?? []) if (left.has(other)) agenda.push(other);
      }
    }
  }
}

const nameIn = (graph: ResolvedGraph, uri: string): string => graph.skills.get(uri)?.summary.name ?? '';

/** Yields the URIs of a closure that are in `left`, composed skills first, and removes them from `left`. */
function* afterTheirComposedSkills(graph: ResolvedGraph, root: string, left: Set<string>): Iterable<string> {
  // No recursion: a chain may be longer than the call stack.
  const stack = left.delete(root) ? [enter(graph, root)] : [];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const composedSkill = top.composed[top.next++];
    if (composedSkill === undefined) {
      stack.pop();
      yield top.uri;
    } else if (left.delete(composedSkill.skill.uri)) stack.push(enter(graph, composedSkill.skill.uri));
  }
}

function enter(graph: ResolvedGraph, uri: string) {
  const skill = graph.skills.get(uri);
  return { uri, composed: skill ? graph.composedSkillsOf(skill) : [], next: 0 };
}
