/** Interrupts at the nodes that fire them (docs/composer.md, step 6). */
import type { PackageInterrupt } from '../../skill/package.ts';
import type { GraphNode, ShapeInterrupt } from '../composition.ts';
import { addDecision, type ShapeContext } from './context.ts';

interface Attached {
  readonly nodes: readonly GraphNode[];
  readonly interrupts: readonly ShapeInterrupt[];
}

export function attachInterrupts(context: ShapeContext): Attached {
  const { nodes } = context.graph;
  const seen = new Set<string>();
  const interrupts = context.skillPackage.interrupts.flatMap((interrupt) => {
    // Of several interrupts of one name the first counts.
    if (seen.has(interrupt.name)) return [];
    seen.add(interrupt.name);
    return attach(context, interrupt);
  });
  const namesAt = new Map<string, string[]>();
  for (const { node, name } of interrupts) namesAt.set(node, [...(namesAt.get(node) ?? []), name]);
  return { nodes: nodes.map((node) => ({ ...node, interrupts: namesAt.get(node.id) ?? [] })), interrupts };
}

function attach(context: ShapeContext, interrupt: PackageInterrupt): ShapeInterrupt[] {
  const { nodes } = context.graph;
  const { name, span, when, message } = interrupt;
  const attached = nodesOf(interrupt, nodes).flatMap((node): ShapeInterrupt[] => {
    const tools = name === 'before_write' ? writersAmong(context, node.tools ?? []) : undefined;
    if (tools?.length === 0) return [];
    return [
      {
        uri: context.skillPackage.uri,
        span,
        name,
        node: node.id,
        ...(when && { when: when.source }),
        ...(message !== undefined && { message }),
        ...(tools && { tools }),
      },
    ];
  });
  const at = attached.map(({ node }) => node).join(', ');
  const reason = at === '' ? reasonAgainst(interrupt, nodes) : `fires at ${at}`;
  addDecision(context, { span, subject: 'interrupt', name, taken: at !== '', reason });
  return attached;
}

const nodesOf = ({ node }: PackageInterrupt, nodes: readonly GraphNode[]): readonly GraphNode[] =>
  nodes.filter((one) => (node === 'stage' ? one.kind === 'plan' && one.stage !== undefined : one.kind === node));

function writersAmong({ skillPackage }: ShapeContext, tools: readonly string[]): string[] {
  const writers = skillPackage.tools.filter(({ descriptor }) => descriptor?.operation === 'WRITE');
  return tools.filter((tool) => writers.some(({ name }) => name === tool));
}

function reasonAgainst(interrupt: PackageInterrupt, nodes: readonly GraphNode[]): string {
  if (interrupt.node === undefined) return 'neither the format nor the catalog knows it';
  if (interrupt.node === 'stage') return 'the chosen approach has no stages';
  if (nodesOf(interrupt, nodes).length > 0) return 'no tool that is known to write may be called';
  if (interrupt.node === 'call_tools') return 'no tool may be called here';
  return `this shape has no node ${interrupt.node}`;
}
