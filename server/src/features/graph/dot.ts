/** A graph in the language of Graphviz. */
import type { GraphView, GraphViewEdge, GraphViewNode } from '../../protocol.ts';
import { visibleLines } from '../../text.ts';
import { drawnNames, edgeLabel, groupsOf, nodeLabel, stageCounts } from './drawing.ts';

/** `root` is the one skill that the graph was asked for, if it was. */
export function toDot(view: GraphView, root?: string): string {
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
    ...view.edges.map((edge) => {
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
  if (kind === 'mentions') return { color: 'gray', penwidth: '0.5' };
  if (isInCycle) return { color: 'red', penwidth: '2' };
  if (isUnknown) return { style: 'dashed' };
  return isCritical ? { penwidth: '2' } : {};
}

const attributes = (style: Style): string =>
  Object.entries(style)
    .map(([key, value]) => `${key}=${quoted(value)}`)
    .join(', ');

/** Graphviz reads entities in labels, so `&` is escaped, too. */
function quoted(text: string): string {
  const escaped = visibleLines(text)
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('&', '&amp;')
    .replaceAll('\n', '\\n');
  return `"${escaped}"`;
}
