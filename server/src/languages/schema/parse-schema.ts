/** Reads a schema from YAML, in shorthand or as JSON Schema (docs/format.md, section 3). */
import { contains, span } from '../../text.ts';
import { isNull, jsonOf, type YamlNode } from '../yaml/node.ts';
import { checkJsonSchema } from './check/check.ts';
import { fieldsOf } from './fields.ts';
import { hintAtJsonSchema, isJsonSchemaMap, readDialect } from './form.ts';
import type { Dialect, JsonObject, Schema, SchemaProblem } from './model.ts';
import { findExcess, recordOrigins } from './origins.ts';
import { newParseState, type ParseState } from './parse-state.ts';
import { ParsedSchema } from './parsed-schema.ts';
import { describe } from './problems.ts';
import { readFields } from './shorthand/shorthand.ts';
import { fillDefaults } from './validate/defaults.ts';
import { locate } from './validate/locate.ts';
import { validateValue } from './validate/value.ts';
import { allSchemas } from './walk.ts';

/** Reads a schema. Total: what cannot be read is a problem, and the rest is read on. Fields and problems are found on demand. */
export function parseSchema(node: YamlNode | undefined): Schema {
  if (!node || isNull(node) || (node.kind === 'map' && node.entries.length === 0)) return emptySchema(node);
  if (node.kind !== 'map') {
    return emptySchema(
      node,
      `A schema is a map of fields to their types, such as \`{name: string}\`, not ${describe(node)}.`,
    );
  }
  const excess = findExcess(node);
  if (excess) return emptySchema(node, `This schema ${excess} and is not read. Split it up.`);
  const state = newParseState();
  const isJsonSchema = isJsonSchemaMap(node);
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

/** The schema of an object without fields, which is what `{}` means. */
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
    // A schema with an error may refuse what it should accept, which would report one defect twice.
    const refers = [...allSchemas(schema)].some((part) => Object.hasOwn(part, '$ref'));
    if (errors.some((problem) => refers || contains(within, problem.span)) || findExcess(node)) continue;
    const { violations, certain } = validateValue({ root, dialect }, fillDefaults(root, jsonOf(node)), schema);
    const [first] = violations;
    if (!first || !certain) continue;
    const place = locate(node, first);
    problems.push({
      span: place.start === place.end ? node.span : place,
      message: `The default is refused by its own field. ${first.message} Change the default or the field.`,
    });
  }
}
