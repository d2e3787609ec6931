/** How messages describe shapes and nodes. */
import type { YamlNode } from '../languages/yaml/node.ts';
import type { Shape } from './shape.ts';

/** The values that a shape accepts. */
export function expectation(shape: Shape): string {
  switch (shape.kind) {
    case 'list':
      return 'a list';
    case 'map':
    case 'record':
      return 'a map of keys to values';
    case 'boolean':
      return '`true` or `false`';
    case 'number':
      return 'a number';
    case 'choice':
      return `one of ${shape.choices.map(({ value }) => `\`${value}\``).join(', ')}`;
    default:
      return 'text';
  }
}

/** The kind of a node. */
export function describe(node: YamlNode): string {
  if (node.kind === 'list') return 'a list';
  if (node.kind === 'map') return 'a map of keys to values';
  const { value, source } = node;
  if (typeof value === 'number') return `the number ${source}`;
  if (typeof value === 'boolean') return `the truth value \`${source}\``;
  return value === null ? 'empty' : 'text';
}
