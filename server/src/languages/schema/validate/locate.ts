/** Where a violation stands in the YAML of the value. */
import type { Span } from '../../../text.ts';
import type { YamlNode } from '../../yaml/node.ts';
import type { JsonViolation, Path } from '../model.ts';
import { entryOf } from '../origins.ts';

/** The place of a violation: the key that is not allowed, the map or its key where something is missing, else the value. */
export function locate(root: YamlNode, { path, kind, nearest }: JsonViolation): Span {
  let node = root;
  let place = root.span;
  for (const [index, step] of path.entries()) {
    const isLast = index === path.length - 1;
    if (node.kind === 'list') {
      const item = node.items[Number(step)];
      if (!item) return place;
      node = item;
      place = item.span;
      continue;
    }
    const entry = entryOf(node, String(step));
    if (!entry) {
      // A missing field is shown at the key that was likely meant to be it.
      const misspelt = kind === 'missing' && isLast && nearest !== undefined ? entryOf(node, nearest) : undefined;
      return misspelt?.key.span ?? place;
    }
    node = entry.value;
    const isKey =
      (isLast && kind === 'additional') ||
      node.span.start === node.span.end ||
      (node.kind === 'map' && missingBelow(path, index, kind));
    place = isKey ? entry.key.span : node.span;
  }
  return place;
}

const missingBelow = (path: Path, index: number, kind: string): boolean =>
  kind === 'missing' && index === path.length - 2;
