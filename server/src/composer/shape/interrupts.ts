/** Interrupts at the nodes that fire them (composer.md, step 6). */
import type { PackageInterrupt } from '../../skill/package.ts';
import type { GraphNode, ShapeInterrupt } from '../composition.ts';
import { decide, type Site } from './site.ts';

export interface Attached {
  readonly nodes: readonly GraphNode[];
  readonly interrupts: readonly ShapeInterrupt[];
}

export function attachInterrupts(site: Site, nodes: readonly GraphNode[]): Attached {
  const seen = new Set<string>();
  const interrupts = site.skillPackage.interrupts.flatMap((interrupt) => {
    // A name that is declared twice pauses once; what the first says counts.
    if (seen.has(interrupt.name)) return [];
    seen.add(interrupt.name);
    return attach(site, interrupt, nodes);
  });
  const namesAt = new Map<string, string[]>();
  for (const { node, name } of interrupts) namesAt.set(node, [...(namesAt.get(node) ?? []), name]);
  return { nodes: nodes.map((node) => ({ ...node, interrupts: namesAt.get(node.id) ?? [] })), interrupts };
}

function attach(site: Site, interrupt: PackageInterrupt, nodes: readonly GraphNode[]): ShapeInterrupt[] {
  const { name, span, when, message } = interrupt;
  const attached = nodesOf(interrupt, nodes).flatMap((node): ShapeInterrupt[] => {
    const tools = name === 'before_write' ? writersAmong(site, node.tools ?? []) : undefined;
    if (tools?.length === 0) return [];
    return [
      {
        uri: site.skillPackage.uri,
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
  decide(site, { span, subject: 'interrupt', name, taken: at !== '', reason });
  return attached;
}

const nodesOf = ({ node }: PackageInterrupt, nodes: readonly GraphNode[]): readonly GraphNode[] =>
  nodes.filter((one) => (node === 'stage' ? one.kind === 'plan' && one.stage !== undefined : one.kind === node));

function writersAmong({ skillPackage }: Site, tools: readonly string[]): string[] {
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
