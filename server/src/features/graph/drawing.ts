/** Names, groups and labels for the drawings of a graph in Mermaid and Graphviz. */
import { dollars, duration } from '../../amounts.ts';
import type { GraphView, GraphViewEdge, GraphViewNode } from '../../protocol.ts';

/** Nodes that a layout puts side by side. */
export interface Group {
  readonly title: string;
  readonly nodes: readonly GraphViewNode[];
}

export interface Groups {
  /** From the top down; none where there would be only one. */
  readonly groups: readonly Group[];
  /** True where a group runs after the one before it. */
  readonly areStages: boolean;
}

/** The stages in which the parts of a single skill run, where there are several; else the levels, workflows first. */
export function groupsOf(view: GraphView, root: string | undefined): Groups {
  const stages = root === undefined ? [] : stagesOfRoot(view, root);
  if (stages.length > 1) return { groups: stages, areStages: true };
  const levels = levelsOf(view.nodes);
  return { groups: levels.length > 1 ? levels : [], areStages: false };
}

const levelOf = (node: GraphViewNode): number | null => (node.kind === 'skill' ? node.level : null);

function levelsOf(nodes: readonly GraphViewNode[]): readonly Group[] {
  const levels = [...new Set(nodes.flatMap((node) => levelOf(node) ?? []))].sort((a, b) => b - a);
  return levels.map((level) => ({
    title: `Level ${level}`,
    nodes: nodes.filter((node) => levelOf(node) === level),
  }));
}

function stagesOfRoot({ nodes, edges }: GraphView, root: string): readonly Group[] {
  const stageOf = new Map<string, number>();
  for (const { from, to, stage } of edges) {
    if (from !== root || to === root || stage === null) continue;
    stageOf.set(to, Math.min(stage, stageOf.get(to) ?? stage));
  }
  const stages = [...new Set(stageOf.values())].sort((a, b) => a - b);
  return stages.map((stage) => ({
    title: `Stage ${stage}`,
    nodes: nodes.filter(({ id }) => stageOf.get(id) === stage),
  }));
}

/** Names that a drawing language takes without quotes, by id; readable, and each once. */
export function drawnNames(nodes: readonly GraphViewNode[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  return new Map(
    nodes.map(({ id, name }) => {
      const base = `s_${name.replaceAll(/[^A-Za-z0-9]+/g, '_').slice(0, 64)}`;
      let own = base;
      for (let number = 2; taken.has(own); number++) own = `${base}__${number}`;
      taken.add(own);
      return [id, own] as const;
    }),
  );
}

/** The lines of a node's label. */
export function nodeLabel(node: GraphViewNode): readonly string[] {
  if (node.kind === 'unknown') return [shortened(node.name), 'unknown skill'];
  const { name, version, level, p95, cost, operation, isDeprecated, isDisabled } = node;
  const time = p95?.declared ?? p95?.ofParts;
  const price = cost?.declared ?? cost?.ofParts;
  const facts = [
    version,
    level !== null && `level ${level}`,
    operation,
    isDeprecated && 'deprecated',
    isDisabled && 'disabled in this workspace',
    typeof time === 'number' && duration(time),
    typeof price === 'number' && dollars(price),
  ];
  const line = facts
    .filter((fact) => typeof fact === 'string')
    .map(shortened)
    .join(' · ');
  return [shortened(name), ...(line === '' ? [] : [line])];
}

/** The label of an edge, which may be empty. */
export function edgeLabel(
  { as, requires, version, isAllowed, stage, isInCycle }: GraphViewEdge,
  stages: number,
): string {
  const facts = [
    isInCycle && 'cycle',
    stage !== null && stages > 1 && `stage ${stage}`,
    as !== null && `as ${shortened(as)}`,
    requires !== null &&
      shortened(requires) + (version === null ? '' : ` → ${isAllowed ? '' : 'not '}${shortened(version)}`),
  ];
  return facts.filter((fact) => typeof fact === 'string').join(' · ');
}

const MAX_LABEL = 80;

function shortened(text: string): string {
  const characters = [...text.slice(0, 2 * MAX_LABEL)];
  return characters.length > MAX_LABEL ? `${characters.slice(0, MAX_LABEL - 1).join('')}…` : text;
}

/** How many stages each composer has, by id. */
export const stageCounts = ({ nodes }: GraphView): ReadonlyMap<string, number> =>
  new Map(nodes.map((node) => [node.id, node.kind === 'skill' ? node.stages.length : 0]));
