/** Inside a schema: types of the shorthand, the keys of a field, the keywords of JSON Schema. */

import { FIELD_KEYS, KEYWORDS, type Schema } from '../../languages/schema/schema.ts';
import type { Path } from '../../languages/yaml/cursor-place.ts';
import { findValue, nodeAt, stringOf, type YamlNode } from '../../languages/yaml/node.ts';
import { FIELD_KEY_DOCS, KEYWORD_DOCS, keysForType } from '../hover/schema-docs.ts';
import { describedBy, ours } from '../markdown.ts';
import { isFieldMap, schemaOf, schemaPlaceAt } from '../symbol/schema-place.ts';
import { Kind, type Offer, type Proposal, Rank } from './proposal.ts';
import { types } from './schema-types.ts';
import { fieldKeyValues, keywordValues } from './schema-values.ts';
import { columnAt, hasColon, offerAt, upToComma, written, type YamlCursor } from './yaml-place.ts';

/** `known` is the schema of a tool, whose properties its `constraints` narrow. */
export function offerInSchema(
  cursor: YamlCursor,
  at: Path,
  rest: Path,
  form?: 'json-schema',
  known?: Schema,
): Offer | undefined {
  const { place, tree } = cursor;
  const root = nodeAt(tree.root, at);
  const where = schemaPlaceAt(root, rest, form ?? schemaOf(cursor.file, root).form)?.place;
  if (!where) return undefined;
  if (place.role === 'key') {
    if (where.kind === 'field') return offerAt(cursor, fieldKeys(cursor, where.node));
    if (where.kind === 'schema') return offerAt(cursor, keywords(cursor, where.node));
    if (where.kind === 'keyword' && where.key === 'properties') return offerAt(cursor, knownProperties(cursor, known));
    return undefined;
  }
  switch (where.kind) {
    case 'field': {
      const word = upToComma(cursor);
      return word && place.role === 'value' ? { ...offerAt(cursor, types(cursor)), span: word } : undefined;
    }
    case 'field-key':
      return offerAt(cursor, fieldKeyValues(cursor, where.key, where.map));
    case 'keyword':
      return offerAt(cursor, keywordValues(cursor, where.key, where.schema));
    default:
      return undefined;
  }
}

function fieldKeys(cursor: YamlCursor, node: YamlNode | undefined): Proposal[] {
  const { siblings } = cursor.place;
  // The entries of an object without these keys are fields, named by the author.
  if (
    siblings.length > 0 &&
    !isFieldMap(node) &&
    !siblings.some((name) => (FIELD_KEYS as readonly string[]).includes(name))
  )
    return [];
  const type = stringOf(findValue(node, 'type'));
  const fitting = keysForType(type?.replace(/[?,[].*$/s, '').trim());
  return FIELD_KEYS.filter((key) => !siblings.includes(key)).map((key) => ({
    label: key,
    kind: Kind.Property,
    docs: ours(FIELD_KEY_DOCS.get(key) ?? ''),
    rank: key === 'type' ? Rank.demanded : fitting.has(key) ? Rank.near : Rank.rest,
    ...keyInsert(cursor, key, key === 'properties' ? 'map' : key === 'enum' ? 'list' : 'value'),
  }));
}

function keywords(cursor: YamlCursor, node: YamlNode | undefined): Proposal[] {
  const { siblings } = cursor.place;
  const fitting = keysForType(stringOf(findValue(node, 'type')));
  return [...KEYWORDS]
    .filter(([keyword]) => !siblings.includes(keyword))
    .map(([keyword, { takes }]) => ({
      label: keyword,
      kind: Kind.Property,
      detail: takes.replaceAll('`', ''),
      docs: ours(KEYWORD_DOCS.get(keyword) ?? ''),
      rank: keyword === 'type' ? Rank.demanded : fitting.has(keyword) ? Rank.near : Rank.rest,
      ...keyInsert(
        cursor,
        keyword,
        takes === 'a schema' || takes.startsWith('a map') ? 'map' : takes.startsWith('a list') ? 'list' : 'value',
      ),
    }));
}

/** The key with its colon and room for its value. */
export function keyInsert(cursor: YamlCursor, key: string, value: 'map' | 'list' | 'value'): Partial<Proposal> {
  if (hasColon(cursor) || cursor.quote !== '') return {};
  const name = written(cursor, key);
  if (value === 'value') return { insert: `${name}: ` };
  const room = value === 'list' ? ' [$1]' : cursor.place.flow ? ' {$1}' : `\n${' '.repeat(columnAt(cursor) + 2)}$1`;
  return { insert: `${name.replaceAll('$', '\\$')}:${room}`, isSnippet: true };
}

function knownProperties(cursor: YamlCursor, known: Schema | undefined): Proposal[] {
  return (known?.fields ?? [])
    .filter(({ name }) => !cursor.place.siblings.includes(name))
    .map(({ name, type, description }) => ({
      label: name,
      kind: Kind.Field,
      detail: type,
      docs: describedBy(description),
      ...keyInsert(cursor, name, 'map'),
    }));
}
