/** Makes the subgraph of a composition (docs/composer.md, steps 5 to 7) as plain data at every depth. */

import {
  hasLoop,
  type InvocationSource,
  type PackageArtifact,
  type SkillPackage,
  type ToolDescriptor,
} from '../skill/package.ts';
import type { CapabilitySet, ComposeError, Decision, Limits, Subgraph } from './composition.ts';
import type { ConditionContext } from './conditions.ts';
import { isMap } from './json.ts';
import type { TemplateEngine } from './render/engine.ts';
import { withoutAbsentTools } from './subgraph/absent-tools.ts';
import { addExecution, addSkillGroups, groupSkillsByStage } from './subgraph/execution.ts';
import { addNode, exitConditionOf, newGraph, type OpenEdge, type SubgraphContext } from './subgraph/graph.ts';
import { attachInterrupts } from './subgraph/interrupts.ts';
import { addLoops, closingOf, policyOf, stagesOf } from './subgraph/loop.ts';
import { narrowToApproach, topTools } from './subgraph/nested.ts';

interface SubgraphInput {
  readonly engine: TemplateEngine;
  readonly skillPackage: SkillPackage;
  readonly availableTools: readonly ToolDescriptor[];
  readonly capabilities: CapabilitySet;
  readonly source: InvocationSource;
  readonly approach: PackageArtifact | undefined;
  /** The result of `conditionContext`; composed skills get their inputs from its `parameters`. */
  readonly context: ConditionContext;
  readonly limits: Limits;
}

export interface SubgraphResult {
  readonly shape: Subgraph;
  /**
   * Decisions on interrupts, composed skills with their tools and approaches, and tools that the approach leaves out.
   */
  readonly decisions: readonly Decision[];
  readonly errors: readonly ComposeError[];
}

/** Returns the subgraph of a skill with all decisions and errors (docs/composer.md, steps 5 to 7). Never throws. */
export function shapeSubgraph(input: SubgraphInput): SubgraphResult {
  const { engine, capabilities, source, limits, skillPackage } = input;
  const { scope = null, source: from = source, model = null, parameters } = input.context;
  const context: SubgraphContext = {
    shared: {
      engine,
      capabilities,
      source,
      model: typeof model === 'string' ? model : undefined,
      limits,
      contextVariables: { scope, source: from, model },
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
  context: SubgraphContext,
  available: readonly string[],
  chosen: PackageArtifact | undefined,
): Subgraph {
  const { skillPackage, graph, shared } = context;
  const { uri, headSpan, inputSchema, outputSchema } = skillPackage;
  const tools = narrowToApproach(context, available, chosen);
  const approach = withoutAbsentTools(context, chosen, available);
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

/** Adds the nodes between the input and the exit. */
function addWork(
  context: SubgraphContext,
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
  const loops = hasLoop(skillPackage);
  const stages = loops ? stagesOf(context, approach) : [];
  const turns = skillPackage.execution ? [] : groupSkillsByStage(skillPackage, stages);
  const addBefore = (stage: number, last: readonly OpenEdge[]): readonly OpenEdge[] => {
    const own = turns.filter((turn) => turn.stage === stage);
    return addSkillGroups(context, last, own, stages);
  };
  const before = skillPackage.execution ? addExecution(context, open, skillPackage.execution) : open;
  // Without stages, all composed skills run before the only loop.
  if (stages.length === 0) {
    const last = addBefore(0, before);
    return loops ? addLoops(context, last, { tools, approach, beforeStage: (_, ahead) => ahead }) : last;
  }
  return addLoops(context, before, { tools, approach, beforeStage: addBefore });
}
