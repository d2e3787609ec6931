/** The subgraph that a composition runs as (composer.md, steps 5 to 7): pure data, at every depth. */

import type { Json } from '../languages/yaml/node.ts';
import type {
  InvocationSource,
  PackageArtifact,
  PackageSkill,
  SkillPackage,
  ToolDescriptor,
} from '../skill/package.ts';
import type { CapabilitySet, ComposeError, Decision, Limits, SubgraphShape } from './composition.ts';
import { exitConditionOf } from './shape/exit.ts';
import { addExecution, addSkill, type Flow } from './shape/flow.ts';
import { addNode, type End, newGraph } from './shape/graph.ts';
import { attachInterrupts } from './shape/interrupts.ts';
import { addLoops, policyOf, stagesOf } from './shape/loop.ts';
import { decide, type Site } from './shape/site.ts';
import { narrowTools, topTools } from './shape/tools.ts';

export interface ShapeInput {
  readonly skillPackage: SkillPackage;
  readonly availableTools: readonly ToolDescriptor[];
  readonly capabilities: CapabilitySet;
  readonly source: InvocationSource;
  readonly approach: PackageArtifact | undefined;
  /** What `conditionContext` gives; its `parameters` are what composed skills get their inputs from. */
  readonly context: Readonly<Record<string, Json>>;
  readonly limits: Limits;
}

export interface Shaped {
  readonly shape: SubgraphShape;
  /** On composed skills and their tools and approaches, on interrupts, and on tools that the approach leaves out. */
  readonly decisions: readonly Decision[];
  readonly errors: readonly ComposeError[];
}

export function shapeSubgraph(input: ShapeInput): Shaped {
  const { capabilities, source, limits, context, skillPackage } = input;
  const { scope = null, source: from = source, model = null, parameters } = context;
  const site: Site = {
    gathering: {
      capabilities,
      source,
      limits,
      ambient: { scope, source: from, model },
      decisions: new Map(),
      errors: new Map(),
      nested: 0,
    },
    skillPackage,
    through: [],
    entry: undefined,
    input: isMap(parameters) ? parameters : {},
    lateInput: new Set(),
    late: new Set(),
  };
  const shape = shapeAt(site, topTools(site, input.availableTools), input.approach);
  const { decisions, errors } = site.gathering;
  return { shape, decisions: [...decisions.values()], errors: [...errors.values()] };
}

function shapeAt(site: Site, available: readonly string[], approach: PackageArtifact | undefined): SubgraphShape {
  const { skillPackage, gathering } = site;
  const { uri, headSpan, inputSchema, outputSchema } = skillPackage;
  const graph = newGraph();
  const tools = narrowTools(site, available, approach);
  const input = inputSchema && inputSchema.form !== 'empty' ? inputSchema.span : headSpan;
  const begin = addNode(graph, [], {
    id: 'validate_input',
    kind: 'validate_input',
    label: 'Validate input',
    uri,
    span: input,
    ...(inputSchema && { schema: inputSchema.json }),
  });
  const end = addWork({ site, graph, shapeAt }, begin, tools, approach);
  const output = outputSchema && outputSchema.form !== 'empty' ? outputSchema.span : headSpan;
  addNode(graph, end, { id: 'check_exit', kind: 'check_exit', label: 'Check exit', uri, span: output });
  const { nodes, interrupts } = attachInterrupts(site, graph.nodes);
  return {
    nodes,
    edges: graph.edges,
    toolAvailability: tools,
    interrupts,
    exitCondition: exitConditionOf(skillPackage, gathering.limits),
    delegated: skillPackage.plannerDelegatesShape,
  };
}

/** All that lies between the input and the exit. */
function addWork(
  flow: Flow,
  ends: readonly End[],
  tools: readonly string[],
  approach: PackageArtifact | undefined,
): readonly End[] {
  const { site, graph } = flow;
  const { skillPackage } = site;
  if (skillPackage.backed) {
    const { uri, headSpan: span } = skillPackage;
    const service = { id: 'call_service', kind: 'call_service', label: 'Call the service', uri, span } as const;
    return addNode(graph, ends, { ...service, ...policyOf(site) });
  }
  const hasLoop = hasModel(skillPackage);
  const staged = stagesOfSkills(site, hasLoop ? approach : undefined);
  const before = skillPackage.execution
    ? addExecution(flow, ends, skillPackage.execution)
    : addInOrder(
        flow,
        ends,
        skillPackage.composes.filter((entry) => !staged.has(entry)),
      );
  if (!hasLoop) return before;
  const beforeStage = (stage: number, open: readonly End[]): readonly End[] =>
    [...staged]
      .filter(([, at]) => at === stage)
      .reduce((last, [entry]) => {
        say(site, entry, `runs in stage ${stage + 1}, which refers to it`);
        return addSkill(flow, last, entry);
      }, open);
  return addLoops(site, graph, before, { tools, approach, beforeStage });
}

function addInOrder(flow: Flow, ends: readonly End[], entries: readonly PackageSkill[]): readonly End[] {
  return entries.reduce((open, entry) => {
    say(flow.site, entry, 'runs in the order of composes');
    return addSkill(flow, open, entry);
  }, ends);
}

const say = (site: Site, { name, span }: PackageSkill, reason: string): void =>
  decide(site, { span, subject: 'skill', name, taken: true, reason });

/** A contract that composes skills and frames nothing says all there is by their order. */
const hasModel = ({ dialect, composes, framing }: SkillPackage): boolean =>
  dialect !== 'contract' || composes.length === 0 || framing !== undefined;

/** The first stage that refers to a composed skill, by its name or by what steps call it; none where `execution` gives the order. */
function stagesOfSkills(site: Site, approach: PackageArtifact | undefined): ReadonlyMap<PackageSkill, number> {
  const { composes, execution } = site.skillPackage;
  const found = new Map<PackageSkill, number>();
  if (execution) return found;
  stagesOf(site, approach).forEach(({ references }, at) => {
    for (const { kind, name } of references) {
      const entry = kind === 'skill' ? composes.find((one) => one.step === name || one.name === name) : undefined;
      if (entry && !found.has(entry)) found.set(entry, at);
    }
  });
  return found;
}

const isMap = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
