/**
 * Schemas of skills (skill-format.md, section 3): reading them, in shorthand or as JSON Schema, and holding values
 * against them. The only importer of ajv, which knows what the meta-schemas accept and judges by the rarer keywords.
 */
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { contains, span } from '../../text.ts';
import { isNull, type Json, jsonOf, type YamlNode } from '../yaml/node.ts';
import { type Assignability, type Extent, relateSchemas, type SchemaPart } from './assignable/assignable.ts';
import { checkJsonSchema } from './check.ts';
import { fillDefaults } from './defaults.ts';
import { fieldsOf } from './fields.ts';
import { withoutForeignKeywords } from './foreign-keywords.ts';
import { hintAtJsonSchema, isJsonSchemaMap, readDialect } from './form.ts';
import { judge } from './judge.ts';
import { locate } from './locate.ts';
import { explainMetaErrors, type MetaError } from './meta.ts';
import {
  type Dialect,
  isObject,
  type JsonObject,
  type JsonViolation,
  type SchemaProblem,
  type SchemaViolation,
  type SkillSchema,
  show,
} from './model.ts';
import { isPlainSchema } from './plain.ts';
import { ReadSchema } from './read-schema.ts';
import { newReading, type Reading } from './reading.ts';
import { parseRegex, type Regex } from './regex/regex.ts';
import { readFields } from './shorthand.ts';
import { findExcess, isExcessive, placesIn, trace } from './source.ts';
import { allSchemas } from './walk.ts';

export type { Assignability, ClashKind, Extent, SchemaPart, TypeClash } from './assignable/assignable.ts';
export { boundedLabel } from './assignable/labels.ts';
export { type TypeInfo, typeAt } from './fields.ts';
export { typeLabel } from './label.ts';
export type {
  JsonObject,
  JsonViolation,
  SchemaField,
  SchemaProblem,
  SchemaViolation,
  SkillSchema,
  ViolationKind,
} from './model.ts';

import { createRecent } from '../../recent.ts';

export { printYaml } from './print.ts';
export { toShorthand } from './to-shorthand.ts';
export { shorthandTypes, type TypeWord } from './words.ts';

const NOWHERE = span(0, 0);

/** The schema of an object without fields, which is what `{}` means. */
const EMPTY: JsonObject = { type: 'object', properties: {} };

/** Reads a schema. Total: what cannot be read is a problem, and the rest is read on. */
export function parseSchema(node: YamlNode | undefined): SkillSchema {
  const whole = node?.span ?? NOWHERE;
  const empty = (problems: readonly SchemaProblem[] = []): SkillSchema => ({
    span: whole,
    form: 'empty',
    dialect: '2020-12',
    json: EMPTY,
    fields: [],
    problems,
  });
  if (!node || isNull(node) || (node.kind === 'map' && node.entries.length === 0)) return empty();
  if (node.kind !== 'map') {
    const kind = node.kind === 'list' ? 'a list' : show(node.value);
    return empty([
      { span: whole, message: `A schema is a map of fields to their types, such as \`{name: string}\`, not ${kind}.` },
    ]);
  }
  const excess = findExcess(node);
  if (excess) return empty([{ span: whole, message: `This schema ${excess} and is not read. Split it up.` }]);
  const reading = newReading();
  const isJsonSchema = isJsonSchemaMap(node);
  const dialect = isJsonSchema ? readDialect(node, reading) : '2020-12';
  const json = isJsonSchema ? (jsonOf(node) as JsonObject) : readFields(node, reading);
  // Likewise where each part of it stands, which those alone ask who judge it or look at its fields.
  const traced = (): Reading => {
    if (isJsonSchema && !reading.origins.has(json)) trace(node, json, reading.origins);
    return reading;
  };
  // Who indexes a file wants to know what its schemas mean, and nothing of their faults: judging them was a third of the
  // first reading of 10,000 files.
  const judgeAll = (): readonly SchemaProblem[] => {
    if (isJsonSchema && dialect) checkWhole(json, json, dialect, traced());
    for (const part of reading.embedded) checkWhole(json, part, '2020-12', reading);
    if (!isJsonSchema) reading.problems.push(...hintAtJsonSchema(node));
    checkDefaults(json, dialect ?? '2020-12', reading);
    return reading.problems.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  };
  const fields = () => fieldsOf(json, (holder) => placesIn(holder, traced()), whole);
  return new ReadSchema(
    whole,
    isJsonSchema ? 'json-schema' : 'shorthand',
    dialect ?? '2020-12',
    json,
    fields,
    judgeAll,
  );
}

/** What the meta-schema refuses, then what it cannot see. */
function checkWhole(root: JsonObject, schema: JsonObject, dialect: Dialect, reading: Reading): void {
  const errors = metaErrors(schema, dialect);
  const refused = errors.length === 0 ? [] : explainMetaErrors(errors, schema, reading.origins);
  reading.problems.push(...refused.map(({ node: _, ...problem }) => problem));
  checkJsonSchema(root, schema, reading, new Set(refused.map(({ node }) => node)));
}

function checkDefaults(root: JsonObject, dialect: Dialect, { defaults, problems }: Reading): void {
  const errors = problems.filter(({ severity }) => severity !== 'hint');
  for (const { schema, node, within } of defaults) {
    // A schema that is wrong itself refuses what it should accept: that would be a second word on one defect.
    const refers = [...allSchemas(schema)].some((part) => Object.hasOwn(part, '$ref'));
    if (errors.some((problem) => refers || contains(within, problem.span)) || findExcess(node)) continue;
    const { violations, sure } = judge({ root, dialect, hasFormat }, fillDefaults(root, jsonOf(node)), schema);
    const [first] = violations;
    if (!first || !sure) continue;
    const place = locate(node, first);
    problems.push({
      span: place.start === place.end ? node.span : place,
      message: `The default is refused by its own field. ${first.message} Change the default or the field.`,
    });
  }
}

/** True where values can be held against the schema: no errors in it. */
export const isUsable = ({ problems }: SkillSchema): boolean => problems.every(({ severity }) => severity === 'hint');

/**
 * What is wrong with a value, one violation for each defect, at its place. Defaults are filled in first. Nothing where the
 * schema itself has errors, or where value or schema are too big to be judged in a short time.
 */
export function validate(schema: SkillSchema, value: YamlNode): readonly SchemaViolation[] {
  if (!isUsable(schema) || findExcess(value)) return [];
  return validateJson(schema, jsonOf(value))
    .map((violation) => ({ ...violation, span: locate(value, violation) }))
    .sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
}

/** The same for a value that is written nowhere. */
export function validateJson(schema: SkillSchema, value: Json): readonly JsonViolation[] {
  if (!isUsable(schema) || isExcessive(value)) return [];
  const filled = withDefaults(schema, value);
  const { violations, sure, exhausted } = judge(
    { root: schema.json, dialect: schema.dialect, hasFormat, regexes: regexesOf(schema) },
    filled,
  );
  if (sure || exhausted) return violations;
  const errors = errorsOf(schema, filled);
  if (errors.length === 0) return [];
  return violations.length > 0 ? violations : errors.slice(0, 1).map(explainError);
}

/** The value with the defaults of absent fields. */
export const withDefaults = (schema: SkillSchema, value: Json): Json => fillDefaults(schema.json, value);

/** Whether all values of the one schema fit the other; both belong to schemas that are usable. */
export const relateTypes = (from: SchemaPart, to: SchemaPart, extent: Extent): Assignability =>
  relateSchemas(from, to, extent, hasFormat);

/** The regular expressions of the schemas that were used lately. Where an edit moves a schema, they stay. */
const regexes = createRecent<JsonObject, Map<string, Regex>>(4);

const regexesOf = ({ json }: SkillSchema): Map<string, Regex> => regexes.get(json) ?? regexes.set(json, new Map());

/** A function of ajv's takes up to a megabyte, so it goes with its schema; most schemas never need one. */
const validators = new WeakMap<JsonObject, ReturnType<typeof compile>>();

function errorsOf(schema: SkillSchema, value: Json): readonly ErrorObject[] {
  const known = validators.get(schema.json) ?? compile(schema, regexesOf(schema));
  validators.set(schema.json, known);
  return known(value);
}

/** A function that is made at its first call. */
function once<In, Out>(make: () => (input: In) => Out): (input: In) => Out {
  let made: ((input: In) => Out) | undefined;
  return (input) => {
    made ??= make();
    return made(input);
  };
}

/**
 * No `$data`, no asynchronous schemas, nothing fetched; `logger: false` since the core has no output. Each schema is
 * compiled by an instance of its own, since an instance keeps all it has ever compiled.
 */
const OPTIONS: Options = {
  strict: false,
  allErrors: true,
  logger: false,
  meta: false,
  validateSchema: false,
  addUsedSchema: false,
  ownProperties: true,
};

function compile({ json, dialect }: SkillSchema, regexes: Map<string, Regex>): (value: Json) => readonly ErrorObject[] {
  const regExp = (pattern: string): { test: (text: string) => boolean } => {
    const regex = regexes.get(pattern) ?? parseRegex(pattern);
    regexes.set(pattern, regex);
    // ajv tells expressions apart by this text.
    return { test: regex.test, toString: () => pattern } as { test: (text: string) => boolean };
  };
  // ajv writes the name of the engine into code that it can export; that is never done here.
  const options: Options = { ...OPTIONS, code: { regExp: Object.assign(regExp, { code: 'regExp' }) } };
  const ajv = dialect === 'draft-07' ? new Ajv(options) : new Ajv2020(options);
  addFormats.default(ajv);
  try {
    const accepts: ValidateFunction = ajv.compile(withoutForeignKeywords(json));
    return (value) => {
      try {
        return accepts(value) ? [] : (accepts.errors ?? []);
      } catch {
        // Some of the code that ajv generates for unevaluated properties fails itself.
        return [];
      }
    };
  } catch {
    // What ajv cannot compile is a keyword used in a way that no check here knows: unsure, so silent.
    return () => [];
  }
}

function explainError({ instancePath, message = 'does not fit' }: ErrorObject): JsonViolation {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return { path, kind: 'other', message: `The value does not fit the schema: it ${message}.` };
}

type MetaCheck = (schema: JsonObject) => readonly MetaError[];

const metaCheck = (make: () => Ajv): MetaCheck =>
  once(() => {
    const ajv = make();
    return (schema) => (ajv.validateSchema(schema) === true ? [] : (ajv.errors ?? []));
  });

/**
 * The meta-schemas, compiled when first needed, since that takes some 40 ms that a workspace in shorthand never pays.
 * They are constants in all but the time of their making: `validateSchema` keeps nothing of what it checks.
 */
const META_CHECKS: { readonly [dialect in Dialect]: MetaCheck } = {
  '2020-12': metaCheck(() => new Ajv2020({ ...OPTIONS, meta: true })),
  'draft-07': metaCheck(() => new Ajv({ ...OPTIONS, meta: true })),
};

/** Compiles what the first schema with a defect would wait for. */
export const prepareToRefuse = (): void => void META_CHECKS['2020-12']({});

function metaErrors(schema: JsonObject, dialect: Dialect): readonly MetaError[] {
  // The dialect was told from `$schema` before, in more spellings than ajv has names for it.
  if (isPlainSchema(schema)) return [];
  const { $schema: _, ...rest } = schema;
  return isPlainSchema(rest) ? [] : META_CHECKS[dialect](rest);
}

/** Whether a text has a format that JSON Schema names; undefined for one that is not known. */
function hasFormat(name: string, value: string | number): boolean | undefined {
  const format = findFormat(name);
  if (format === undefined || format === true) return undefined;
  if (format instanceof RegExp) return typeof value === 'string' ? format.test(value) : undefined;
  if (typeof format === 'function') return typeof value === 'string' ? format(value) === true : undefined;
  if (!isObject(format as Json)) return undefined;
  const { type = 'string', validate: test } = format as { type?: string; validate?: unknown };
  if (typeof value !== type) return undefined;
  if (test instanceof RegExp) return test.test(String(value));
  return typeof test === 'function' ? test(value) === true : undefined;
}

function findFormat(name: string): unknown {
  try {
    return addFormats.default.get(name as 'date');
  } catch {
    return undefined;
  }
}
