/** Validates values by schemas (docs/format.md, section 3). */

import { Ajv, type ErrorObject, type Format, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { Span } from '../../../text.ts';
import { type Json, jsonOf, put, type YamlNode } from '../../yaml/node.ts';
import {
  type Dialect,
  isList,
  isObject,
  type JsonObject,
  type JsonViolation,
  type KeyPath,
  objectUnder,
  own,
  type Schema,
  type SchemaViolation,
} from '../model.ts';
import { entryOf, findExcess, isExcessive } from '../origins.ts';
import type { Regex } from '../regex/regex.ts';
import { allSchemas, conjunctsOf, regexOf } from '../walk.ts';
import { formatOf, hasFormat, validateValue } from './value.ts';

/** True where values can be validated by the schema: no errors in it. */
export const isUsable = ({ problems }: Schema): boolean => problems.every(({ severity }) => severity !== undefined);

/**
 * What is wrong with a value, one violation for each defect, at its place. Defaults are filled in first. Nothing where the
 * schema itself has errors, or where value or schema are too big to be validated in a short time. `judge` may know more.
 */
export function validate(
  schema: Schema,
  value: YamlNode,
  judge: (schema: Schema, value: Json) => readonly JsonViolation[] = validateJson,
): readonly SchemaViolation[] {
  if (!isUsable(schema) || findExcess(value)) return [];
  return judge(schema, jsonOf(value))
    .map((violation) => ({ ...violation, span: locate(value, violation) }))
    .sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
}

/** The same for a value without a tree, so without spans. */
export function validateJson(schema: Schema, value: Json): readonly JsonViolation[] {
  if (!isUsable(schema) || isExcessive(value)) return [];
  return (schema.validator ?? new Validator(schema.json, schema.dialect)).validate(value);
}

/** The value with the defaults of absent fields. */
export const withDefaults = (schema: Schema, value: Json): Json => fillDefaults(schema.json, value);

/** The only importer of ajv, which validates where a schema has the rarer keywords, and of its formats. */
type AjvValidate = (value: Json) => readonly JsonViolation[];

/**
 * Compiles a schema that the meta-schema accepts. No `$data`, no asynchronous schemas, nothing fetched; `logger: false`
 * since the core has no output. Where ajv fails, there are no violations.
 */
function compile(json: JsonObject, dialect: Dialect, regexes: Map<string, Regex>): AjvValidate {
  // ajv tells expressions apart by their text.
  const regExp = (pattern: string) => ({ test: regexOf(pattern, regexes).test, toString: () => pattern });
  const options: Options = {
    strict: false,
    allErrors: true,
    logger: false,
    meta: false,
    validateSchema: false,
    addUsedSchema: false,
    ownProperties: true,
    // The name of the engine is written only into code that is exported, which is never done here.
    code: { regExp: Object.assign(regExp as never, { code: 'regExp' }) },
  };
  try {
    const ajv = dialect === 'draft-07' ? new Ajv(options) : new Ajv2020(options);
    for (const name of Object.keys(fullFormats)) {
      const { type } = formatOf(name);
      ajv.addFormat(name, { type, validate: (value: string | number) => hasFormat(name, value) !== false } as Format);
    }
    const accepts = ajv.compile(withoutForeignKeywords(json));
    return (value) => {
      try {
        return accepts(value) ? [] : (accepts.errors ?? []).map(explain);
      } catch {
        // Some of the code that ajv generates for unevaluated properties fails itself.
        return [];
      }
    };
  } catch {
    // A keyword is used in a way that ajv cannot compile.
    return () => [];
  }
}

function explain({ instancePath, message = 'does not fit' }: ErrorObject): JsonViolation {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return { path, kind: 'other', message: `The value does not fit the schema: it ${message}.` };
}

/** A copy without `id` (draft-04), which ajv refuses, and `$async`, which it obeys, though no dialect here has them. */
function withoutForeignKeywords(json: JsonObject): JsonObject {
  const copy = JSON.parse(JSON.stringify(json)) as JsonObject;
  for (const schema of allSchemas(copy)) {
    const open = schema as Record<string, Json>;
    delete open.id;
    delete open.$async;
    delete open.$schema;
    // ajv looks a format up in a plain object, where `constructor` is found as well.
    if (typeof open.format !== 'string' || !Object.hasOwn(fullFormats, open.format)) delete open.format;
    if (open.type === undefined) delete open.nullable;
  }
  return copy;
}

// What validating by one schema keeps: its regular expressions, and ajv's function where it is needed.

/** Belongs to a schema without errors. What ajv compiles is big and rarely needed, so it is made on demand. */
export class Validator {
  readonly #json: JsonObject;
  readonly #dialect: Dialect;
  readonly #regexes = new Map<string, Regex>();
  #askAjv: AjvValidate | undefined;

  constructor(json: JsonObject, dialect: Dialect) {
    this.#json = json;
    this.#dialect = dialect;
  }

  /** One violation for each defect, after defaults are filled in. */
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

// Defaults, filled in before a value is validated (docs/format.md, section 3).

const MAX_VISITS = 50_000;
const MAX_DEPTH = 300;

/** Levels down to which the objects of defaults are completed themselves; a recursive schema has no end. */
const MAX_FILLED = 8;

/** The value with the defaults of absent properties; the same value where none is absent. */
export function fillDefaults(root: JsonObject, value: Json): Json {
  let visits = 0;
  const fill = (schema: Json | undefined, item: Json, depth: number, filled: number): Json => {
    if (!isObject(schema) || depth > MAX_DEPTH || filled > MAX_FILLED || ++visits > MAX_VISITS) return item;
    let result = item;
    for (const part of conjunctsOf(root, schema)) result = fill(part, result, depth + 1, filled);
    const items = own(schema, 'items');
    if (isList(result) && items !== undefined && !isList(items)) {
      const list = result;
      const copy = list.map((entry) => fill(items, entry, depth + 1, filled));
      return copy.some((entry, at) => entry !== list[at]) ? copy : list;
    }
    if (!isObject(result)) return result;
    const properties = objectUnder(schema, 'properties');
    const added: [string, Json][] = [];
    for (const name of Object.keys(result)) {
      const entry = result[name] as Json;
      const full = fill(own(properties, name), entry, depth + 1, filled);
      if (full !== entry) added.push([name, full]);
    }
    for (const name of Object.keys(properties)) {
      const sub = properties[name];
      if (!isObject(sub) || !Object.hasOwn(sub, 'default') || Object.hasOwn(result, name)) continue;
      added.push([name, fill(sub, sub.default as Json, depth + 1, filled + 1)]);
    }
    if (added.length === 0) return result;
    const copy: Record<string, Json> = { ...result };
    for (const [name, entry] of added) put(copy, name, entry);
    return copy;
  };
  return fill(root, value, 0, 0);
}

// Where a violation stands in the YAML of the value.

/** The place of a violation: the key that is not allowed, the map or its key where something is missing, else the value. */
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
      // A missing field is shown at the key that was likely meant to be it.
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
