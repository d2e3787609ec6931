/** From a key back to the map that it belongs to. */
import type { YamlMap, YamlNode } from './node.ts';

/** The map of each key, by the offset at which the key starts. Keys that an alias repeats belong to the first repetition. */
export function mapsOfKeys(root: YamlNode | undefined): ReadonlyMap<number, YamlMap> {
  const maps = new Map<number, YamlMap>();
  const open = root ? [root] : [];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.kind === 'scalar') continue;
    const parts = node.kind === 'list' ? node.items : node.entries.map(({ value }) => value);
    if (node.kind === 'map') {
      for (const { key } of node.entries) if (!maps.has(key.span.start)) maps.set(key.span.start, node);
    }
    for (const part of parts) open.push(part);
  }
  return maps;
}
