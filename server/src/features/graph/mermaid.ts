/** A graph as a Mermaid flowchart. */
import type { GraphView } from '../../protocol.ts';
import { visible } from '../../text.ts';
import { drawnNames, edgeLabel, groupsOf, nodeLabel, stageCounts } from './drawing.ts';

/** `root` is the one skill that the graph was asked for, if it was. */
export function toMermaid(view: GraphView, root?: string): string {
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
  const arrows = edges.map((edge) => {
    const arrow = unknown.has(edge.to) ? '-.->' : edge.isInCycle || edge.isCritical ? '==>' : '-->';
    const label = edgeLabel(edge, counts.get(edge.from) ?? 0);
    return `  ${nameOf(edge.from)} ${arrow}${label === '' ? '' : `|"${escaped(label)}"|`} ${nameOf(edge.to)}`;
  });
  const mentions = edges.flatMap(({ kind }, at) => (kind === 'mentions' ? [at] : []));
  const cyclic = edges.flatMap(({ isInCycle }, at) => (isInCycle ? [at] : []));
  const classed = (name: string, isMember: (node: GraphView['nodes'][number]) => boolean, style: string) => {
    const members = nodes.filter(isMember).map(({ id }) => nameOf(id));
    return members.length === 0 ? [] : [`  classDef ${name} ${style}`, `  class ${members.join(',')} ${name}`];
  };
  const lines = [
    'flowchart TB',
    ...subgraphs,
    ...others,
    ...arrows,
    // Invisible links come last, since links are styled by number.
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

/** Characters that could mean something to Mermaid, Markdown or HTML become numeric entities; letters and digits stay. */
const escaped = (text: string): string =>
  visible(text).replaceAll(/[^\p{L}\p{N} ._,^~·→…-]/gu, (character) => `#${character.codePointAt(0)};`);
