/** Where in a schema a path leads: to fields of the shorthand, to the keys of one field, or into JSON Schema. */
import {
  FIELD_KEYS,
  FIELD_KEYWORDS,
  findTypeWord,
  holdsSchemas,
  parseSchema,
  type Schema,
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
  /** A map of names that the author chooses to types. */
  | { readonly kind: 'fields' }
  /** What one field is: a type, a list of constants, or a map that `node` holdsSchemas. */
  | { readonly kind: 'field'; readonly node: YamlNode | undefined }
  /** The value of a field's key. */
  | { readonly kind: 'field-key'; readonly key: string; readonly map: YamlNode | undefined }
  /** A JSON Schema. */
  | { readonly kind: 'schema'; readonly node: YamlNode | undefined }
  /** The value of a JSON Schema keyword, or an item of it. */
  | { readonly kind: 'keyword'; readonly key: string; readonly schema: YamlNode | undefined };

/** The schema that a node of the file holds; the contract's own two are not parsed again. */
export function schemaOf({ contract }: SkillFile, root: YamlNode | undefined): Schema {
  const own = [contract.input, contract.output].find((known) => known?.entry.value === root);
  return own?.schema ?? parseSchema(root);
}

/** The place, and the names of the fields that the path goes through. Undefined where nothing is known of the place. */
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

/** Whether a step from a place is the name of a field and no key or keyword. */
export const namesField = (place: SchemaPlace, step: string | number): boolean =>
  typeof step === 'string' &&
  (place.kind === 'fields' ||
    (place.kind === 'field' && !isFieldMap(place.node)) ||
    (place.kind === 'keyword' && place.key === 'properties'));

/** Where a key, or an index, of what stands at a place leads; `node` is what stands under it. */
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
      // `items` is one schema, also where its value is incomplete.
      return holdsSchemas(step, undefined) === 'one'
        ? { kind: 'schema', node }
        : { kind: 'keyword', key: step, schema: place.node };
    }
    case 'keyword': {
      const held = holdsSchemas(place.key, undefined);
      if (held === 'map') return typeof step === 'string' ? { kind: 'schema', node } : undefined;
      if (held === 'list') return typeof step === 'number' ? { kind: 'schema', node } : undefined;
      return typeof step === 'number' ? place : undefined;
    }
    default:
      return typeof step === 'number' ? place : undefined;
  }
}

/** Whether a map under a field's name has the keys of a field and not fields of its own. */
export function isFieldMap(node: YamlNode | undefined): boolean {
  if (node?.kind !== 'map') return false;
  const type = stringOf(findValue(node, 'type'));
  if (type !== undefined) return true;
  const isKey = (name: unknown) =>
    (FIELD_KEYS as readonly unknown[]).includes(name) || FIELD_KEYWORDS.has(String(name));
  return node.entries.some(({ key, value }) => isKey(key.value) && !findTypeWord(stringOf(value) ?? ''));
}

// What the tables of the vocabulary say about a path of keys and indices.

/** What a table says about a path: the shapes that may stand there, or that it leads into a schema. */
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

/** Whether a path has the form of a pattern, in which `*` is any key and `#` any index. */
export const fits = (path: KeyPath, ...pattern: readonly string[]): boolean =>
  path.length === pattern.length &&
  pattern.every((part, i) =>
    part === '*' ? typeof path[i] === 'string' : part === '#' ? typeof path[i] === 'number' : path[i] === part,
  );

// The scalar at a place of a YAML tree, and the way to it.

/** A key or a scalar value under the cursor; the path of a key ends with its name. */
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
