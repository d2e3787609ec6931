/** Properties of every schema and every value. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import {
  generateValues,
  isUsable,
  type JsonObject,
  parseSchema,
  shorthandTypes,
  toNode,
  toShorthand,
  typeAt,
  validate,
  validateJson,
  withDefaults,
} from '../../../server/src/languages/schema/schema.ts';
import type { Json } from '../../../server/src/languages/yaml/node.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { cases, scaled } from '../../random.ts';
import { soundSamples } from '../corpus.ts';

const name = fc.constantFrom('a', 'bee', 'type', 'items', 'required', 'enum', 'c d');
const word = fc.constantFrom(...shorthandTypes.map((type) => type.name));
const scalar = fc.constantFrom<Json>('', 'x', 'grim', '2025-03-31', 0, 1, 2.5, -3, true, false, null);
const constants = fc.uniqueArray(fc.constantFrom<Json>('x', 'grim', 1, 2.5, true), { minLength: 1, maxLength: 3 });

const shorthand = fc.letrec<{ field: Json; fields: Json }>((tie) => ({
  field: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc
      .tuple(word, fc.constantFrom('', '?', '[]', '[]?', ', some words', '?, why'))
      .map(([type, suffix]) => type + suffix),
    constants,
    fc.record({
      type: fc.constant('integer'),
      min: fc.integer({ max: 3, min: 0 }),
      max: fc.integer({ max: 9, min: 3 }),
    }),
    fc.record({
      type: fc.constant('string'),
      min_length: fc.integer({ max: 3, min: 0 }),
      regex: fc.constantFrom('^[a-z]+$', 'x|y'),
    }),
    fc.record({ type: word, required: fc.boolean(), description: fc.constant('Some words.') }),
    fc.record({ type: fc.constant('array'), items: tie('field') }),
    fc.record({ type: fc.constant('object'), properties: tie('fields') }),
    tie('fields'),
  ),
  fields: fc.dictionary(fc.constantFrom('one', 'two', 'three'), tie('field'), { maxKeys: 3 }),
}));

const root = fc.dictionary(fc.constantFrom('one', 'two', 'three', 'four'), shorthand.field, { minKeys: 1 });

/** Schemas with a few keywords each, so that most schemas accept some value. */
const keywords = fc.letrec<{ schema: Json; leaf: JsonObject; some: JsonObject }>((tie) => {
  const sub = tie('schema');
  const types = [
    'string',
    'number',
    'integer',
    'boolean',
    'object',
    'array',
    'null',
    ['string', 'null'],
    ['object', 'integer'],
  ];
  const subs = (least: number): fc.Arbitrary<Json> => fc.array(sub, { minLength: least, maxLength: 2 });
  const named = fc.dictionary(name, sub, { maxKeys: 2, noNullPrototype: true });
  const leaves: Record<string, fc.Arbitrary<Json>> = {
    type: fc.constantFrom(...types),
    required: fc.uniqueArray(name, { maxLength: 2 }),
    propertyNames: fc.constantFrom<Json>({ maxLength: 3 }, { pattern: 'e' }),
    uniqueItems: fc.boolean(),
    minItems: fc.nat(1),
    maxItems: fc.integer({ min: 1, max: 3 }),
    minLength: fc.nat(1),
    maxLength: fc.integer({ min: 1, max: 5 }),
    pattern: fc.constantFrom('^g', 'x'),
    format: fc.constantFrom('date', 'email', 'nonsense'),
    minimum: fc.constantFrom(-3, 0, 1),
    exclusiveMaximum: fc.constantFrom(2, 2.5),
    multipleOf: fc.constantFrom(1, 0.5, 0.1),
    enum: constants,
    const: scalar,
    dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), {
      maxKeys: 1,
      noNullPrototype: true,
    }),
    minProperties: fc.nat(1),
    maxProperties: fc.integer({ min: 1, max: 3 }),
    $ref: fc.constantFrom('#/$defs/one', '#/$defs/two'),
    unevaluatedProperties: fc.boolean(),
    default: scalar,
  };
  const holders: Record<string, fc.Arbitrary<Json>> = {
    properties: named,
    additionalProperties: fc.oneof(fc.boolean(), sub),
    patternProperties: fc.dictionary(fc.constantFrom('^b', 'e$'), sub, { maxKeys: 1, noNullPrototype: true }),
    items: sub,
    prefixItems: subs(1),
    contains: sub,
    allOf: subs(1),
    anyOf: subs(1),
    oneOf: subs(2),
    not: sub,
    if: sub,
    else: sub,
  };
  const pick = (from: Record<string, fc.Arbitrary<Json>>, most: number): fc.Arbitrary<JsonObject> => {
    const one = fc.oneof(
      ...Object.entries(from).map(([key, arbitrary]) => arbitrary.map((item) => [key, item] as const)),
    );
    return fc.array(one, { maxLength: most }).map((entries) => Object.fromEntries(entries));
  };
  return {
    schema: fc.oneof({ maxDepth: 3, depthSize: 'small' }, tie('leaf'), tie('some'), fc.boolean()),
    leaf: pick(leaves, 2),
    some: fc.tuple(pick(leaves, 2), pick(holders, 2)).map(([leaf, holder]) => ({ ...leaf, ...holder })),
  };
});

const jsonSchema = fc.tuple(keywords.some, keywords.schema, keywords.schema).map(([top, one, two]) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  ...top,
  $defs: { one, two },
}));

const value = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

const shorthandValue = fc.dictionary(fc.constantFrom('one', 'two', 'three', 'four'), value, {
  maxKeys: 4,
  noNullPrototype: true,
});

const metaSchema = new Ajv2020({ strict: false, logger: false });

/** ajv without inherited names. Without `allErrors` it lets `[]` pass a `contains` after `prefixItems`. */
function ajvAccepts({ $schema: _, ...schema }: JsonObject, data: Json): boolean {
  assert.ok(metaSchema.validateSchema(schema), JSON.stringify(metaSchema.errors));
  const ajv = new Ajv2020({
    strict: false,
    logger: false,
    allErrors: true,
    meta: false,
    validateSchema: false,
    ownProperties: true,
  });
  addFormats.default(ajv);
  return ajv.compile(schema)(data) as boolean;
}

function findVerdict(schema: JsonObject, data: Json): boolean | undefined {
  try {
    return ajvAccepts(schema, data);
  } catch {
    return undefined;
  }
}

test('every shorthand accepts the same values as its JSON Schema in ajv', () => {
  let accepted = 0;
  fc.assert(
    fc.property(root, shorthandValue, (fields, data) => {
      const schema = parseSchema(toNode(fields));
      fc.pre(schema.form === 'shorthand' && isUsable(schema));
      const accepts = ajvAccepts(schema.json, withDefaults(schema, data));
      assert.equal(validateJson(schema, data).length === 0, accepts);
      if (accepts) accepted++;
    }),
    cases(240),
  );
  assert.ok(accepted > 0);
});

test('converting a schema to shorthand and back restores it', () => {
  let written = 0;
  fc.assert(
    fc.property(root, (fields) => {
      const schema = parseSchema(toNode(fields));
      fc.pre(schema.form === 'shorthand' && schema.problems.length === 0);
      const back = toShorthand(schema.json);
      if (!back) return;
      written++;
      assert.deepEqual(parseSchema(toNode(back)).json, schema.json);
    }),
    cases(40),
  );
  assert.ok(written > scaled(20), `only ${written} could be written`);
});

test('JSON Schemas validate as ajv does', () => {
  let [usable, refused] = [0, 0];
  fc.assert(
    fc.property(jsonSchema, fc.array(value, { minLength: 4, maxLength: 8 }), (json, values) => {
      const schema = parseSchema(toNode(json));
      if (!isUsable(schema)) return;
      for (const data of values) {
        const filled = withDefaults(schema, data);
        const violations = validateJson(schema, data);
        const accepts = findVerdict(json, filled);
        // The code that ajv generates throws for some schemas with `patternProperties` and `oneOf`.
        if (accepts === undefined) continue;
        assert.equal(violations.length === 0, accepts, JSON.stringify({ json, filled, violations }));
        usable++;
        if (!accepts) refused++;
      }
    }),
    cases(40),
  );
  assert.ok(usable > scaled(90) && refused > scaled(24), `${usable} usable, ${refused} refused`);
});

test('reading and validating any value never throws', () => {
  const anything = fc.oneof(fc.jsonValue() as fc.Arbitrary<Json>, jsonSchema, root);
  fc.assert(
    fc.property(anything, value, (written, data) => {
      const schema = parseSchema(toNode(written));
      validate(schema, toNode(data));
      typeAt(schema, ['one', 0, 'a']);
      toShorthand(schema.json);
    }),
    cases(40),
  );
});

test('values that are generated from a schema match the schema', () => {
  let [schemas, complete] = [0, 0];
  const held = jsonSchema.map(({ $schema, $defs, ...held }) => ({
    ...{ $schema, $defs },
    ...{ type: 'object', properties: { held }, required: ['held'] },
  }));
  fc.assert(
    fc.property(fc.oneof(root, held), (written) => {
      const schema = parseSchema(toNode(written));
      if (!isUsable(schema)) return;
      const generated = generateValues(schema, {});
      assert.deepEqual(generateValues(schema, {}), generated);
      assert.ok(JSON.stringify(generated.values).length < 1_000_000);
      schemas++;
      if (!generated.complete) return;
      complete++;
      assert.deepEqual(validateJson(schema, generated.values), []);
    }),
    cases(200),
  );
  // Some random schemas accept no value, for example `false`.
  assert.ok(complete > schemas * 0.85, `${complete} of ${schemas}`);
});

test('values are generated for the input and the output of every sample skill', () => {
  let schemas = 0;
  for (const [path, text] of soundSamples) {
    const { contract } = new SkillFile(`file:///${path}`, text);
    for (const side of [contract.input, contract.output]) {
      if (!side) continue;
      schemas++;
      const { values, complete } = generateValues(side.schema, {});
      assert.ok(complete, path);
      assert.deepEqual(validateJson(side.schema, values), [], path);
    }
  }
  assert.ok(schemas > 20, `${schemas}`);
});

test('a value is generated for each shorthand without errors', () => {
  fc.assert(
    fc.property(root, (fields) => {
      const schema = parseSchema(toNode(fields));
      fc.pre(schema.form === 'shorthand' && isUsable(schema));
      assert.ok(generateValues(schema, {}).complete);
    }),
  );
});

test('strings are generated for random patterns', () => {
  const pattern = fc.letrec<{ some: string; atom: string }>((tie) => ({
    atom: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom('a', '\\d', '[A-Z]', '[^x]', '.', '\\.', '\\w', '\\s', '\\p{L}', '[a-c_-]', 'é'),
      fc
        .tuple(tie('atom'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{3,}'))
        .map(([one, by]) => `(?:${one})${by}`),
      fc.tuple(tie('some'), tie('some')).map(([a, b]) => `(${a}|${b})`),
    ),
    some: fc.array(tie('atom'), { minLength: 1, maxLength: 3 }).map((atoms) => atoms.join('')),
  })).some;
  fc.assert(
    fc.property(pattern, fc.boolean(), fc.nat(30), (source, anchored, minLength) => {
      const field = { type: 'string', pattern: anchored ? `^${source}$` : source };
      const made = (more: object) =>
        generateValues(
          parseSchema(toNode({ type: 'object', properties: { a: { ...field, ...more } }, required: ['a'] })),
          {},
        ).complete;
      assert.ok(made({}), source);
      if (!anchored) assert.ok(made({ minLength }), source);
    }),
    cases(60),
  );
});
