/**
 * How the YAML vocabularies are described: a table of keys, each with the shape of its value. Rules check against
 * the tables, completion offers from them, hover explains by them; none of the three knows a key by itself.
 */

/** What a string names. Rules look the name up, completion offers what there is. */
export type Domain =
  | 'skill'
  | 'tool'
  | 'scope'
  | 'role'
  | 'interrupt'
  | 'effect'
  | 'template'
  | 'model'
  | 'profile'
  | 'step'
  | 'field';

/** A string with rules of its own, checked where the format is checked. */
export type Format = 'semver' | 'semver-range' | 'spdx' | 'condition' | 'date' | 'regex';

export interface Choice {
  readonly value: string | number;
  readonly docs: string;
}

export type Shape =
  | {
      readonly kind: 'string';
      readonly format?: Format;
      readonly domain?: Domain;
      readonly minLength?: number;
      readonly maxLength?: number;
      readonly pattern?: RegExp;
      /** What the pattern asks for, in words: "`verb:resource`, such as `read:pages`". */
      readonly expected?: string;
    }
  | { readonly kind: 'choice'; readonly choices: readonly Choice[] }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'number'; readonly integer?: boolean; readonly min?: number; readonly max?: number }
  | { readonly kind: 'list'; readonly items: Shape }
  | { readonly kind: 'map'; readonly keys: KeyTable }
  /** A map whose keys the author chooses. */
  | { readonly kind: 'record'; readonly values: Shape; readonly keyDomain?: Domain }
  /** The first shape of the same YAML kind (scalar, list, map) is the one meant. */
  | { readonly kind: 'either'; readonly shapes: readonly Shape[] }
  /** A schema as in skill-format.md, section 3; `schema.ts` judges it. */
  | { readonly kind: 'schema' }
  /** Any JSON value. */
  | { readonly kind: 'any' };

export interface KeySpec {
  readonly name: string;
  readonly shape: Shape;
  /** What the key means, in a sentence or two of Markdown. */
  readonly docs: string;
  /** The section of skill-format.md (or of the open standard) that defines the key. */
  readonly section: string;
  readonly mandatory?: boolean;
  /** Accepted spellings that mean the same key. */
  readonly aliases?: readonly string[];
  /** A believable value in YAML; on its own lines where it is a block. */
  readonly example?: string;
  /** The rule that judges the value, where it is not `invalid-value`. */
  readonly rule?: string;
}

export type KeyTable = readonly KeySpec[];

export const text: Shape = { kind: 'string' };
export const bool: Shape = { kind: 'boolean' };
export const any: Shape = { kind: 'any' };
export const schema: Shape = { kind: 'schema' };
export const condition: Shape = { kind: 'string', format: 'condition' };
export const count: Shape = { kind: 'number', integer: true, min: 0 };
export const named = (domain: Domain): Shape => ({ kind: 'string', domain });
export const listOf = (items: Shape): Shape => ({ kind: 'list', items });
export const mapOf = (...keys: KeySpec[]): Shape => ({ kind: 'map', keys });
export const recordOf = (values: Shape): Shape => ({ kind: 'record', values });
export const either = (...shapes: Shape[]): Shape => ({ kind: 'either', shapes });

/** Choices from `value: what it means` pairs. */
export const oneOf = (choices: Readonly<Record<string, string>>): Shape => ({
  kind: 'choice',
  choices: Object.entries(choices).map(([value, docs]) => ({ value, docs })),
});

/** Every spelling of every key of a table: each key of each file is looked up in it. */
const spellings = new WeakMap<KeyTable, ReadonlyMap<string, KeySpec>>();

export function findKey(table: KeyTable, name: string): KeySpec | undefined {
  let known = spellings.get(table);
  if (!known) {
    // Of two keys of one spelling the first counts.
    known = new Map(
      [...table].reverse().flatMap((key) => [key.name, ...(key.aliases ?? [])].map((word) => [word, key])),
    );
    spellings.set(table, known);
  }
  return known.get(name);
}

/** The shape that a path of keys and list indices leads to; undefined where the tables say nothing about it. */
export function shapeAt(table: KeyTable, path: readonly (string | number)[]): Shape | undefined {
  let shapes: readonly Shape[] = [{ kind: 'map', keys: table }];
  for (const step of path) {
    shapes = shapes.flatMap(alternatives).flatMap((shape) => {
      const next = stepInto(shape, step);
      return next ? [next] : [];
    });
  }
  if (shapes.length < 2) return shapes[0];
  return { kind: 'either', shapes };
}

/** A shape's alternatives, `either` within `either` flattened. */
export const alternatives = (shape: Shape): readonly Shape[] =>
  shape.kind === 'either' ? shape.shapes.flatMap(alternatives) : [shape];

function stepInto(shape: Shape, step: string | number): Shape | undefined {
  if (shape.kind === 'map') return typeof step === 'string' ? findKey(shape.keys, step)?.shape : undefined;
  if (shape.kind === 'record') return shape.values;
  if (shape.kind === 'list') return typeof step === 'number' ? shape.items : undefined;
  return shape.kind === 'any' ? shape : undefined;
}
