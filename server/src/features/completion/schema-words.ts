/** Completion of shorthand types, field keys and JSON Schema keywords in a schema. */

import {
  FIELD_KEYS,
  JSON_TYPES,
  KEYWORDS,
  type Schema,
  shorthandTypes,
  type ValueKind,
} from '../../languages/schema/schema.ts';
import type { KeyPath } from '../../languages/yaml/cursor.ts';
import { findValue, jsonOf, nodeAt, stringOf, type YamlNode } from '../../languages/yaml/node.ts';
import { FIELD_KEY_DOCS, FORMATS, isForOtherTypes, KEYWORD_DOCS, keysForType } from '../hover/schema-docs.ts';
import { describedBy, trusted } from '../markdown.ts';
import { isFieldMap, schemaOf, schemaPlaceAt } from '../symbol/schema-place.ts';
import { Kind, type Offer, type Proposal, Rank } from './proposal.ts';
import { columnAt, hasColon, namesBeside, offerAt, upToComma, written, type YamlCursor } from './yaml-place.ts';

/**
 * Offers the types, keys and keywords that are possible in a schema. For the `constraints` of a tool, `known` is the
 * input schema of the tool.
 */
export function offerInSchema(
  cursor: YamlCursor,
  at: KeyPath,
  rest: KeyPath,
  form?: 'json-schema',
  known?: Schema,
): Offer | undefined {
  const { place, tree } = cursor;
  const root = nodeAt(tree.root, at);
  const where = schemaPlaceAt(root, rest, form ?? schemaOf(cursor.file, root).form)?.place;
  if (!where) return undefined;
  if (place.role === 'key') {
    if (where.kind === 'field') return offerAt(cursor, fieldKeys(cursor, where.node));
    if (where.kind === 'schema') return offerAt(cursor, keywords(cursor, where.node, known !== undefined));
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
  // The entries in an object without these keys are fields, which the author names.
  if (
    siblings.length > 0 &&
    !isFieldMap(node) &&
    !siblings.some((name) => (FIELD_KEYS as readonly string[]).includes(name))
  )
    return [];
  const type = stringOf(findValue(node, 'type'));
  const word = type?.replace(/[?,[].*$/s, '').trim();
  const fitting = keysForType(type?.includes('[]') ? 'array' : word);
  return FIELD_KEYS.filter((key) => !siblings.includes(key) && !isForOtherTypes(key, fitting)).map((key) => ({
    label: key,
    kind: Kind.Property,
    docs: trusted(FIELD_KEY_DOCS.get(key) ?? ''),
    rank: key === 'type' ? Rank.demanded : fitting.has(key) ? Rank.near : Rank.rest,
    ...keyInsert(cursor, key, key === 'properties' ? 'map' : key === 'enum' ? 'list' : 'value'),
  }));
}

/** `isOfTool` is true for the constraints of a known tool, which limit its inputs. */
function keywords(cursor: YamlCursor, node: YamlNode | undefined, isOfTool: boolean): Proposal[] {
  const { siblings } = cursor.place;
  const fitting = keysForType(stringOf(findValue(node, 'type')));
  const first = isOfTool && cursor.place.path.at(-1) === 'constraints' ? 'properties' : 'type';
  return [...KEYWORDS]
    .filter(([keyword]) => !siblings.includes(keyword) && !isForOtherTypes(keyword, fitting))
    .map(([keyword, { takes, value }]) => ({
      label: keyword,
      kind: Kind.Property,
      detail: takes.replaceAll('`', ''),
      docs: trusted(KEYWORD_DOCS.get(keyword) ?? ''),
      rank: keyword === first ? Rank.demanded : fitting.has(keyword) ? Rank.near : Rank.rest,
      ...keyInsert(cursor, keyword, MAPS.includes(value) ? 'map' : LISTS.includes(value) ? 'list' : 'value'),
    }));
}

/** The kinds of values that are usually maps. */
const MAPS: readonly ValueKind[] = [
  'schema',
  'schema-or-list',
  'schema-map',
  'flags',
  'dependencies',
  'dependent-names',
];

/** The kinds of values that are lists. */
const LISTS: readonly ValueKind[] = ['schema-list', 'list', 'enum', 'names'];

/** The values of `$schema` (docs/format.md, section 3). */
const SCHEMA_DRAFTS: readonly string[] = [
  'https://json-schema.org/draft/2020-12/schema',
  'http://json-schema.org/draft-07/schema#',
];

/** Returns the key with its colon and a skeleton of its value. */
export function keyInsert(cursor: YamlCursor, key: string, value: 'map' | 'list' | 'value'): Partial<Proposal> {
  if (hasColon(cursor) || cursor.quote !== '') return {};
  const name = written(cursor, key);
  if (key === '$schema') return { insert: `\\$schema: \${1|${SCHEMA_DRAFTS.join(',')}|}`, isSnippet: true };
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

/** Returns the shorthand types in plain, list and optional form, then enumerations and maps. */
const types = (cursor: YamlCursor): Proposal[] => [
  ...requiredTypes(cursor),
  ...VARIED_TYPES.map(({ name }) => typeProposal(cursor, `${name}?`, Rank.rest, { detail: `${name}, optional` })),
  ...(cursor.quote === '' ? SNIPPETS : []),
];

/** Returns the shorthand types in plain and list form. */
const requiredTypes = (cursor: YamlCursor): Proposal[] => [
  ...shorthandTypes.map(({ name, docs }) => typeProposal(cursor, name, Rank.near, { docs: trusted(docs) })),
  ...VARIED_TYPES.map(({ name }) => typeProposal(cursor, `${name}[]`, Rank.known, { detail: `list of ${name}` })),
];

/** The types that are proposed in list and optional form, too. */
const VARIED_TYPES = shorthandTypes.slice(0, 5);

const typeProposal = (
  cursor: YamlCursor,
  label: string,
  rank: Rank,
  words: Pick<Proposal, 'detail' | 'docs'>,
): Proposal => ({ label, kind: Kind.TypeParameter, insert: written(cursor, label), rank, ...words });

const snippet = (label: string, detail: string, insert: string): Proposal => ({
  label,
  kind: Kind.Snippet,
  detail,
  insert,
  isSnippet: true,
  rank: Rank.snippet,
});

const SNIPPETS: readonly Proposal[] = [
  snippet('[…]', 'one of several fixed values', '[$1]'),
  snippet('{type: …}', 'a type with bounds or a default', '{type: $1}'),
];

const booleans = (): Proposal[] => ['true', 'false'].map((label) => ({ label, kind: Kind.Keyword }));

function fieldKeyValues(cursor: YamlCursor, key: string, map: YamlNode | undefined): Proposal[] {
  if (key === 'type') return requiredTypes(cursor);
  if (key === 'required' || key === 'uniqueItems' || key === 'deprecated') return booleans();
  if (key === 'format') return formats();
  return key === 'default' || key === 'const' ? constants(cursor, map) : [];
}

function keywordValues(cursor: YamlCursor, key: string, schema: YamlNode | undefined): Proposal[] {
  switch (key) {
    case 'type':
      return JSON_TYPES.filter((name) => !namesBeside(cursor).has(name)).map((label) => ({
        label,
        kind: Kind.TypeParameter,
      }));
    case 'format':
      return formats();
    case 'required': {
      if (cursor.place.role !== 'item') return [];
      const properties = findValue(schema, 'properties');
      const names = properties?.kind === 'map' ? properties.entries.map((entry) => String(entry.key.value)) : [];
      return names
        .filter((name) => !namesBeside(cursor).has(name))
        .map((label) => ({ label, kind: Kind.Field, insert: written(cursor, label) }));
    }
    case '$schema':
      return SCHEMA_DRAFTS.map((label) => ({ label, kind: Kind.Constant, insert: written(cursor, label) }));
    case '$ref':
      return definitions(cursor);
    case 'default':
    case 'const':
      return constants(cursor, schema);
    default:
      return KEYWORDS.get(key)?.value === 'flag' ? booleans() : [];
  }
}

const formats = (): Proposal[] =>
  FORMATS.map(([label, docs]) => ({ label, kind: Kind.EnumMember, docs: trusted(docs) }));

/** Returns the possible values of `default` and `const`: the values of the enumeration, or true and false. */
function constants(cursor: YamlCursor, map: YamlNode | undefined): Proposal[] {
  const values = jsonOf(findValue(map, 'enum'));
  if (Array.isArray(values)) {
    return values.map((value) => ({
      label: String(value),
      kind: Kind.EnumMember,
      insert: typeof value === 'string' ? written(cursor, value) : String(value),
    }));
  }
  return /^bool/.test(stringOf(findValue(map, 'type')) ?? '') ? booleans() : [];
}

/** Returns local references to the definitions in the schema. */
function definitions(cursor: YamlCursor): Proposal[] {
  const { tree, place } = cursor;
  for (let length = place.path.length; length > 0; length--) {
    const node = nodeAt(tree.root, place.path.slice(0, length));
    for (const holder of ['$defs', 'definitions']) {
      const map = findValue(node, holder);
      if (map?.kind !== 'map') continue;
      return map.entries.map(({ key }) => {
        const label = `#/${holder}/${String(key.value)}`;
        return { label, kind: Kind.Reference, insert: written(cursor, label) };
      });
    }
  }
  return [];
}
