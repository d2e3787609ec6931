/** An obedient model, which calls every allowed tool once, then returns a valid output. */
import type { GraphNode, Subgraph } from '../../server/src/composer/composition.ts';
import type { Json } from '../../server/src/languages/yaml/node.ts';
import type { Environment, Reply } from './environment.ts';
import { isMap } from './state.ts';

/** Returns an environment without failures, for a shape and its nested shapes. */
export function obedientModel(shape: Subgraph): Environment {
  const spots = spotsOf(shape, '');
  const says = spots.flatMap(({ spot, node, within }): [string, readonly Reply[]][] => {
    if (node.kind !== 'plan') return [];
    const call = within.edges.find(({ from, kind }) => from === node.id && kind === 'branch');
    const tools = within.nodes.find(({ id }) => id === call?.to)?.tools ?? [];
    return [[spot, [...tools.map((tool) => ({ call: tool })), { output: outputOf(within) }]]];
  });
  const services = spots.flatMap(({ spot, node, within }) =>
    node.kind === 'call_service' ? [[spot, () => outputOf(within)] as const] : [],
  );
  return { says: Object.fromEntries(says), services: Object.fromEntries(services), ambient: { source: 'explicit' } };
}

interface PlacedNode {
  readonly spot: string;
  readonly node: GraphNode;
  readonly within: Subgraph;
}

const spotsOf = (within: Subgraph, at: string): readonly PlacedNode[] =>
  within.nodes.flatMap((node) => [
    { spot: `${at}${node.id}`, node, within },
    ...(node.subgraph ? spotsOf(node.subgraph, `${at}${node.label}/`) : []),
  ]);

const outputOf = ({ exitCondition }: Subgraph): Json =>
  exitCondition.on === 'output_schema' ? instanceOf(exitCondition.schema, exitCondition.schema) : 'done';

/** Returns a value that matches a schema of the samples. Supports only the keywords that the samples use. */
function instanceOf(schema: Json | undefined, root: Json): Json {
  if (!isMap(schema)) return {};
  if (typeof schema.$ref === 'string') return instanceOf(at(root, schema.$ref), root);
  if (Array.isArray(schema.enum)) return (schema.enum as Json[])[0] ?? null;
  if (schema.type === 'array') return [instanceOf(schema.items, root)];
  if (schema.type === 'object' || isMap(schema.properties)) {
    const fields = Object.entries(isMap(schema.properties) ? schema.properties : {});
    return Object.fromEntries(fields.map(([name, field]) => [name, instanceOf(field, root)]));
  }
  if (schema.type === 'integer' || schema.type === 'number') {
    return typeof schema.minimum === 'number' ? schema.minimum : 1;
  }
  return schema.type === 'boolean' ? true : 'Something';
}

const at = (root: Json, reference: string): Json | undefined =>
  reference
    .split('/')
    .slice(1)
    .reduce<Json | undefined>((found, key) => (isMap(found) ? found[key] : undefined), root);
