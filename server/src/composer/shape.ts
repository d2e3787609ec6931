/** The subgraph that a composition runs as (docs/composer.md, steps 5 to 7): pure data, at every depth. */

import type {
  InvocationSource,
  PackageArtifact,
  PackageSkill,
  SkillPackage,
  ToolDescriptor,
} from '../skill/package.ts';
import type { CapabilitySet, ComposeError, Decision, Limits, SubgraphShape } from './composition.ts';
import type { ConditionContext } from './conditions.ts';
import { isMap } from './json.ts';
import type { TemplateEngine } from './render/engine.ts';
import { addDecision, type ShapeContext } from './shape/context.ts';
import { addExecution } from './shape/execution.ts';
import { exitConditionOf } from './shape/exit.ts';
import { addNode, newGraph, type OpenEdge } from './shape/graph.ts';
import { hasLoop } from './shape/has-loop.ts';
import { attachInterrupts } from './shape/interrupts.ts';
import { addLoops, closingOf, policyOf, stagesOf } from './shape/loop.ts';
import { addSkill } from './shape/nested.ts';
import { narrowToApproach, topTools } from './shape/tools.ts';

interface ShapeInput {
  readonly engine: TemplateEngine;
  readonly skillPackage: SkillPackage;
  readonly availableTools: readonly ToolDescriptor[];
  readonly capabilities: CapabilitySet;
  readonly source: InvocationSource;
  readonly approach: PackageArtifact | undefined;
  /** From `conditionContext`; composed skills get their inputs from its `parameters`. */
  readonly context: ConditionContext;
  readonly limits: Limits;
}

export interface Shaped {
  readonly shape: SubgraphShape;
  /** On composed skills and their tools and approaches, on interrupts, and on tools that the approach leaves out. */
  readonly decisions: readonly Decision[];
  readonly errors: readonly ComposeError[];
}

export function shapeSubgraph(input: ShapeInput): Shaped {
  const { engine, capabilities, source, limits, skillPackage } = input;
  const { scope = null, source: from = source, model = null, parameters } = input.context;
  const context: ShapeContext = {
    shared: {
      engine,
      capabilities,
      source,
      limits,
      ambient: { scope, source: from, model },
      decisions: new Map(),
      errors: new Map(),
      nested: 0,
      buildShape,
    },
    skillPackage,
    graph: newGraph(),
    path: [],
    topEntry: undefined,
    knownInput: isMap(parameters) ? parameters : {},
    runtimeInput: new Set(),
    runtimeNames: new Set(),
  };
  const shape = buildShape(context, topTools(context, input.availableTools), input.approach);
  const { decisions, errors } = context.shared;
  return { shape, decisions: [...decisions.values()], errors: [...errors.values()] };
}

function buildShape(
  context: ShapeContext,
  available: readonly string[],
  approach: PackageArtifact | undefined,
): SubgraphShape {
  const { skillPackage, graph, shared } = context;
  const { uri, headSpan, inputSchema, outputSchema } = skillPackage;
  const tools = narrowToApproach(context, available, approach);
  const input = inputSchema && inputSchema.form !== 'empty' ? inputSchema.span : headSpan;
  const begin = addNode(graph, [], {
    id: 'validate_input',
    kind: 'validate_input',
    label: 'Validate input',
    uri,
    span: input,
    ...(inputSchema && { schema: inputSchema.json }),
  });
  const end = addWork(context, begin, tools, approach);
  const output = outputSchema && outputSchema.form !== 'empty' ? outputSchema.span : headSpan;
  const closing = closingOf(context, approach);
  addNode(graph, end, {
    id: 'check_exit',
    kind: 'check_exit',
    label: 'Check exit',
    uri,
    span: output,
    ...(closing !== '' && { instructions: closing }),
  });
  const { nodes, interrupts } = attachInterrupts(context);
  return {
    nodes,
    edges: graph.edges,
    toolAvailability: tools,
    interrupts,
    exitCondition: exitConditionOf(skillPackage, shared.limits),
    delegated: skillPackage.plannerDelegatesShape,
  };
}

/** All that lies between the input and the exit. */
function addWork(
  context: ShapeContext,
  open: readonly OpenEdge[],
  tools: readonly string[],
  approach: PackageArtifact | undefined,
): readonly OpenEdge[] {
  const { skillPackage, graph } = context;
  if (skillPackage.backed) {
    const { uri, headSpan: span } = skillPackage;
    const service = { id: 'call_service', kind: 'call_service', label: 'Call the service', uri, span } as const;
    return addNode(graph, open, { ...service, ...policyOf(context) });
  }
  const staged = stagesOfSkills(context, approach);
  const unstaged = skillPackage.composes.filter((entry) => !staged.has(entry));
  const before = skillPackage.execution
    ? addExecution(context, open, skillPackage.execution)
    : addInOrder(context, open, unstaged, 'runs in the order of composes');
  if (!hasLoop(skillPackage)) return before;
  const beforeStage = (stage: number, last: readonly OpenEdge[]): readonly OpenEdge[] => {
    const entries = [...staged].flatMap(([entry, at]) => (at === stage ? [entry] : []));
    return addInOrder(context, last, entries, `runs in stage ${stage + 1}, which refers to it`);
  };
  return addLoops(context, before, { tools, approach, beforeStage });
}

const addInOrder = (
  context: ShapeContext,
  open: readonly OpenEdge[],
  entries: readonly PackageSkill[],
  reason: string,
): readonly OpenEdge[] =>
  entries.reduce((last, entry) => {
    addDecision(context, { span: entry.span, subject: 'skill', name: entry.name, taken: true, reason });
    return addSkill(context, last, entry);
  }, open);

/** The first stage that refers to a composed skill, by its name or by that of its step; none where `execution` gives the order. */
function stagesOfSkills(
  context: ShapeContext,
  approach: PackageArtifact | undefined,
): ReadonlyMap<PackageSkill, number> {
  const { composes, execution } = context.skillPackage;
  const found = new Map<PackageSkill, number>();
  if (execution) return found;
  stagesOf(context, approach).forEach(({ references }, at) => {
    for (const { kind, name } of references) {
      const entry = kind === 'skill' ? composes.find((one) => one.step === name || one.name === name) : undefined;
      if (entry && !found.has(entry)) found.set(entry, at);
    }
  });
  return found;
}
