/** The scalar at a place of a YAML tree, and the way to it. */
import type { Path } from '../../languages/yaml/cursor-place.ts';
import type { YamlEntry, YamlScalar, YamlTree } from '../../languages/yaml/node.ts';
import { findTouching, indexTouching, spanOf, touches } from '../../text.ts';

/** A key or a scalar value under the cursor; the path of a key ends with its name. */
export interface ScalarPlace {
  readonly role: 'key' | 'value';
  readonly path: Path;
  readonly scalar: YamlScalar;
}

export function findScalar({ root, span: whole }: YamlTree, offset: number): ScalarPlace | undefined {
  if (!touches(whole, offset)) return undefined;
  const path: (string | number)[] = [];
  let node = root;
  while (node) {
    if (!touches(node.span, offset)) return undefined;
    if (node.kind === 'scalar') return { role: 'value', path, scalar: node };
    if (node.kind === 'list') {
      const index = indexTouching(node.items, offset, spanOf);
      path.push(index);
      node = node.items[index];
      continue;
    }
    const entry: YamlEntry | undefined = findTouching(node.entries, offset, spanOf);
    if (!entry) return undefined;
    path.push(String(entry.key.value));
    if (touches(entry.key.span, offset)) return { role: 'key', path, scalar: entry.key };
    node = entry.value;
  }
  return undefined;
}

export const textOf = ({ value, source }: YamlScalar): string => (typeof value === 'string' ? value : source);
