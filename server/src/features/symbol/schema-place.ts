/**
 * Resolves a path inside a schema to a shorthand field, to a key of a field, or to a JSON Schema keyword.
 */
import {
  FIELD_KEYS,
  FIELD_KEYWORDS,
  findTypeWord,
  parseSchema,
  type Schema,
  type SchemaField,
  schemaFormOf,
} from '../../languages/schema/schema.ts';
import type { KeyPath } from '../../languages/yaml/cursor.ts';
import {
  findValue,
  nodeAt,
  stringOf,
  type YamlEntry,
  type YamlNode,
  type YamlScalar,
  type YamlTree,
} from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { findTouching, indexTouching, spanOf, touches } from '../../text.ts';
import { alternatives, type KeyTable, type Shape, shapeAt } from '../../vocabulary/shape.ts';

export type SchemaPlace =
  /** A map from field names, which the author chooses, to types. */
  | { readonly kind: 'fields' }
  /** The definition of one field: a type, a list of constants, or a map in `node`. */
  | { readonly kind: 'field'; readonly node: YamlNode | undefined }
  /** The value of a field's key, such as `type`. */
  | { readonly kind: 'field-key'; readonly key: string; readonly map: YamlNode | undefined }
  /** A JSON Schema. */
  | { readonly kind: 'schema'; readonly node: YamlNode | undefined }
  /** The value of a JSON Schema keyword, or an item in this value. */
  | { readonly kind: 'keyword'; readonly key: string; readonly schema: YamlNode | undefined };

/** Returns the schema in a node of the file. Input and output schemas come from the parsed contract. */
export function schemaOf({ contract }: SkillFile, root: YamlNode | undefined): Schema {
  const own = [contract.input, contract.output].find((known) => known?.entry.value === root);
  return own?.schema ?? parseSchema(root);
}

/** Keywords whose values are data that the schema describes. */
export const DATA_KEYWORDS: ReadonlySet<string | number> = new Set(['default', 'const', 'enum', 'examples']);

/** Returns the kind of place at a path, and the names of the fields on the path. Undefined if the path is unknown. */
export function schemaPlaceAt(
  root: YamlNode | undefined,
  rest: KeyPath,
  form: Schema['form'],
): { readonly place: SchemaPlace; readonly names: readonly string[] } | undefined {
  let place: SchemaPlace = form === 'json-schema' ? { kind: 'schema', node: root } : { kind: 'fields' };
  const names: string[] = [];
  for (const [depth, step] of rest.entries()) {
    const next = stepInto(place, step, nodeAt(root, rest.slice(0, depth + 1)));
    if (!next) return undefined;
    if (namesField(place, step)) names.push(String(step));
    place = next;
  }
  return { place, names };
}

/** Returns whether the next step of a path is the name of a field, rather than a key or keyword. */
export const namesField = (place: SchemaPlace, step: string | number): boolean =>
  typeof step === 'string' &&
  (place.kind === 'fields' ||
    (place.kind === 'field' && !isFieldMap(place.node)) ||
    (place.kind === 'keyword' && place.key === 'properties'));

/** Returns the place to which a key or an index leads from another place; `node` is the value at the new place. */
export function stepInto(
  place: SchemaPlace,
  step: string | number,
  node: YamlNode | undefined,
): SchemaPlace | undefined {
  switch (place.kind) {
    case 'fields':
      return typeof step === 'string' ? { kind: 'field', node } : undefined;
    case 'field': {
      if (typeof step === 'number') return undefined;
      if (!isFieldMap(place.node)) return { kind: 'field', node };
      if (step === 'items') return { kind: 'field', node };
      return step === 'properties' ? { kind: 'fields' } : { kind: 'field-key', key: step, map: place.node };
    }
    case 'schema': {
      if (typeof step === 'number') return undefined;
      // `items` is one schema, even if its value is incomplete.
      return schemaFormOf(step, undefined) === 'one'
        ? { kind: 'schema', node }
        : { kind: 'keyword', key: step, schema: place.node };
    }
    case 'keyword': {
      // The lists in these keywords contain names of fields, as the list of `required` does.
      const isDependency = place.key === 'dependentRequired' || (place.key === 'dependencies' && node?.kind === 'list');
      if (isDependency && typeof step === 'string') return { ...place, key: 'required' };
      const held = schemaFormOf(place.key, undefined);
      if (held === 'map') return typeof step === 'string' ? { kind: 'schema', node } : undefined;
      if (held === 'list') return typeof step === 'number' ? { kind: 'schema', node } : undefined;
      return typeof step === 'number' ? place : undefined;
    }
    default:
      return typeof step === 'number' ? place : undefined;
  }
}

/** Returns whether a map under a field name contains the keys of that field, not nested fields. */
export function isFieldMap(node: YamlNode | undefined): boolean {
  if (node?.kind !== 'map') return false;
  const type = stringOf(findValue(node, 'type'));
  if (type !== undefined) return true;
  const isKey = (name: unknown) =>
    (FIELD_KEYS as readonly unknown[]).includes(name) || FIELD_KEYWORDS.has(String(name));
  return node.entries.some(({ key, value }) => isKey(key.value) && !findTypeWord(stringOf(value) ?? ''));
}

/** The entry of a vocabulary table for a path: the allowed shapes, or the position within a schema. */
interface TablePlace {
  readonly shapes: readonly Shape[];
  readonly schema: { readonly at: KeyPath; readonly rest: KeyPath } | undefined;
}

export function placeInTable(table: KeyTable, path: KeyPath): TablePlace {
  for (let length = 1; length <= path.length; length++) {
    const shape = shapeAt(table, path.slice(0, length));
    if (!shape) break;
    if (!alternatives(shape).some(({ kind }) => kind === 'schema')) continue;
    return { shapes: [], schema: { at: path.slice(0, length), rest: path.slice(length) } };
  }
  const shape = shapeAt(table, path);
  return { shapes: shape ? alternatives(shape) : [], schema: undefined };
}

/** Returns whether a path matches a pattern, in which `*` is any key and `#` any index. */
export const matchesPattern = (path: KeyPath, ...pattern: readonly string[]): boolean =>
  path.length === pattern.length &&
  pattern.every((part, i) =>
    part === '*' ? typeof path[i] === 'string' : part === '#' ? typeof path[i] === 'number' : path[i] === part,
  );

/** A key or a scalar value in a YAML tree with its path; the path of a key ends with its name. */
export interface ScalarPlace {
  readonly role: 'key' | 'value';
  readonly path: KeyPath;
  readonly scalar: YamlScalar;
}

export function findScalar({ root, span: whole }: YamlTree, offset: number): ScalarPlace | undefined {
  if (!touches(whole, offset)) return undefined;
  const path: (string | number)[] = [];
  let node = root;
  while (node) {
    if (!touches(node.span, offset)) return undefined;
    if (node.kind === 'scalar') return { role: 'value', path, scalar: node };
    if (node.kind === 'list') {
      const index = indexTouching(node.items, offset, spanOf);
      path.push(index);
      node = node.items[index];
      continue;
    }
    const entry: YamlEntry | undefined = findTouching(node.entries, offset, spanOf);
    if (!entry) return undefined;
    path.push(String(entry.key.value));
    if (touches(entry.key.span, offset)) return { role: 'key', path, scalar: entry.key };
    node = entry.value;
  }
  return undefined;
}

export const textOf = ({ value, source }: YamlScalar): string => (typeof value === 'string' ? value : source);

/** Returns the field at a path of names; list items add no segment to the path. */
export function findField(
  fields: readonly SchemaField[],
  [first, ...rest]: readonly string[],
): SchemaField | undefined {
  const field = fields.find(({ name }) => name === first);
  return field && rest.length > 0 ? findField(field.fields, rest) : field;
}

/** Returns whether the skill has an input with this name. */
export const isParameter = ({ contract }: SkillFile, name: string): boolean =>
  contract.input?.schema.fields.some((field) => field.name === name) === true;
