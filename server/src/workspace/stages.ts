/** The order in which the steps of one skill run, as stages whose steps may run side by side. */
import { isObject } from '../languages/schema/model.ts';
import type { Json } from '../languages/yaml/node.ts';
import type { PlanNode } from '../skill/execution.ts';
import type { ComposedSkill, SchemaSummary } from '../skill/summary.ts';
import type { Part } from './parts-and-composers.ts';
import type { ResolvedGraph } from './resolved-graph.ts';
import type { IndexedSkill } from './workspace-index.ts';

/** Steps by the names that `execution` calls them. */
export type Stage = readonly string[];

/**
 * With an `execution` its groups, arms of a branch in the same stages. Without one a step runs after those whose outputs
 * it takes. None for an atomic skill.
 */
export function stagesOf(graph: ResolvedGraph, skill: IndexedSkill): readonly Stage[] {
  const { composes, execution } = skill.summary;
  if (!execution) return stagesOfFlow(composes, graph.partsOf(skill));
  const known = new Set(composes.map(({ step }) => step));
  return stagesOfPlan(execution)
    .map((stage) => [...new Set(stage)].filter((step) => known.has(step)))
    .filter((stage) => stage.length > 0);
}

const stagesOfPlan = (nodes: readonly PlanNode[]): readonly Stage[] => nodes.flatMap(stagesOfNode);

function stagesOfNode(node: PlanNode): readonly Stage[] {
  if (node.kind === 'step') return [[node.step]];
  if (node.kind === 'branch') return sideBySide(node.arms.map(stagesOfPlan));
  const until = node.kind === 'speculate' && node.until !== undefined ? [[[node.until]]] : [];
  return sideBySide([...node.steps.map(stagesOfNode), ...until]);
}

function sideBySide(tracks: readonly (readonly Stage[])[]): readonly Stage[] {
  const length = tracks.reduce((longest, track) => Math.max(longest, track.length), 0);
  return Array.from({ length }, (_, at) => tracks.flatMap((track) => track[at] ?? []));
}

/** The order of `composes` decides where two steps read or write one value of the flow, or where that is not known. */
function stagesOfFlow(composes: readonly ComposedSkill[], parts: readonly Part[]): readonly Stage[] {
  const skills = new Map(parts.map(({ entry, skill }) => [entry, skill]));
  const stages: string[][] = [];
  const written = new Map<string, number>();
  const read = new Map<string, number>();
  let floor = 0;
  for (const [entry, composed] of composes.entries()) {
    const flow = flowOf(composed, skills.get(entry));
    let at = flow ? floor : stages.length;
    for (const name of flow?.takes ?? []) at = Math.max(at, 1 + (written.get(name) ?? -1));
    for (const name of flow?.gives ?? []) at = Math.max(at, 1 + (written.get(name) ?? -1), 1 + (read.get(name) ?? -1));
    for (const name of flow?.takes ?? []) read.set(name, Math.max(at, read.get(name) ?? 0));
    for (const name of flow?.gives ?? []) written.set(name, at);
    if (!flow) floor = at + 1;
    const stage = stages[at];
    if (stage) stage.push(composed.step);
    else stages.push([composed.step]);
  }
  return stages;
}

interface Flow {
  /** The names of the flow's values. */
  readonly takes: readonly string[];
  readonly gives: readonly string[];
}

/** Undefined where the skill is not known, or a schema does not say its fields. */
function flowOf({ inputMapping, outputMapping }: ComposedSkill, skill: IndexedSkill | undefined): Flow | undefined {
  const inputs = skill && fieldsOf(skill.summary.inputs);
  const outputs = skill && fieldsOf(skill.summary.outputs);
  if (!inputs || !outputs) return undefined;
  const sources = new Map(stringsOf(inputMapping).map(([flow, own]) => [own, flow]));
  const targets = new Map(stringsOf(outputMapping));
  return {
    takes: inputs.map((name) => sources.get(name) ?? name),
    gives: outputs.map((name) => targets.get(name) ?? name),
  };
}

/** The fields of a schema; none for a skill that has no such schema. */
const fieldsOf = (schema: SchemaSummary | undefined): readonly string[] | undefined => (schema ? schema.fields : []);

const stringsOf = (mapping: Json): readonly (readonly [string, string])[] =>
  isObject(mapping)
    ? Object.entries(mapping).flatMap(([a, b]) => (typeof b === 'string' ? [[a, b] as const] : []))
    : [];
