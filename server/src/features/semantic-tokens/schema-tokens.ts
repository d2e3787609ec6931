/** The names of fields, types, constants and descriptions in a schema, in shorthand or as JSON Schema. */
import type { Schema } from '../../languages/schema/schema.ts';
import { findTypeWord, JSON_TYPES } from '../../languages/schema/schema.ts';
import { findValue, listItems, stringOf, type YamlNode, type YamlScalar } from '../../languages/yaml/node.ts';
import { span } from '../../text.ts';
import { isFieldMap, namesField, type SchemaPlace, stepInto } from '../symbol/schema-place.ts';
import { innerOf, proseTokens } from './scalars.ts';
import { type Token, type TokenType, token } from './token.ts';

export function schemaTokens(
  text: string,
  root: YamlNode | undefined,
  form: Schema['form'],
  field: TokenType,
): readonly Token[] {
  const tokens: Token[] = [];
  const walk = (node: YamlNode, from: SchemaPlace, key: string | undefined): void => {
    if (node.kind === 'scalar') return void tokens.push(...tokensOf(text, node, from, key));
    if (node.kind === 'list') {
      for (const [index, item] of node.items.entries()) {
        const place = from.kind === 'field' ? CONSTANT : stepInto(from, index, item);
        if (place) walk(item, place, key);
      }
      return;
    }
    const place: SchemaPlace = from.kind === 'field' && !isFieldMap(node) ? { kind: 'fields' } : from;
    for (const { key, value } of node.entries) {
      const name = String(key.value);
      if (namesField(place, name)) tokens.push(token(innerOf(text, key), field, 'declaration'));
      const next = stepInto(place, name, value);
      if (next) walk(value, next, 'key' in next ? next.key : undefined);
    }
  };
  if (root) walk(root, form === 'json-schema' ? { kind: 'schema', node: root } : { kind: 'fields' }, undefined);
  return tokens;
}

/** An item of a list that stands in place of a type. */
const CONSTANT: SchemaPlace = { kind: 'field-key', key: 'enum', map: undefined };

function tokensOf(text: string, scalar: YamlScalar, place: SchemaPlace, key: string | undefined): readonly Token[] {
  if (typeof scalar.value !== 'string') return [];
  if (place.kind === 'field') return typeTokens(text, scalar, scalar.value);
  if (!('key' in place)) return [];
  switch (key ?? place.key) {
    case 'type':
      return typeTokens(text, scalar, scalar.value);
    case 'enum':
    case 'const':
      return [token(innerOf(text, scalar), 'enumMember')];
    case 'default':
      return isOneOf(scalar.value, 'map' in place ? place.map : place.schema)
        ? [token(innerOf(text, scalar), 'enumMember')]
        : [];
    case 'description':
    case 'title':
    case '$comment':
      return proseTokens(text, scalar);
    default:
      return [];
  }
}

/** Whether a field or a schema lists a value among its constants. */
const isOneOf = (value: string, map: YamlNode | undefined): boolean =>
  listItems(findValue(map, 'enum')).some((item) => stringOf(item) === value);

/** `string[]?, what it is for`: the type is a word of the language, and prose follows it. */
function typeTokens(text: string, scalar: YamlScalar, value: string): readonly Token[] {
  const { start, end } = innerOf(text, scalar);
  const [type = '', word = ''] = /^([A-Za-z]+)(?:\[\])*\??/.exec(value) ?? [];
  const isType = findTypeWord(word) !== undefined || (JSON_TYPES as readonly string[]).includes(word);
  if (!isType || !text.startsWith(type, start)) return [];
  const rest = span(start + type.length, end);
  return [token(span(start, rest.start), 'keyword'), ...proseTokens(text, scalar, rest)];
}
