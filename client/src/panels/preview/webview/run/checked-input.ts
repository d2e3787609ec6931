/** What the Run tab shows of a shape: the check of an input only where there is one to check. */
import type { ShownNode, ShownShape } from '../../messages.ts';

/** A skill without an input schema begins with what it does, as each `SKILL.md` does. */
export function withoutEmptyCheck(shape: ShownShape): ShownShape {
  const idle = shape.nodes.find(checksNothing);
  const nodes = shape.nodes.filter((node) => node !== idle).map(withShownSubgraph);
  return { ...shape, nodes, edges: shape.edges.filter(({ from }) => from !== idle?.id) };
}

const checksNothing = ({ kind, schema, interrupts }: ShownNode): boolean =>
  kind === 'validate_input' && interrupts.length === 0 && (schema === undefined || isOfNoInput(schema));

/** As the server makes it of a skill without an input schema. */
const isOfNoInput = (schema: ShownNode['schema']): boolean =>
  JSON.stringify(schema) === JSON.stringify({ type: 'object', properties: {} });

const withShownSubgraph = (node: ShownNode): ShownNode =>
  node.subgraph ? { ...node, subgraph: withoutEmptyCheck(node.subgraph) } : node;
