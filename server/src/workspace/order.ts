/** The one order in which the parts of a skill run, which stages and budgets are read from. */
import { isObject } from '../languages/schema/model.ts';
import type { Json } from '../languages/yaml/node.ts';
import type { PlanNode } from '../skill/execution/execution.ts';
import { type FlowNames, flowNames, groupNeighbours } from '../skill/neighbours.ts';
import type { ComposedSkill, SchemaSummary } from '../skill/summary.ts';
import type { ResolvedGraph } from './resolved-graph.ts';
import type { IndexedSkill } from './workspace-index.ts';

/** Parts by the indices of their entries in `composes`. */
export type OrderNode =
  | { readonly kind: 'step'; readonly entry: number }
  | { readonly kind: 'parallel'; readonly steps: readonly OrderNode[] }
  | { readonly kind: 'branch'; readonly arms: readonly (readonly OrderNode[])[] };

/** As `execution` gives it, without the steps that name no entry; else that of `composes`. */
export function orderOf(graph: ResolvedGraph, skill: IndexedSkill): readonly OrderNode[] {
  const { composes, execution } = skill.summary;
  if (execution) {
    const entries = new Map(composes.map(({ step }, entry) => [step, entry] as const).reverse());
    return orderOfPlan(execution, entries);
  }
  const parts = new Map(graph.partsOf(skill).map((part) => [part.entry, part.skill]));
  const groups = groupNeighbours(composes.map((composed, entry) => flowOf(composed, parts.get(entry))));
  return groups.map((group) => {
    const steps = group.map((entry) => ({ kind: 'step', entry }) as const);
    return steps.length === 1 && steps[0] ? steps[0] : { kind: 'parallel', steps };
  });
}

const orderOfPlan = (nodes: readonly PlanNode[], entries: ReadonlyMap<string, number>): readonly OrderNode[] =>
  nodes.flatMap((node): readonly OrderNode[] => {
    if (node.kind === 'parallel') return [{ kind: 'parallel', steps: orderOfPlan(node.steps, entries) }];
    if (node.kind === 'branch') {
      return [{ kind: 'branch', arms: node.arms.map((arm) => orderOfPlan(arm, entries)) }];
    }
    const entry = entries.get(node.step);
    return entry === undefined ? [] : [{ kind: 'step', entry }];
  });

/** Undefined where the skill is not known. */
const flowOf = (
  { inputMapping, outputMapping }: ComposedSkill,
  skill: IndexedSkill | undefined,
): FlowNames | undefined =>
  skill &&
  flowNames(
    { fields: fieldsOf(skill.summary.inputs), mapping: stringsOf(inputMapping) },
    { fields: fieldsOf(skill.summary.outputs), mapping: stringsOf(outputMapping) },
  );

/** The fields of a schema; none for a skill that has no such schema. */
const fieldsOf = (schema: SchemaSummary | undefined): readonly string[] | undefined => (schema ? schema.fields : []);

const stringsOf = (mapping: Json): readonly (readonly [string, string])[] =>
  isObject(mapping)
    ? Object.entries(mapping).flatMap(([a, b]) => (typeof b === 'string' ? [[a, b] as const] : []))
    : [];
