/** Fixes for an unknown name: replace it, or declare it. */

import type { Fix } from '../finding.ts';
import { fixHere, fixIn } from '../finding.ts';
import { appendItem } from '../languages/yaml/edit.ts';
import { isNull, mapsByKeyOffset, type YamlMap } from '../languages/yaml/node.ts';
import { findSkillEntry } from '../skill/contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import type { Span } from '../text.ts';
import type { Catalog } from '../workspace/catalog.ts';
import type { Analysis } from './analysis.ts';

/**
 * Returns one fix for each name in `names`, in the same order. Each fix replaces the text at all `places` with the
 * name, and keeps the quotes.
 */
export const replaceName = (file: SkillFile, places: readonly Span[], names: readonly string[]): Fix[] =>
  // An alias such as `*name` is not the text of its value.
  places.some(({ start }) => file.text[start] === '*')
    ? []
    : names.flatMap((name) => {
        if (places.some((place) => hasKeyBeside(file, place, name))) return [];
        const edits = places.map((place) => ({ span: inner(file.text, place), newText: name }));
        return fixHere(file, `Replace with \`${name}\``, edits);
      });

/** Returns whether a place is a key of a map that also has the key `name`, which must not occur twice. */
const hasKeyBeside = (file: SkillFile, { start }: Span, name: string): boolean =>
  file
    .derive(mapsOfFile)
    .get(start)
    ?.entries.some(({ key }) => String(key.value) === name) === true;

const mapsOfFile = ({ frontmatter, metadata, examples }: SkillFile): ReadonlyMap<number, YamlMap> =>
  new Map([frontmatter, ...metadata, ...examples].flatMap(({ tree }) => [...mapsByKeyOffset(tree.root)]));

/** Returns the span of a value without its quotes. */
export function inner(text: string, { start, end }: Span): Span {
  const quoted = /^["']$/.test(text[start] ?? '') && text[end - 1] === text[start] && end - start > 1;
  return quoted ? { start: start + 1, end: end - 1 } : { start, end };
}

/** Returns the fix that adds a name to the list under a frontmatter key. The fix also adds a missing list. */
export function declareIn(file: SkillFile, key: string, name: string, title: string): Fix[] {
  const { root } = file.frontmatter.tree;
  if (root?.kind !== 'map') return [];
  const entry = findSkillEntry(root, key);
  if (entry && entry.value.kind !== 'list' && !isNull(entry.value)) return [];
  return fixHere(file, title, appendItem(file.text, root, key, name));
}

/** Returns the fix that adds an item, as YAML, to a list of a catalog. */
export function addToCatalog(analysis: Analysis, catalog: Catalog, key: string, item: string, title: string): Fix[] {
  const file = analysis.file(catalog.uri);
  const root = file?.frontmatter.tree.root;
  if (root?.kind !== 'map' || file?.frontmatter.tree.broken !== false) return [];
  return fixIn(title, [{ uri: catalog.uri, edits: appendItem(file.text, root, key, item) }]);
}
