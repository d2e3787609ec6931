/** The parser for schemas, in shorthand or as JSON Schema (docs/format.md, section 3). */
import { contains, type Span, shift, span } from '../../text.ts';
import { findValue, isNull, jsonOf, stringOf, type YamlMap, type YamlNode } from '../yaml/node.ts';
import { checkJsonSchema } from './check.ts';
import { fieldsOf } from './fields.ts';
import {
  type Dialect,
  type JsonObject,
  lowerFirst,
  newParseState,
  type ParseState,
  type Schema,
  type SchemaField,
  type SchemaProblem,
  show,
} from './model.ts';
import { entryOf, findExcess, recordOrigins } from './origins.ts';
import { describeValue } from './problems.ts';
import { readFields } from './shorthand/shorthand.ts';
import { fillDefaults, locate, Validator } from './validate/validate.ts';
import { validateValue } from './validate/value.ts';
import { hasReference } from './walk.ts';

/**
 * Parses a schema (docs/format.md, section 3). Never throws: invalid parts become problems. Fields and problems are
 * computed on demand.
 */
export function parseSchema(node: YamlNode | undefined): Schema {
  if (!node || isNull(node) || (node.kind === 'map' && node.entries.length === 0)) return emptySchema(node);
  if (node.kind !== 'map') {
    return emptySchema(
      node,
      `A schema must be a map of fields to types, such as \`{name: string}\`, but is ${describeValue(node)}.`,
    );
  }
  return parseMap(node, isJsonSchemaMap(node));
}

/** Parses a map in one of the two forms. Never throws: invalid parts become problems. */
export function parseMap(node: YamlMap, isJsonSchema: boolean): Schema {
  const excess = findExcess(node);
  if (excess) return emptySchema(node, `This schema cannot be read: it ${excess}. Split it.`);
  const state = newParseState();
  const dialect = isJsonSchema ? readDialect(node, state) : '2020-12';
  const json = isJsonSchema ? (jsonOf(node) as JsonObject) : readFields(node, state);
  const withOrigins = (): ParseState => {
    if (isJsonSchema && !state.origins.has(json)) recordOrigins(node, json, state.origins);
    return state;
  };
  const findFields = () => fieldsOf(json, (properties) => withOrigins().origins.get(properties), node.span);
  const findProblems = (): readonly SchemaProblem[] => {
    if (isJsonSchema && dialect) checkJsonSchema(json, json, dialect, withOrigins());
    for (const part of state.embedded) checkJsonSchema(json, part, '2020-12', state);
    if (!isJsonSchema) state.problems.push(...hintAtJsonSchema(node));
    checkDefaults(json, dialect ?? '2020-12', state);
    return state.problems.sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  };
  const form = isJsonSchema ? 'json-schema' : 'shorthand';
  return new ParsedSchema({ span: node.span, form, dialect: dialect ?? '2020-12', json, findFields, findProblems });
}

/** Returns the schema that `{}` specifies: an object without fields. */
const emptySchema = (node: YamlNode | undefined, message?: string): Schema => {
  const place = node?.span ?? span(0, 0);
  return {
    span: place,
    form: 'empty',
    dialect: '2020-12',
    json: { type: 'object', properties: {} },
    fields: [],
    problems: message === undefined ? [] : [{ span: place, message }],
  };
};

function checkDefaults(root: JsonObject, dialect: Dialect, { defaults, problems }: ParseState): void {
  const errors = problems.filter(({ severity }) => severity === undefined);
  for (const { schema, node, within } of defaults) {
    // A schema with an error may reject a valid default, and the same defect would be reported twice.
    const refers = hasReference(schema);
    if (errors.some((problem) => refers || contains(within, problem.span)) || findExcess(node)) continue;
    const { violations, certain } = validateValue({ root, dialect }, fillDefaults(root, jsonOf(node), schema), schema);
    const [first] = violations;
    if (!first || !certain) continue;
    const place = locate(node, first);
    problems.push({
      span: place.start === place.end ? node.span : place,
      message: `The default does not match its field: ${lowerFirst(first.message)}`,
    });
  }
}

// The form of a schema: shorthand, or a dialect of JSON Schema (docs/format.md, section 3).

/**
 * Returns true for a JSON Schema: a map with `type: object`, `properties`, `$ref`, `allOf`, `anyOf`, `oneOf` or
 * `$schema` whose value has the right kind. Fields can have these names too: `{type: string}` is a field.
 */
function isJsonSchemaMap(map: YamlMap): boolean {
  if (stringOf(findValue(map, 'type')) === 'object') return true;
  if (stringOf(findValue(map, '$ref')) !== undefined || stringOf(findValue(map, '$schema')) !== undefined) return true;
  if (['allOf', 'anyOf', 'oneOf'].some((key) => findValue(map, key)?.kind === 'list')) return true;
  const properties = findValue(map, 'properties');
  return properties?.kind === 'map' && stringOf(findValue(properties, 'type')) === undefined;
}

/** Reports `{type: array, items: …}`, which is read as two fields and is probably a mistake. */
function* hintAtJsonSchema(map: YamlMap): Generator<SchemaProblem> {
  const type = entryOf(map, 'type');
  if (stringOf(type?.value) !== 'array' || !findValue(map, 'items') || map.entries.length > 4) return;
  const message =
    'This is a map with the fields `type` and `items`. For a list, write `result: {type: array, items: …}`; for a JSON Schema, add `$schema`.';
  yield { span: type?.key.span ?? map.span, severity: 'hint', message };
}

const DIALECTS: readonly { readonly pattern: RegExp; readonly dialect: Dialect }[] = [
  { pattern: /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, dialect: '2020-12' },
  { pattern: /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/, dialect: 'draft-07' },
];

/** Returns the dialect in `$schema`. For an unknown dialect, returns undefined and the schema is not checked. */
function readDialect(map: YamlMap, { problems }: ParseState): Dialect | undefined {
  const node = findValue(map, '$schema');
  if (!node) return '2020-12';
  const address = stringOf(node);
  const known = DIALECTS.find(({ pattern }) => pattern.test(address ?? ''));
  if (known) return known.dialect;
  const message = `Unsupported dialect ${show(jsonOf(node))}. Remove \`$schema\`, or write \`https://json-schema.org/draft/2020-12/schema\` or \`http://json-schema.org/draft-07/schema#\`.`;
  problems.push({ span: node.span, message });
  return undefined;
}

// The parsed schema, which caches its fields, problems and validator.

/** The content of a schema, with the spans at its original position in the file. */
interface SchemaSource extends Pick<Schema, 'span' | 'form' | 'dialect' | 'json'> {
  findFields(): readonly SchemaField[];
  findProblems(): readonly SchemaProblem[];
}

/** A schema with fields, problems and a validator that are computed on demand and cached. */
export class ParsedSchema implements Schema {
  readonly span: Span;
  readonly form: Schema['form'];
  readonly dialect: Dialect;
  readonly json: JsonObject;
  readonly #source: SchemaSource;
  /** The schema at its original position, if this schema was moved. */
  readonly #original: ParsedSchema | undefined;
  /** The distance from the original position, in UTF-16 code units. */
  readonly #by: number;
  #fields: readonly SchemaField[] | undefined;
  #problems: readonly SchemaProblem[] | undefined;
  #validator: Validator | undefined;

  constructor(source: SchemaSource, original?: ParsedSchema, by = 0) {
    this.span = shift(source.span, by);
    this.form = source.form;
    this.dialect = source.dialect;
    this.json = source.json;
    this.#source = source;
    this.#original = original;
    this.#by = by;
  }

  get fields(): readonly SchemaField[] {
    this.#fields ??= this.#original?.fields.map((field) => moveField(field, this.#by)) ?? this.#source.findFields();
    return this.#fields;
  }

  get problems(): readonly SchemaProblem[] {
    this.#problems ??=
      this.#original?.problems.map((problem) => moveProblem(problem, this.#by)) ?? this.#source.findProblems();
    return this.#problems;
  }

  get validator(): Validator {
    this.#validator ??= this.#original?.validator ?? new Validator(this.json, this.dialect);
    return this.#validator;
  }

  /** Returns the schema after an edit that moved it by a number of UTF-16 code units. */
  movedBy(by: number): Schema {
    return by === 0 ? this : new ParsedSchema(this.#source, this.#original ?? this, this.#by + by);
  }
}

const moveField = (field: SchemaField, by: number): SchemaField => ({
  ...field,
  keySpan: shift(field.keySpan, by),
  span: shift(field.span, by),
  fields: field.fields.map((inner) => moveField(inner, by)),
});

const moveProblem = (problem: SchemaProblem, by: number): SchemaProblem => ({
  ...problem,
  span: shift(problem.span, by),
  ...(problem.fix && { fix: { ...problem.fix, span: shift(problem.fix.span, by) } }),
});
