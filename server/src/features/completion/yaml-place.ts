/** A cursor in YAML: what the vocabulary's table says about its place, and how a value is written there. */
import { type KeyPath, type YamlPlace, yamlPlaceAt } from '../../languages/yaml/cursor.ts';
import { nodeAt, type YamlNode, type YamlTree } from '../../languages/yaml/node.ts';
import { formatScalar } from '../../languages/yaml/quote.ts';
import { lineStart, type Span, span, touches } from '../../text.ts';
import type { ArtifactKind } from '../../vocabulary/artifact-keys.ts';
import type { Cursor, Offer, Proposal } from './proposal.ts';

export interface YamlCursor extends Cursor {
  readonly tree: YamlTree;
  readonly place: YamlPlace;
  /** The quote that the word already stands in. */
  readonly quote: '"' | "'" | '';
  /** The kind of the artifact whose metadata this is. */
  readonly artifact: ArtifactKind | undefined;
}

/** Undefined in comments and outside of the YAML. */
export function findYamlCursor(cursor: Cursor, tree: YamlTree, artifact?: ArtifactKind): YamlCursor | undefined {
  const { file, offset } = cursor;
  const place = yamlPlaceAt(tree, file.text, offset);
  if (!place || !touches(place.span, offset)) return undefined;
  // Dashes at the margin become the closing fence.
  if (/^-{2,3}$/.test(file.text.slice(place.span.start, Math.min(place.span.end, place.span.start + 4))))
    return undefined;
  const before = file.text[place.span.start - 1];
  const quote = before === '"' || before === "'" ? before : '';
  return { ...cursor, tree, place, quote, artifact };
}

/** The cursor in a scope that is being typed, `read:`, which YAML reads as a key. `isName` says where names may stand. */
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

/** What is typed of the word that the cursor is in. */
export const wordBefore = ({ file, place, offset }: YamlCursor): string => file.text.slice(place.span.start, offset);

/** A text as it has to be written at the cursor. */
export function written({ quote, place }: YamlCursor, value: string): string {
  if (quote === '"') return value.replace(/["\\]/g, '\\$&');
  if (quote === "'") return value.replaceAll("'", "''");
  return formatScalar(value, place.flow);
}

/** The names in the list that the cursor is in, without the one at the cursor. */
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

/** Whether a colon follows the word already. */
export const hasColon = ({ file: { text }, place, quote }: YamlCursor): boolean =>
  /^["']?[ \t]*:/.test(text.slice(place.span.end, place.span.end + 100)) ||
  (quote !== '' &&
    text[place.span.end] === quote &&
    /^[ \t]*:/.test(text.slice(place.span.end + 1, place.span.end + 100)));

/** The column at which what is inserted will start. */
export function columnAt({ file: { text }, place }: YamlCursor): number {
  const { start } = place.span;
  return start - lineStart(text, start) + place.before.length;
}

/** The part of a value that stands before its first comma: a type in front of its description. */
export function upToComma({ file: { text }, place, offset }: YamlCursor): Span | undefined {
  const comma = text.slice(place.span.start, place.span.end).indexOf(',');
  const end = comma < 0 ? place.span.end : place.span.start + comma;
  return offset <= end ? span(place.span.start, end) : undefined;
}
