/**
 * How the YAML vocabularies are described: a table of keys, each with the shape of its value. Rules, completion and
 * hover all read the tables.
 */

/** What a string names, which rules look up and completion offers. */
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
  | 'field';

/** A string format, which `formats.ts` or a rule checks. */
export type Format = 'semver' | 'semver-range' | 'semver-or-date' | 'spdx' | 'condition' | 'date' | 'regex' | 'address';

/** What completion offers in the value of a key, if the shape of the value does not tell. */
export type KeyOffers =
  | 'rules'
  | 'usual limits'
  | 'names of a client'
  | 'sample values'
  | 'tool input'
  | 'mapped names'
  | 'step inputs';

/** What completion offers for a text that no domain describes. */
export type TextOffers = 'error codes' | 'servers';

interface Choice {
  readonly value: string | number;
  readonly docs: string;
}

/** Where `key` has this value, one of these keys must be there, too. */
export interface Need {
  readonly key: string;
  readonly value: string;
  readonly oneOf: readonly string[];
  /** The key in whose presence the value does not count. */
  readonly unless?: string;
}

export type Shape =
  | {
      readonly kind: 'string';
      readonly format?: Format;
      readonly domain?: Domain;
      readonly offers?: TextOffers;
      /** Sentences for people and models: no name and no datum. */
      readonly prose?: true;
      readonly minLength?: number;
      readonly maxLength?: number;
      readonly pattern?: RegExp;
      /** What the pattern asks for, in words: "`verb:resource`, such as `read:pages`". */
      readonly expected?: string;
    }
  | { readonly kind: 'choice'; readonly choices: readonly Choice[] }
  | { readonly kind: 'boolean' }
  | {
      readonly kind: 'number';
      readonly integer?: boolean;
      readonly min?: number;
      readonly max?: number;
      /** Zero means nothing here. */
      readonly positive?: true;
    }
  | { readonly kind: 'list'; readonly items: Shape }
  | {
      readonly kind: 'map';
      readonly keys: KeyTable;
      /** The rule that reports keys which are not in the table, where it is not `unknown-key`. */
      readonly unknownKeys?: string;
      /** What the value of one key needs beside it; a rule of its own reports what is missing. */
      readonly needs?: readonly Need[];
    }
  /** A map whose keys the author chooses. */
  | { readonly kind: 'record'; readonly values: Shape; readonly keyDomain?: Domain }
  /** The first shape of the value's YAML kind (scalar, list, map) applies; a scalar may fit any scalar shape. */
  | { readonly kind: 'either'; readonly shapes: readonly Shape[] }
  /** A schema (docs/format.md, section 3), validated by `languages/schema`. */
  | { readonly kind: 'schema' }
  /** Any JSON value. */
  | { readonly kind: 'any' };

export interface KeySpec {
  readonly name: string;
  readonly shape: Shape;
  /** What the key means, in a sentence or two of Markdown. */
  readonly docs: string;
  /** The section of docs/format.md (or of the open standard) that defines the key. */
  readonly section: string;
  readonly mandatory?: boolean;
  /** The key in whose presence this one is not mandatory. */
  readonly unless?: string;
  /** The value of another key of the map with which this one is mandatory, and without which nothing reads it. */
  readonly with?: readonly [key: string, value: string];
  /** Of a JSON file that programs write: null stands for nothing. */
  readonly nullable?: boolean;
  /** Accepted spellings that mean the same key. */
  readonly aliases?: readonly string[];
  /** What other formats call the same; not accepted, but clear enough to say which key is meant. */
  readonly elsewhere?: readonly string[];
  /** A realistic value in YAML. */
  readonly example?: string;
  /** The rule that reports the value and what is in it, where it is not `invalid-value`. */
  readonly rule?: string;
  readonly offers?: KeyOffers;
}

export type KeyTable = readonly KeySpec[];

/** A key of a table that names its section once for all. */
export type KeyDraft = Omit<KeySpec, 'section'> & Partial<Pick<KeySpec, 'section'>>;

export const key = (
  name: string,
  shape: Shape,
  docs: string,
  more: Omit<KeyDraft, 'name' | 'shape' | 'docs'> = {},
): KeyDraft => ({ name, shape, docs, ...more });

/** A table of keys that `section` defines, apart from those that name another. */
export const keysOf = (section: string, ...keys: readonly KeyDraft[]): KeyTable =>
  keys.map((one) => ({ section, ...one }));

export const named = (domain: Domain): Shape => ({ kind: 'string', domain });
export const listOf = (items: Shape): Shape => ({ kind: 'list', items });
export const mapOf = (section: string, ...keys: readonly KeyDraft[]): Shape => ({
  kind: 'map',
  keys: keysOf(section, ...keys),
});
/** `keyDomain` is what the keys name. */
export const recordOf = (values: Shape, keyDomain?: Domain): Shape => ({
  kind: 'record',
  values,
  ...(keyDomain && { keyDomain }),
});
export const either = (...shapes: Shape[]): Shape => ({ kind: 'either', shapes });

/** Choices from `value: what it means` pairs. */
export const oneOf = (choices: Readonly<Record<string, string>>): Shape => ({
  kind: 'choice',
  choices: Object.entries(choices).map(([value, docs]) => ({ value, docs })),
});

/** The key of this name or alias; of two with one spelling the first. */
export const findKey = (table: KeyTable, name: string): KeySpec | undefined =>
  table.find((spec) => spec.name === name || spec.aliases?.includes(name));

/** The shape that a path of keys and list indices leads to; undefined where the tables say nothing about it. */
export function shapeAt(table: KeyTable, path: readonly (string | number)[]): Shape | undefined {
  let shapes: readonly Shape[] = [{ kind: 'map', keys: table }];
  for (const step of path) shapes = shapesUnder(shapes, step);
  if (shapes.length < 2) return shapes[0];
  return { kind: 'either', shapes };
}

/** The innermost key on a path that says what completion offers in it; `depth` is the number of steps that lead to it. */
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

/** The shapes of what stands under a key, or at an index, of something with one of these shapes. */
export const shapesUnder = (shapes: readonly Shape[], step: string | number): readonly Shape[] =>
  shapes.flatMap(alternatives).flatMap((shape) => {
    const next = stepInto(shape, step);
    return next ? alternatives(next) : [];
  });

/** A shape's alternatives, `either` within `either` flattened. */
export const alternatives = (shape: Shape): readonly Shape[] =>
  shape.kind === 'either' ? shape.shapes.flatMap(alternatives) : [shape];

function stepInto(shape: Shape, step: string | number): Shape | undefined {
  if (shape.kind === 'map') return typeof step === 'string' ? findKey(shape.keys, step)?.shape : undefined;
  if (shape.kind === 'record') return shape.values;
  if (shape.kind === 'list') return typeof step === 'number' ? shape.items : undefined;
  return shape.kind === 'any' ? shape : undefined;
}
