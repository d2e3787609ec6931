/** Fixes for a name that is wrong: put the right one in its place, or declare the name where it belongs. */
import type { Fix } from '../../finding.ts';
import { appendItem } from '../../languages/yaml/edit.ts';
import { isNull, type YamlMap } from '../../languages/yaml/node.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import type { SkillDocument } from '../../skill/document.ts';
import type { Span } from '../../text.ts';
import type { Catalog } from '../../workspace/catalog.ts';
import type { WorkspaceIndex } from '../../workspace/workspace-index.ts';
import { fixHere, fixIn } from '../rule.ts';

/** Puts each of the names, nearest first, into all the places. Quotes stay where they were. */
export function replaceName(document: SkillDocument, places: readonly Span[], names: readonly string[]): Fix[] {
  return names.map((name) =>
    fixHere(
      document,
      `Replace with \`${name}\``,
      places.map((place) => ({ span: inner(document.text, place), newText: name })),
    ),
  );
}

/** A value without its quotes. */
export function inner(text: string, { start, end }: Span): Span {
  const quoted = /^["']$/.test(text[start] ?? '') && text[end - 1] === text[start] && end - start > 1;
  return quoted ? { start: start + 1, end: end - 1 } : { start, end };
}

/** Adds a name to the list under a frontmatter key; makes the list if there is none. */
export function declareIn(document: SkillDocument, key: string, name: string, title: string): Fix[] {
  const { root } = document.frontmatter.tree;
  if (root?.kind !== 'map') return [];
  const entry = findSkillEntry(root, key);
  if (entry && entry.value.kind !== 'list' && !isNull(entry.value)) return [];
  return [fixHere(document, title, appendItem(document.text, root, key, name))];
}

/** Adds an item to a list of the governing catalog. */
export function addToCatalog(index: WorkspaceIndex, catalog: Catalog, key: string, item: string, title: string): Fix[] {
  const document = index.documents.get(catalog.uri);
  const root = document?.frontmatter.tree.root;
  if (!document || root?.kind !== 'map' || document.frontmatter.tree.broken) return [];
  return [fixIn(title, [{ uri: catalog.uri, edits: appendItem(document.text, root as YamlMap, key, item) }])];
}
