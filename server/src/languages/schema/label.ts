/** Types in words. */
import type { Json } from '../yaml/node.ts';
import { isList, isObject, type JsonObject, own } from './model.ts';
import { refTarget } from './walk.ts';

/** Alternatives within alternatives beyond this depth are `any`: a label is read at a glance. */
const MAX_DEPTH = 5;

/** A schema's type in a few words: `string`, `integer[]`, `grim | wry`, `object`, `any`. */
export function typeLabel(schema: Json, root: JsonObject, depth = 0): string {
  if (schema === false) return 'never';
  if (!isObject(schema) || depth > MAX_DEPTH) return 'any';
  const target = refTarget(root, schema);
  if (target !== undefined) return typeLabel(target, root, depth + 1);
  const constant = own(schema, 'const');
  if (constant !== undefined) return constantLabel(constant);
  const values = own(schema, 'enum');
  if (isList(values)) {
    const shown = values.slice(0, 6).map(constantLabel);
    return [...shown, ...(values.length > 6 ? ['…'] : [])].join(' | ') || 'never';
  }
  const alternatives = own(schema, 'anyOf') ?? own(schema, 'oneOf');
  const types = own(schema, 'type');
  if (isList(alternatives) && !(typeof types === 'string' && types !== 'object')) {
    return union(alternatives.slice(0, 6).map((item) => typeLabel(item, root, depth + 1)));
  }
  if (isList(types)) return union(types.map((type) => ofType(String(type), schema, root, depth)));
  if (typeof types === 'string') return ofType(types, schema, root, depth);
  for (const item of isList(schema.allOf) ? schema.allOf : []) {
    const label = typeLabel(item, root, depth + 1);
    if (label !== 'any') return label;
  }
  return ofType(impliedType(schema), schema, root, depth);
}

const union = (labels: readonly string[]): string => [...new Set(labels)].join(' | ') || 'any';

function constantLabel(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

const FORMAT_WORDS: { readonly [format: string]: string } = { date: 'date', 'date-time': 'datetime', uri: 'uri' };

function ofType(type: string, schema: JsonObject, root: JsonObject, depth: number): string {
  if (type === 'string') return FORMAT_WORDS[String(own(schema, 'format'))] ?? 'string';
  const items = own(schema, 'items');
  if (type !== 'array' || items === undefined || isList(items)) return type;
  const label = typeLabel(items, root, depth + 1);
  if (label === 'any') return 'array';
  return label.includes(' | ') ? `(${label})[]` : `${label}[]`;
}

/** The type that a schema without `type` speaks of. */
export function impliedType(schema: JsonObject): string {
  const has = (...keys: readonly string[]): boolean => keys.some((key) => Object.hasOwn(schema, key));
  if (has('properties', 'required', 'patternProperties')) return 'object';
  if (has('items', 'prefixItems', 'minItems', 'maxItems')) return 'array';
  if (has('pattern', 'minLength', 'maxLength', 'format')) return 'string';
  if (has('minimum', 'maximum', 'multipleOf')) return 'number';
  return 'any';
}
