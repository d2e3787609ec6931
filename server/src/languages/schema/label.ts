/** Short descriptions of types. */
import type { Json } from '../yaml/node.ts';
import { counted, isList, isObject, type JsonObject, listUnder, numberUnder, own } from './model.ts';
import { refTarget } from './walk.ts';

/** The limit for nested alternatives. Deeper alternatives are shown as `any`. */
const MAX_DEPTH = 5;

/**
 * Returns the type of a schema in a few words: `string`, `integer[]`, `grim | wry`, `object`, `any`. `root` is the
 * schema from which its references are resolved. Never throws.
 */
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
  for (const item of listUnder(schema, 'allOf')) {
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

const FORMAT_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({ date: 'date', 'date-time': 'datetime', uri: 'uri' }),
);

function ofType(type: string, schema: JsonObject, root: JsonObject, depth: number): string {
  if (type === 'string') return FORMAT_WORDS.get(String(own(schema, 'format'))) ?? 'string';
  const items = own(schema, 'items');
  if (type !== 'array' || items === undefined || isList(items)) return type;
  const label = typeLabel(items, root, depth + 1);
  if (label === 'any') return 'array';
  return label.includes(' | ') ? `(${label})[]` : `${label}[]`;
}

/** Returns the type that the keywords of a schema without `type` apply to, or `any`. */
export function impliedType(schema: JsonObject): string {
  const has = (...keys: readonly string[]): boolean => keys.some((key) => Object.hasOwn(schema, key));
  if (has('properties', 'required', 'patternProperties')) return 'object';
  if (has('items', 'prefixItems', 'minItems', 'maxItems')) return 'array';
  if (has('pattern', 'minLength', 'maxLength', 'format')) return 'string';
  if (has('minimum', 'maximum', 'multipleOf')) return 'number';
  return 'any';
}

/**
 * Returns the `typeLabel` of a schema with its bounds and format, to distinguish similar types: `integer, at least 3`.
 */
export function boundedLabel(schema: Json, root: JsonObject): string {
  const label = typeLabel(schema, root);
  if (!isObject(schema) || own(schema, 'const') !== undefined || own(schema, 'enum') !== undefined) return label;
  const target = refTarget(root, schema);
  return [label, ...boundsOf(isObject(target) ? target : schema, label)].join(', ');
}

/**
 * Returns the bounds, format and pattern of a schema in words. Does not follow a `$ref`. `label` is the schema's
 * `typeLabel`.
 */
export function boundsOf(at: JsonObject, label: string): readonly string[] {
  const number = (keyword: string, words: (bound: number) => string): readonly string[] => {
    const bound = numberUnder(at, keyword);
    return bound === undefined ? [] : [words(bound)];
  };
  const format = own(at, 'format');
  const pattern = own(at, 'pattern');
  return [
    ...(typeof format === 'string' && label === 'string' ? [format] : []),
    ...number('minimum', (bound) => `at least ${bound}`),
    ...number('exclusiveMinimum', (bound) => `more than ${bound}`),
    ...number('maximum', (bound) => `at most ${bound}`),
    ...number('exclusiveMaximum', (bound) => `less than ${bound}`),
    ...number('multipleOf', (bound) => `multiple of ${bound}`),
    ...number('minLength', (bound) => `at least ${counted(bound, 'character')}`),
    ...number('maxLength', (bound) => `at most ${counted(bound, 'character')}`),
    ...number('minItems', (bound) => `at least ${counted(bound, 'item')}`),
    ...number('maxItems', (bound) => `at most ${counted(bound, 'item')}`),
    ...(own(at, 'uniqueItems') === true ? ['no duplicate items'] : []),
    ...(typeof pattern === 'string' ? [pattern.length > 30 ? `${pattern.slice(0, 29)}…` : pattern] : []),
  ];
}
