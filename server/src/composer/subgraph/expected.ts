/** The probable tool calls and the interrupts of a subgraph, with all composed skills (docs/composer.md, "Request and result"). */
import type { PackageArtifact, PackageReference, SkillPackage } from '../../skill/package.ts';
import type { GraphNode, Subgraph } from '../composition.ts';
import { findFraming, type ModelNames } from '../find-framing.ts';

/**
 * Returns the tools to which the approach (or, without an approach, the framing) refers, each once, in the order of the
 * text; if the text refers to no tools, returns the approach's `tools`. Names that are not in `available` are left out.
 */
export function expectedTools(
  skillPackage: SkillPackage,
  models: ModelNames,
  approach: PackageArtifact | undefined,
  available: readonly string[],
): readonly string[] {
  const named = toolsIn(approach ? approach.references : framingReferences(skillPackage, models));
  const sequence = named.length > 0 ? named : (approach?.tools ?? []).map(({ name }) => name);
  return [...new Set(sequence)].filter((name) => available.includes(name));
}

function framingReferences(skillPackage: SkillPackage, models: ModelNames): readonly PackageReference[] {
  const framing = findFraming(skillPackage, models);
  return framing?.kind === 'template' ? framing.template.references : skillPackage.proseReferences;
}

const toolsIn = (references: readonly PackageReference[]): readonly string[] =>
  references.flatMap(({ kind, name }) => (kind === 'tool' ? [name] : []));

/**
 * Returns the tools that a graph and the graphs of its composed skills probably call, in the order of the run; a tool
 * may occur twice. `own` has the tools of each graph itself. Fallbacks are left out, because no failure is expected.
 */
export function callsOf(graph: Subgraph, own: ReadonlyMap<Subgraph, readonly string[]>): readonly string[] {
  const calls: string[] = [];
  const open = [...(own.get(graph) ?? [])];
  for (const { tools = [], subgraph } of reachableNodes(graph)) {
    if (subgraph) calls.push(...callsOf(subgraph, own));
    else calls.push(...open.splice(0, open.findLastIndex((name) => tools.includes(name)) + 1));
  }
  return [...calls, ...open];
}

/**
 * Returns the interrupts that a graph, the graphs of its composed skills and its fallbacks may fire; a name may occur
 * twice.
 */
export const interruptsOf = (graph: Subgraph): readonly string[] => {
  const nodes = reachableNodes(graph);
  const nested = [
    ...nodes.map(({ subgraph }) => subgraph),
    ...(graph.errors ?? []).map(({ fallback }) => (fallback && 'skill' in fallback ? fallback.subgraph : undefined)),
  ];
  const ids = new Set(nodes.map(({ id }) => id));
  const own = graph.interrupts.filter(({ node }) => ids.has(node)).map(({ name }) => name);
  return [...own, ...nested.flatMap((one) => (one ? interruptsOf(one) : []))];
};

/** Returns the nodes that a run may reach, in the order of the graph: without those that the parameters rule out. */
function reachableNodes({ nodes, edges }: Subgraph): readonly GraphNode[] {
  const reached = new Set(nodes.slice(0, 1).map(({ id }) => id));
  for (const id of reached) {
    for (const { from, to, kind, untaken } of edges) if (from === id && kind !== 'cancel' && !untaken) reached.add(to);
  }
  return nodes.filter(({ id }) => reached.has(id));
}
