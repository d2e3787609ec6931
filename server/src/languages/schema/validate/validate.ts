/** Validates values against schemas (docs/format.md, section 3). */

import { Ajv, type ErrorObject, type Format, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { Span } from '../../../text.ts';
import { type Json, jsonOf, setProperty, type YamlNode } from '../../yaml/node.ts';
import {
  type Dialect,
  isList,
  isObject,
  type JsonObject,
  type JsonViolation,
  type KeyPath,
  listUnder,
  objectUnder,
  own,
  type Schema,
  type SchemaViolation,
} from '../model.ts';
import { entryOf, findExcess, isExcessive } from '../origins.ts';
import type { Regex } from '../regex/regex.ts';
import { allSchemas, conjunctsOf, regexOf } from '../walk.ts';
import { formatOf, hasFormat, validateValue } from './value.ts';

/** Returns true if the schema can validate values: it has no errors. */
export const isUsable = ({ problems }: Schema): boolean => problems.every(({ severity }) => severity !== undefined);

/**
 * Returns one violation with its span for each defect of a value, after defaults are added (docs/format.md, section 3).
 * Returns an empty list if the schema has errors, or if the schema or the value is too large. `validateWith` replaces
 * the default validation. Never throws.
 */
export function validate(
  schema: Schema,
  value: YamlNode,
  validateWith: (schema: Schema, value: Json) => readonly JsonViolation[] = validateJson,
): readonly SchemaViolation[] {
  if (!isUsable(schema) || findExcess(value)) return [];
  return validateWith(schema, jsonOf(value))
    .map((violation) => ({ ...violation, span: locate(value, violation) }))
    .sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
}

/** Validates a JSON value like `validate`, but returns the violations without spans. Never throws. */
export function validateJson(schema: Schema, value: Json): readonly JsonViolation[] {
  if (!isUsable(schema) || isExcessive(value)) return [];
  return (schema.validator ?? new Validator(schema.json, schema.dialect)).validate(value);
}

/** Returns the value with the defaults of missing fields (docs/format.md, section 3). Does not change `value`. */
export const withDefaults = (schema: Schema, value: Json): Json => fillDefaults(schema.json, value);

/** Validates with ajv, for schemas with rare keywords. */
type AjvValidate = (value: Json) => readonly JsonViolation[];

/**
 * Compiles a valid schema with ajv. `$data`, asynchronous schemas and fetching are not supported. `logger` is false
 * because the core has no output. If ajv fails, the result has no violations.
 */
function compile(json: JsonObject, dialect: Dialect, regexes: Map<string, Regex>): AjvValidate {
  // ajv compares regular expressions by their `toString()` text.
  const regExp = (pattern: string) => ({ test: regexOf(pattern, regexes).test, toString: () => pattern });
  const options: Options = {
    strict: false,
    allErrors: true,
    logger: false,
    meta: false,
    validateSchema: false,
    addUsedSchema: false,
    ownProperties: true,
    // ajv uses this name only in exported code, which is not used here.
    code: { regExp: Object.assign(regExp as never, { code: 'regExp' }) },
  };
  const ajv = dialect === 'draft-07' ? new Ajv(options) : new Ajv2020(options);
  for (const name of Object.keys(fullFormats)) {
    const { type } = formatOf(name);
    ajv.addFormat(name, { type, validate: (value: string | number) => hasFormat(name, value) !== false } as Format);
  }
  const accepts = compiledBy(ajv, withoutForeignKeywords(json));
  return (value) => errorsOf(accepts, value).map(explain);
}

/** Returns undefined if ajv cannot compile a use of a keyword. */
function compiledBy(ajv: Ajv | Ajv2020, json: JsonObject): ValidateFunction | undefined {
  try {
    return ajv.compile(json);
  } catch {
    return undefined;
  }
}

function errorsOf(accepts: ValidateFunction | undefined, value: unknown): readonly ErrorObject[] {
  try {
    return !accepts || accepts(value) ? [] : (accepts.errors ?? []);
  } catch {
    // Some code that ajv generates for unevaluated properties throws.
    return [];
  }
}

function explain({ instancePath, message = 'does not match' }: ErrorObject): JsonViolation {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return { path, kind: 'other', message: `The value does not match the schema: it ${message}.` };
}

/**
 * Returns a copy without `id` (draft-04), which ajv rejects, and `$async`, which ajv obeys. The supported dialects do
 * not have these keywords.
 */
function withoutForeignKeywords(json: JsonObject): JsonObject {
  const copy = JSON.parse(JSON.stringify(json)) as JsonObject;
  for (const schema of allSchemas(copy)) {
    const open = schema as Record<string, Json>;
    delete open.id;
    delete open.$async;
    delete open.$schema;
    // ajv looks up formats in a plain object, where `constructor` would be found too.
    if (typeof open.format !== 'string' || !Object.hasOwn(fullFormats, open.format)) delete open.format;
    if (open.type === undefined) delete open.nullable;
  }
  return copy;
}

// The validator of one schema, which caches regular expressions and the function that ajv compiled.

/**
 * The validator of a schema without errors. The schema is compiled with ajv only on demand, because compiling is
 * expensive and rarely needed.
 */
export class Validator {
  readonly #json: JsonObject;
  readonly #dialect: Dialect;
  readonly #regexes = new Map<string, Regex>();
  #askAjv: AjvValidate | undefined;

  constructor(json: JsonObject, dialect: Dialect) {
    this.#json = json;
    this.#dialect = dialect;
  }

  /** Returns one violation for each defect, after defaults are added. Never throws. */
  validate(value: Json): readonly JsonViolation[] {
    const filled = fillDefaults(this.#json, value);
    const context = { root: this.#json, dialect: this.#dialect, regexes: this.#regexes };
    const { violations, certain, exhausted } = validateValue(context, filled);
    if (certain || exhausted) return violations;
    this.#askAjv ??= compile(this.#json, this.#dialect, this.#regexes);
    const [error] = this.#askAjv(filled);
    if (!error) return [];
    return violations.length > 0 ? violations : [error];
  }
}

// Defaults, which are added before validation (docs/format.md, section 3).

const MAX_VISITS = 50_000;
const MAX_DEPTH = 300;

/** The limit for defaults inside defaults, which would be infinite in a recursive schema. */
const MAX_FILLED = 8;

/**
 * Returns a copy with the defaults of missing properties, or the same object if no default is added. `start` is the
 * schema of the value, which is a part of `root`. Never throws.
 */
export function fillDefaults(root: JsonObject, value: Json, start: Json = root): Json {
  let visits = 0;
  const fill = (schema: Json | undefined, item: Json, depth: number, filled: number): Json => {
    if (!isObject(schema) || depth > MAX_DEPTH || filled > MAX_FILLED || ++visits > MAX_VISITS) return item;
    let result = item;
    const parts = [...conjunctsOf(root, schema), ...fittingAlternatives(root, schema, item)];
    for (const part of parts) result = fill(part, result, depth + 1, filled);
    const items = own(schema, 'items');
    if (isList(result) && items !== undefined && !isList(items)) {
      const list = result;
      const copy = list.map((entry) => fill(items, entry, depth + 1, filled));
      return copy.some((entry, at) => entry !== list[at]) ? copy : list;
    }
    if (!isObject(result)) return result;
    const properties = objectUnder(schema, 'properties');
    const others = Object.hasOwn(schema, 'patternProperties') ? undefined : own(schema, 'additionalProperties');
    const added: [string, Json][] = [];
    for (const name of Object.keys(result)) {
      const entry = result[name] as Json;
      const full = fill(own(properties, name) ?? others, entry, depth + 1, filled);
      if (full !== entry) added.push([name, full]);
    }
    for (const name of Object.keys(properties)) {
      const sub = properties[name];
      if (!isObject(sub) || !Object.hasOwn(sub, 'default') || Object.hasOwn(result, name)) continue;
      added.push([name, fill(sub, sub.default as Json, depth + 1, filled + 1)]);
    }
    if (added.length === 0) return result;
    const copy: Record<string, Json> = { ...result };
    for (const [name, entry] of added) setProperty(copy, name, entry);
    return copy;
  };
  return fill(start, value, 0, 0);
}

/** The number of references that are followed to the type of an alternative. */
const MAX_REFERENCES = 10;

/** Returns the alternative whose defaults a value gets: the only one that accepts its type, as in `anyOf: [map, null]`. */
function fittingAlternatives(root: JsonObject, schema: JsonObject, value: Json): readonly Json[] {
  return ['anyOf', 'oneOf'].flatMap((keyword) => {
    const fitting = listUnder(schema, keyword).filter((one) => acceptsType(root, one, value, MAX_REFERENCES));
    return fitting.length === 1 ? fitting : [];
  });
}

/** Returns true unless the types in a schema exclude the value. */
function acceptsType(root: JsonObject, schema: Json, value: Json, references: number): boolean {
  if (!isObject(schema)) return schema !== false;
  const type = own(schema, 'type');
  const types = type === undefined ? [] : isList(type) ? type : [type];
  const kind = value === null ? 'null' : isList(value) ? 'array' : typeof value;
  if (types.length > 0) return types.includes(kind) || (kind === 'number' && types.includes('integer'));
  return references === 0 || conjunctsOf(root, schema).every((part) => acceptsType(root, part, value, references - 1));
}

// The span of a violation in the YAML of the value.

/**
 * Returns the span of a violation: the unknown key, the map with a missing field (or the key of that map), or the
 * value.
 */
export function locate(root: YamlNode, { path, kind, nearest }: JsonViolation): Span {
  let node = root;
  let place = root.span;
  for (const [index, step] of path.entries()) {
    const isLast = index === path.length - 1;
    if (node.kind === 'list') {
      const item = node.items[Number(step)];
      if (!item) return place;
      node = item;
      place = item.span;
      continue;
    }
    const entry = entryOf(node, String(step));
    if (!entry) {
      // A missing field is reported at its probable misspelling.
      const misspelt = kind === 'missing' && isLast && nearest !== undefined ? entryOf(node, nearest) : undefined;
      return misspelt?.key.span ?? place;
    }
    node = entry.value;
    const isKey =
      (isLast && kind === 'additional') ||
      node.span.start === node.span.end ||
      (node.kind === 'map' && missingBelow(path, index, kind));
    place = isKey ? entry.key.span : node.span;
  }
  return place;
}

const missingBelow = (path: KeyPath, index: number, kind: string): boolean =>
  kind === 'missing' && index === path.length - 2;
