/** What a walk through a template's tree needs. */
import type { Body, Node } from './ast.ts';

/** The bodies of a node, in the order of the text. */
export function bodiesOf(node: Node): readonly Body[] {
  switch (node.kind) {
    case 'if': {
      const bodies = node.branches.map(({ body }) => body);
      return node.otherwise ? [...bodies, node.otherwise] : bodies;
    }
    case 'for':
      return node.otherwise ? [node.body, node.otherwise] : [node.body];
    case 'set-block':
    case 'with':
    case 'filter-block':
    case 'autoescape':
    case 'macro':
    case 'call-block':
    case 'block':
      return [node.body];
    default:
      return [];
  }
}

/** Every node, each before what it holds. Blocks nest no deeper than the parser lets them, so this may recurse. */
export function* allNodes(nodes: readonly Node[]): Iterable<Node> {
  for (const node of nodes) {
    yield node;
    for (const body of bodiesOf(node)) yield* allNodes(body.nodes);
  }
}
