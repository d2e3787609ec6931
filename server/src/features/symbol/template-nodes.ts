/** The nodes of a template's syntax tree. */
import type { Body, Node } from '../../languages/minijinja/ast.ts';

/** The bodies of a block, `else` included; none for a node that is no block. */
export function bodiesOf(node: Node): readonly Body[] {
  const bodies = 'branches' in node ? node.branches.map(({ body }) => body) : 'body' in node ? [node.body] : [];
  return 'otherwise' in node && node.otherwise ? [...bodies, node.otherwise] : bodies;
}

/** Every node with all that is in it. Blocks nest no deeper than the parser's limit, so this may recurse. */
export const allNodes = (nodes: readonly Node[]): readonly Node[] =>
  nodes.flatMap((node) => [node, ...bodiesOf(node).flatMap((body) => allNodes(body.nodes))]);
