/** Which keys share a YAML anchor; an alias has to stay below its anchor. */
import type { YamlNode } from '../../languages/yaml/node.ts';
import type { Chunk } from './chunks.ts';

/** For every name that an alias repeats, the indices of the chunks that write the anchor or the alias. */
export function sharedAnchors(text: string, chunks: readonly Chunk[]): readonly ReadonlySet<number>[] {
  const ends = new Map<string, Set<number>>();
  for (const [at, { entry }] of chunks.entries()) {
    for (const name of [...aliasesIn(text, entry.key), ...aliasesIn(text, entry.value)]) {
      ends.set(name, (ends.get(name) ?? new Set()).add(at));
    }
  }
  for (const [name, users] of ends) {
    for (const [at, { span }] of chunks.entries()) {
      const source = text.slice(span.start, span.end);
      for (let from = source.indexOf(`&${name}`); from >= 0; from = source.indexOf(`&${name}`, from + 1)) {
        if (/^$|[\s,[\]{}]/.test(source[from + name.length + 1] ?? '')) users.add(at);
      }
    }
  }
  return [...ends.values()];
}

/** The names of the aliases in a value. */
export function aliasesIn(text: string, root: YamlNode): readonly string[] {
  const found: string[] = [];
  const open: YamlNode[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    if (text[node.span.start] === '*') {
      const name = /^\*([^\s,[\]{}]+)/.exec(text.slice(node.span.start, node.span.end))?.[1];
      if (name !== undefined) found.push(name);
      continue;
    }
    if (node.kind === 'list') for (const item of node.items) open.push(item);
    if (node.kind === 'map') for (const { key, value } of node.entries) open.push(key, value);
  }
  return found;
}
