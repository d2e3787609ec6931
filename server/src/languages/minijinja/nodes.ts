/** Walks through a template's tree. */
import type { Body, Node } from './ast.ts';

/** The bodies of a node, in the order of the text. */
export function bodiesOf(node: Node): readonly Body[] {
  const bodies = node.kind === 'if' ? node.branches.map(({ body }) => body) : 'body' in node ? [node.body] : [];
  return 'otherwise' in node && node.otherwise ? [...bodies, node.otherwise] : bodies;
}

/** Every node, each before what it holds. Blocks nest no deeper than the parser lets them, so this may recurse. */
export function* allNodes(nodes: readonly Node[]): Iterable<Node> {
  for (const node of nodes) {
    yield node;
    for (const body of bodiesOf(node)) yield* allNodes(body.nodes);
  }
}
