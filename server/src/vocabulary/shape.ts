/**
 * The types of the YAML vocabularies, which are tables of keys with the shapes of the values. Rules, completion and
 * hover read the tables.
 */
import { nearestNames, normalizedSpelling } from '../nearest.ts';

/** The kind of name that a string contains, for lookups in rules and for completion. */
export type Domain =
  | 'skill'
  | 'tool'
  | 'scope'
  | 'role'
  | 'interrupt'
  | 'effect'
  | 'template'
  | 'model'
  | 'surface'
  | 'channel'
  | 'profile'
  | 'step'
  /** A stage, or a step, of the path that a sample expects. */
  | 'stage'
  | 'field';

/** A string format, which `formats.ts` or a rule checks. */
export type Format = 'semver' | 'semver-range' | 'semver-or-date' | 'spdx' | 'condition' | 'date' | 'regex' | 'address';

/** The completion proposals for the value of a key, if the shape does not define them. */
export type KeyOffers =
  | 'rules'
  | 'usual limits'
  | 'names of a client'
  | 'sample values'
  | 'stub result'
  | 'answers'
  | 'tool input'
  | 'mapped names'
  | 'step inputs'
  | 'fallback';

/** The completion proposals for a string without a domain. */
export type TextOffers =
  | 'error codes'
  | 'servers'
  | 'file name'
  | 'inputs in braces'
  | 'feature flags'
  | 'tiers'
  | 'graph nodes';

interface ValueChoice {
  readonly value: string | number;
  readonly docs: string;
  /** A former name, with which the value is suggested. */
  readonly formerly?: string;
}

/** A requirement that one of the keys in `oneOf` is present if `key` has `value`. */
export interface Need {
  readonly key: string;
  readonly value: string;
  readonly oneOf: readonly string[];
  /** Further keys that only this value uses. */
  readonly also?: readonly string[];
  /** A key that cancels the requirement if the map has that key. */
  readonly unless?: string;
}

export type Shape =
  | {
      readonly kind: 'string';
      readonly format?: Format;
      readonly domain?: Domain;
      readonly offers?: TextOffers;
      /** Text for people and models, not a name or data. */
      readonly prose?: true;
      readonly minLength?: number;
      readonly maxLength?: number;
      readonly pattern?: RegExp;
      /** The pattern in words: "`verb:resource`, such as `read:pages`". */
      readonly expected?: string;
    }
  | {
      readonly kind: 'choice';
      readonly choices: readonly ValueChoice[];
      /** Further text that is allowed. */
      readonly pattern?: RegExp;
      /** The choices in words, for messages, if they are too many to list. */
      readonly expected?: string;
    }
  | { readonly kind: 'boolean' }
  | {
      readonly kind: 'number';
      readonly integer?: boolean;
      readonly min?: number;
      readonly max?: number;
      /** Zero is not allowed. */
      readonly positive?: true;
    }
  | {
      readonly kind: 'list';
      readonly items: Shape;
      /** True if an item without a value is a problem. */
      readonly filled?: true;
    }
  | {
      readonly kind: 'map';
      readonly keys: KeyTable;
      /** The rule that reports unknown keys; the default is `unknown-key`. */
      readonly unknownKeys?: string;
      /** Keys that a value of another key requires; a separate rule reports missing keys. */
      readonly needs?: readonly Need[];
      /** The sets of keys that a map can have together. Keys outside these sets are always allowed. */
      readonly forms?: readonly (readonly string[])[];
      /** True if a key without a value is a problem, also if the key is optional. */
      readonly filled?: true;
    }
  /** A map whose keys the author chooses. */
  | {
      readonly kind: 'record';
      readonly values: Shape;
      readonly keyDomain?: Domain;
      /** True if a key without a value is a problem. */
      readonly filled?: true;
    }
  /** The first shape with the value's YAML kind (scalar, list, map) applies; a scalar may match any scalar shape. */
  | { readonly kind: 'either'; readonly shapes: readonly Shape[] }
  /** A schema (docs/format.md, section 3), validated by `languages/schema`. */
  | { readonly kind: 'schema' }
  /** Any JSON value. */
  | { readonly kind: 'any' };

export interface KeySpec {
  readonly name: string;
  readonly shape: Shape;
  /** The meaning of the key, in one or two sentences of Markdown. */
  readonly docs: string;
  /** The section of docs/format.md (or of the open standard) that defines the key. */
  readonly section: string;
  readonly mandatory?: boolean;
  /** Another key whose presence makes this key optional. */
  readonly unless?: string;
  /** Another key and a value. This key is mandatory if the other key has that value, and otherwise has no effect. */
  readonly with?: readonly [key: string, value: string];
  /** True if null means no value, as in JSON files that programs write. */
  readonly nullable?: boolean;
  /** True if another key replaces this one, which is accepted, but not offered. */
  readonly isOlder?: true;
  /** Other accepted spellings of the key. */
  readonly aliases?: readonly string[];
  /** Names of the key in other formats, in snake_case. They are not accepted, but a fix replaces them. */
  readonly elsewhere?: readonly string[];
  /** A realistic value in YAML. */
  readonly example?: string;
  /** The rule that reports problems with the value; the default is `invalid-value`. */
  readonly rule?: string;
  readonly offers?: KeyOffers;
}

export type KeyTable = readonly KeySpec[];

/** A key without its section, which the table defines for all keys. */
export type KeyDraft = Omit<KeySpec, 'section'> & Partial<Pick<KeySpec, 'section'>>;

export const key = (
  name: string,
  shape: Shape,
  docs: string,
  more: Omit<KeyDraft, 'name' | 'shape' | 'docs'> = {},
): KeyDraft => ({ name, shape, docs, ...more });

/** Returns a table of keys with the section `section`, unless a key has its own section. */
export const keysOf = (section: string, ...keys: readonly KeyDraft[]): KeyTable =>
  keys.map((one) => ({ section, ...one }));

export const named = (domain: Domain): Shape => ({ kind: 'string', domain });
type Container<Kind extends 'list' | 'map' | 'record'> = Extract<Shape, { kind: Kind }>;

export const listOf = (items: Shape): Container<'list'> => ({ kind: 'list', items });
export const mapOf = (section: string, ...keys: readonly KeyDraft[]): Container<'map'> => ({
  kind: 'map',
  keys: keysOf(section, ...keys),
});
/** `keyDomain` is the domain of the keys. */
export const recordOf = (values: Shape, keyDomain?: Domain): Container<'record'> => ({
  kind: 'record',
  values,
  ...(keyDomain && { keyDomain }),
});
/** Returns the shape in which a key or an item without a value is a problem. */
export const withValues = (shape: Container<'list' | 'map' | 'record'>): Shape => ({ ...shape, filled: true });
export const either = (...shapes: Shape[]): Shape => ({ kind: 'either', shapes });

/** Returns choices from pairs of a value and its meaning. */
export const oneOf = (choices: Readonly<Record<string, string>>): Shape => ({
  kind: 'choice',
  choices: Object.entries(choices).map(([value, docs]) => ({ value, docs })),
});

/** Returns the first key with this name or alias. */
export const findKey = (table: KeyTable, name: string): KeySpec | undefined =>
  table.find((spec) => spec.name === name || spec.aliases?.includes(name));

/** Returns the keys that an unknown key may mean: the key that other formats spell so, or the most similar keys. */
export function keysMeant(name: string, table: KeyTable): readonly string[] {
  const spelling = normalizedSpelling(name);
  const own = table.find((spec) => normalizedSpelling(spec.name) === spelling);
  if (own) return [own.name];
  const foreign = new Map(table.flatMap((spec) => (spec.elsewhere ?? []).map((other) => [other, spec.name])));
  const exact = [...foreign].find(([other]) => normalizedSpelling(other) === spelling);
  if (exact) return [exact[1]];
  // A short word of another format is similar to too many words.
  const long = [...foreign.keys()].filter((other) => other.length >= MIN_SIMILAR);
  const near = nearestNames(name, [...table.map((spec) => spec.name), ...long]);
  const meant = foreign.get(near[0] ?? '');
  return meant === undefined ? near.filter((one) => !foreign.has(one)) : [meant];
}

const MIN_SIMILAR = 10;

/** Returns the shape at a path of keys and list indices, or undefined if the table does not define it. */
export function shapeAt(table: KeyTable, path: readonly (string | number)[]): Shape | undefined {
  let shapes: readonly Shape[] = [{ kind: 'map', keys: table }];
  for (const step of path) shapes = shapesUnder(shapes, step);
  if (shapes.length < 2) return shapes[0];
  return { kind: 'either', shapes };
}

/**
 * Returns the completion proposals of the innermost key on a path that has proposals; `depth` is the number of path
 * steps to that key.
 */
export function offersAt(
  table: KeyTable,
  path: readonly (string | number)[],
): { readonly offers: KeyOffers; readonly depth: number } | undefined {
  let shapes: readonly Shape[] = [{ kind: 'map', keys: table }];
  let found: { readonly offers: KeyOffers; readonly depth: number } | undefined;
  for (const [at, step] of path.entries()) {
    for (const shape of shapes.flatMap(alternatives)) {
      const offers = shape.kind === 'map' && typeof step === 'string' ? findKey(shape.keys, step)?.offers : undefined;
      if (offers) found = { offers, depth: at + 1 };
    }
    shapes = shapesUnder(shapes, step);
  }
  return found;
}

/** Returns the shapes of the value under a key or index, in a value that has one of `shapes`. */
export const shapesUnder = (shapes: readonly Shape[], step: string | number): readonly Shape[] =>
  shapes.flatMap(alternatives).flatMap((shape) => {
    const next = stepInto(shape, step);
    return next ? alternatives(next) : [];
  });

/** Returns the alternatives of a shape, including the alternatives of nested `either` shapes. */
export const alternatives = (shape: Shape): readonly Shape[] =>
  shape.kind === 'either' ? shape.shapes.flatMap(alternatives) : [shape];

function stepInto(shape: Shape, step: string | number): Shape | undefined {
  if (shape.kind === 'map') return typeof step === 'string' ? findKey(shape.keys, step)?.shape : undefined;
  if (shape.kind === 'record') return shape.values;
  if (shape.kind === 'list') return typeof step === 'number' ? shape.items : undefined;
  return shape.kind === 'any' ? shape : undefined;
}
