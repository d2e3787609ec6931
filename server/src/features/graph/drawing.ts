/** Converts a composition graph to Mermaid and Graphviz. */
import { formatDollars, formatDuration } from '../../format-amounts.ts';
import type { GraphViewEdge, GraphViewNode } from '../../protocol.ts';
import { showInvisible, showInvisibleInLines } from '../../text.ts';
import type { LazyGraph } from './graph-view.ts';

/** Nodes that a layout puts on the same row. */
export interface Group {
  readonly title: string;
  readonly nodes: readonly GraphViewNode[];
}

export interface Groups {
  /** The groups of nodes from top to bottom; empty if all nodes would be in one group. */
  readonly groups: readonly Group[];
  /** True if each group runs after the previous one. */
  readonly areStages: boolean;
}

/** Returns the stages of the root skill if there are several; otherwise the levels, workflows first. */
function groupsOf(view: LazyGraph, root: string | undefined): Groups {
  const stages = root === undefined ? [] : stagesOfRoot(view, root);
  if (stages.length > 1) return { groups: stages, areStages: true };
  const levels = levelsOf(view.nodes);
  return { groups: levels.length > 1 ? levels : [], areStages: false };
}

const levelOf = (node: GraphViewNode): number | null => (node.kind === 'skill' ? node.level : null);

function levelsOf(nodes: readonly GraphViewNode[]): readonly Group[] {
  const levels = groupBy(nodes, levelOf);
  return [...levels.keys()].sort((a, b) => b - a).map((level) => groupIn(levels, level, 'Level'));
}

const groupIn = (groups: ReadonlyMap<number, readonly GraphViewNode[]>, number: number, what: string): Group => ({
  title: `${what} ${number}`,
  nodes: groups.get(number) ?? [],
});

/** Returns the nodes by number, without the nodes that have no number. */
function groupBy(
  nodes: readonly GraphViewNode[],
  numberOf: (node: GraphViewNode) => number | null,
): ReadonlyMap<number, readonly GraphViewNode[]> {
  const groups = new Map<number, GraphViewNode[]>();
  for (const node of nodes) {
    const number = numberOf(node);
    if (number === null) continue;
    const known = groups.get(number);
    if (known) known.push(node);
    else groups.set(number, [node]);
  }
  return groups;
}

function stagesOfRoot({ nodes, edges }: LazyGraph, root: string): readonly Group[] {
  const stageOf = new Map<string, number>();
  for (const { from, to, stage } of edges) {
    if (from !== root || to === root || stage === null) continue;
    stageOf.set(to, Math.min(stage, stageOf.get(to) ?? stage));
  }
  const stages = groupBy(nodes, ({ id }) => stageOf.get(id) ?? null);
  return [...stages.keys()].sort((a, b) => a - b).map((stage) => groupIn(stages, stage, 'Stage'));
}

/** Returns, for each node ID, a unique, readable name that needs no quotes in the drawing languages. */
function drawnNames(nodes: readonly GraphViewNode[]): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const numbers = new Map<string, number>();
  return new Map(
    nodes.map(({ id, name }) => {
      const base = `s_${name.replaceAll(/[^A-Za-z0-9]+/g, '_').slice(0, 64)}`;
      let own = base;
      let number = numbers.get(base) ?? 2;
      for (; taken.has(own); number++) own = `${base}__${number}`;
      numbers.set(base, number);
      taken.add(own);
      return [id, own] as const;
    }),
  );
}

/** Returns the lines of a node's label. */
function nodeLabel(node: GraphViewNode): readonly string[] {
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
    typeof time === 'number' && formatDuration(time),
    typeof price === 'number' && formatDollars(price),
  ];
  const line = facts
    .filter((fact) => typeof fact === 'string')
    .map(shortened)
    .join(' · ');
  return [shortened(name), ...(line === '' ? [] : [line])];
}

/** Returns the label of an edge, which may be empty. */
function edgeLabel(edge: GraphViewEdge, stages: number): string {
  const { kind, as, requires, version, adapter, isAllowed, stage, isInCycle } = edge;
  if (kind === 'adapts') return `adapter for ${shortened(requires ?? '')}`;
  const facts = [
    isInCycle && 'cycle',
    stage !== null && stages > 1 && `stage ${stage}`,
    as !== null && `as ${shortened(as)}`,
    requires !== null &&
      shortened(requires) + (version === null ? '' : ` → ${isAllowed ? '' : 'not '}${shortened(version)}`),
    adapter !== null && `through ${shortened(adapter)}`,
  ];
  return facts.filter((fact) => typeof fact === 'string').join(' · ');
}

const MAX_LABEL = 80;

function shortened(text: string): string {
  const characters = [...text.slice(0, 2 * MAX_LABEL)];
  return characters.length > MAX_LABEL ? `${characters.slice(0, MAX_LABEL - 1).join('')}…` : text;
}

/** Returns the number of stages of each composite, by ID. */
const stageCounts = ({ nodes }: LazyGraph): ReadonlyMap<string, number> =>
  new Map(nodes.map((node) => [node.id, node.kind === 'skill' ? node.stages.length : 0]));

/**
 * Returns the graph in the Graphviz language. `root` is the ID of the skill if the graph was requested for a single
 * skill.
 */
export function toDot(view: LazyGraph, root?: string): string {
  const names = drawnNames(view.nodes);
  const nameOf = (id: string): string => names.get(id) ?? 'unknown';
  const counts = stageCounts(view);
  const unknown = new Set(view.nodes.flatMap(({ kind, id }) => (kind === 'unknown' ? [id] : [])));
  const { groups, areStages } = groupsOf(view, root);
  const firsts = groups.flatMap(({ nodes: [first] }) => (first ? [nameOf(first.id)] : []));
  const lines = [
    'digraph skills {',
    '  rankdir=TB;',
    '  node [shape=box, style=rounded];',
    ...view.nodes.map(
      (node) => `  ${nameOf(node.id)} [${attributes({ label: nodeLabel(node).join('\n'), ...nodeStyle(node) })}];`,
    ),
    ...groups.map(
      ({ title, nodes }) => `  { rank=same; ${nodes.map(({ id }) => `${nameOf(id)};`).join(' ')} } // ${title}`,
    ),
    ...Array.from(view.edges, (edge) => {
      const label = edgeLabel(edge, counts.get(edge.from) ?? 0);
      const style = { ...(label === '' ? {} : { label }), ...edgeStyle(edge, unknown.has(edge.to)) };
      const list = Object.keys(style).length === 0 ? '' : ` [${attributes(style)}]`;
      return `  ${nameOf(edge.from)} -> ${nameOf(edge.to)}${list};`;
    }),
    ...(areStages ? firsts.slice(1).map((name, at) => `  ${firsts[at]} -> ${name} [style=invis];`) : []),
    '}',
  ];
  return `${lines.join('\n')}\n`;
}

type Style = Readonly<Record<string, string>>;

function nodeStyle(node: GraphViewNode): Style {
  if (node.kind === 'unknown') return { style: 'dashed' };
  if (node.isInCycle) return { color: 'red', penwidth: '2' };
  return node.isDeprecated || node.isDisabled ? { fontcolor: 'gray' } : {};
}

function edgeStyle({ kind, isInCycle, isCritical }: GraphViewEdge, isUnknown: boolean): Style {
  if (kind !== 'composes') return { color: 'gray', penwidth: '0.5' };
  if (isInCycle) return { color: 'red', penwidth: '2' };
  if (isUnknown) return { style: 'dashed' };
  return isCritical ? { penwidth: '2' } : {};
}

const attributes = (style: Style): string =>
  Object.entries(style)
    .map(([key, value]) => `${key}=${quoted(value)}`)
    .join(', ');

/** Quotes a string. Graphviz decodes entities in labels, so `&` is also escaped, and `##` is written as an entity. */
function quoted(text: string): string {
  const escaped = showInvisibleInLines(text)
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('&', '&amp;')
    .replaceAll('##', '#&#35;')
    .replaceAll('\n', '\\n');
  return `"${escaped}"`;
}

/**
 * Returns the graph as a Mermaid flowchart. `root` is the ID of the skill if the graph was requested for a single
 * skill.
 */
export function toMermaid(view: LazyGraph, root?: string): string {
  const { nodes, edges } = view;
  const names = drawnNames(nodes);
  const nameOf = (id: string): string => names.get(id) ?? 'unknown';
  const counts = stageCounts(view);
  const unknown = new Set(nodes.flatMap(({ kind, id }) => (kind === 'unknown' ? [id] : [])));
  const grouped = new Set<string>();
  const nodeLine = (id: string, label: readonly string[]) => `${nameOf(id)}["${label.map(escaped).join('<br/>')}"]`;
  const { groups, areStages } = groupsOf(view, root);
  const subgraphs = groups.flatMap(({ title, nodes: members }, at) => {
    for (const { id } of members) grouped.add(id);
    const lines = members.map((node) => `    ${nodeLine(node.id, nodeLabel(node))}`);
    return [`  subgraph group_${at + 1}["${escaped(title)}"]`, ...lines, '  end'];
  });
  const others = nodes.filter(({ id }) => !grouped.has(id)).map((node) => `  ${nodeLine(node.id, nodeLabel(node))}`);
  const mentions: number[] = [];
  const cyclic: number[] = [];
  const arrows = Array.from(edges, (edge, at) => {
    if (edge.kind !== 'composes') mentions.push(at);
    if (edge.isInCycle) cyclic.push(at);
    const arrow = unknown.has(edge.to) ? '-.->' : edge.isInCycle || edge.isCritical ? '==>' : '-->';
    const label = edgeLabel(edge, counts.get(edge.from) ?? 0);
    return `  ${nameOf(edge.from)} ${arrow}${label === '' ? '' : `|"${escaped(label)}"|`} ${nameOf(edge.to)}`;
  });
  const classed = (name: string, isMember: (node: GraphViewNode) => boolean, style: string) => {
    const members = nodes.filter(isMember).map(({ id }) => nameOf(id));
    return members.length === 0 ? [] : [`  classDef ${name} ${style}`, `  class ${members.join(',')} ${name}`];
  };
  const lines = [
    'flowchart TB',
    ...subgraphs,
    ...others,
    ...arrows,
    // Invisible links are last, because styles refer to the other links by number.
    ...(areStages ? groups.slice(1).map((_, at) => `  group_${at + 1} ~~~ group_${at + 2}`) : []),
    ...classed('unknown', ({ kind }) => kind === 'unknown', 'stroke-dasharray:5 5'),
    ...classed('deprecated', (node) => node.kind === 'skill' && node.isDeprecated, 'opacity:0.6'),
    ...classed('disabled', (node) => node.kind === 'skill' && node.isDisabled, 'opacity:0.6'),
    ...classed('cycle', (node) => node.kind === 'skill' && node.isInCycle, 'stroke:red,stroke-width:3px'),
    ...(mentions.length === 0 ? [] : [`  linkStyle ${mentions.join(',')} stroke:gray,stroke-width:1px`]),
    ...(cyclic.length === 0 ? [] : [`  linkStyle ${cyclic.join(',')} stroke:red`]),
  ];
  return `${lines.join('\n')}\n`;
}

/** Replaces characters that have a meaning in Mermaid, Markdown or HTML with numeric entities. */
const escaped = (text: string): string =>
  showInvisible(text).replaceAll(/[^\p{L}\p{N} ._,^~·→…-]/gu, (character) => `#${character.codePointAt(0)};`);
