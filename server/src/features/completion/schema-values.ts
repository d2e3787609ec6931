/** The values of a field's keys and of JSON Schema keywords. */

import { JSON_TYPES, KEYWORDS } from '../../languages/schema/schema.ts';
import { findValue, jsonOf, nodeAt, stringOf, type YamlNode } from '../../languages/yaml/node.ts';
import { FORMATS } from '../hover/schema-docs.ts';
import { ours } from '../markdown.ts';
import { Kind, type Proposal } from './proposal.ts';
import { types } from './schema-types.ts';
import { namesBeside, written, type YamlCursor } from './yaml-place.ts';

const booleans = (): Proposal[] => ['true', 'false'].map((label) => ({ label, kind: Kind.Keyword }));

export function fieldKeyValues(cursor: YamlCursor, key: string, map: YamlNode | undefined): Proposal[] {
  if (key === 'type')
    return types(cursor).filter(({ kind, label }) => kind === Kind.TypeParameter && !label.endsWith('?'));
  if (key === 'required' || key === 'uniqueItems' || key === 'deprecated') return booleans();
  if (key === 'format') return formats();
  return key === 'default' || key === 'const' ? constants(cursor, map) : [];
}

export function keywordValues(cursor: YamlCursor, key: string, schema: YamlNode | undefined): Proposal[] {
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
      return ['https://json-schema.org/draft/2020-12/schema', 'http://json-schema.org/draft-07/schema#'].map(
        (label) => ({ label, kind: Kind.Constant, insert: written(cursor, label) }),
      );
    case '$ref':
      return definitions(cursor);
    case 'default':
    case 'const':
      return constants(cursor, schema);
    default:
      return KEYWORDS.get(key)?.value === 'flag' ? booleans() : [];
  }
}

const formats = (): Proposal[] => FORMATS.map(([label, docs]) => ({ label, kind: Kind.EnumMember, docs: ours(docs) }));

/** What a default can be: a value of the enumeration, or true and false. */
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

/** The schemas that the file's own schema defines, as local references. */
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
