/** A cursor in YAML with its position in the tree, and functions that write values at the cursor. */
import { type KeyPath, type YamlPlace, yamlPlaceAt } from '../../languages/yaml/cursor.ts';
import { nodeAt, type YamlNode, type YamlTree } from '../../languages/yaml/node.ts';
import { formatScalar } from '../../languages/yaml/quote.ts';
import { lineStart, type Span, span, touches } from '../../text.ts';
import type { ArtifactKind } from '../../vocabulary/artifact-keys.ts';
import type { Cursor, Offer, Proposal } from './proposal.ts';

export interface YamlCursor extends Cursor {
  readonly tree: YamlTree;
  readonly place: YamlPlace;
  /** The quote around the word; empty for an unquoted word. */
  readonly quote: '"' | "'" | '';
  /** The kind of the artifact whose metadata this is. */
  readonly artifact: ArtifactKind | undefined;
}

/** Returns the cursor in a YAML tree; undefined in comments and outside the YAML. */
export function findYamlCursor(cursor: Cursor, tree: YamlTree, artifact?: ArtifactKind): YamlCursor | undefined {
  const { file, offset } = cursor;
  const place = yamlPlaceAt(tree, file.text, offset);
  if (!place || !touches(place.span, offset)) return undefined;
  // Dashes at the start of the line become the closing fence.
  if (/^-{2,3}$/.test(file.text.slice(place.span.start, Math.min(place.span.end, place.span.start + 4))))
    return undefined;
  const before = file.text[place.span.start - 1];
  const quote = before === '"' || before === "'" ? before : '';
  return { ...cursor, tree, place, quote, artifact };
}

/**
 * Corrects the cursor in an incomplete scope such as `read:`, which YAML reads as a key. `isName` returns whether a
 * path allows scopes.
 */
export function withinScopeName(cursor: YamlCursor, isName: (path: KeyPath) => boolean): YamlCursor {
  const { place, file, offset } = cursor;
  const path = place.path.slice(0, -1);
  const { start, end } = place.span;
  if (place.role !== 'value' || start !== offset || typeof place.path.at(-1) !== 'string' || !isName(path))
    return cursor;
  const before = /[^\s,[\]{}"']+:$/.exec(file.text.slice(Math.max(0, start - 200), start));
  if (!before) return cursor;
  const role = typeof path.at(-1) === 'number' ? 'item' : 'value';
  return { ...cursor, place: { ...place, path, role, span: span(start - before[0].length, end), before: '' } };
}

export const offerAt = ({ place: { span: replaced, before } }: YamlCursor, proposals: readonly Proposal[]): Offer => ({
  span: replaced,
  before,
  proposals,
});

/** Returns the part of the word before the cursor. */
export const wordBefore = ({ file, place, offset }: YamlCursor): string => file.text.slice(place.span.start, offset);

/** Escapes or quotes a string as the cursor position requires. */
export function written({ quote, place }: YamlCursor, value: string): string {
  if (quote === '"') return value.replace(/["\\]/g, '\\$&');
  if (quote === "'") return value.replaceAll("'", "''");
  return formatScalar(value, place.flow);
}

/** Returns the other names in the list at the cursor. */
export function namesBeside({ tree, place, offset }: YamlCursor): ReadonlySet<string> {
  const list = nodeAt(tree.root, place.role === 'item' ? place.path.slice(0, -1) : place.path);
  const items = list?.kind === 'list' ? list.items.filter((item) => !touches(item.span, offset)) : [];
  return new Set(items.flatMap((item) => nameOf(item) ?? []));
}

function nameOf(item: YamlNode): string | undefined {
  if (item.kind === 'scalar') return String(item.value);
  if (item.kind !== 'map') return undefined;
  const entry = item.entries.find(({ key }) => key.value === 'name' || key.value === 'skill');
  return entry?.value.kind === 'scalar' ? String(entry.value.value) : undefined;
}

/** Returns whether a colon already follows the word. */
export const hasColon = ({ file: { text }, place, quote }: YamlCursor): boolean =>
  /^["']?[ \t]*:/.test(text.slice(place.span.end, place.span.end + 100)) ||
  (quote !== '' &&
    text[place.span.end] === quote &&
    /^[ \t]*:/.test(text.slice(place.span.end + 1, place.span.end + 100)));

/** Returns the column at which the inserted text starts, counted from 0, in UTF-16 code units. */
export function columnAt({ file: { text }, place }: YamlCursor): number {
  const { start } = place.span;
  return start - lineStart(text, start) + place.before.length;
}

/** Returns the part of a value before its first comma, for example the type before its description. */
export function upToComma({ file: { text }, place, offset }: YamlCursor): Span | undefined {
  const comma = text.slice(place.span.start, place.span.end).indexOf(',');
  const end = comma < 0 ? place.span.end : place.span.start + comma;
  return offset <= end ? span(place.span.start, end) : undefined;
}
