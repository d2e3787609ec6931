/** Generated values for missing parameters, and how the composition shows them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import {
  generateValues,
  type JsonObject,
  parseSchema,
  toNode,
  validateJson,
} from '../../../server/src/languages/schema/schema.ts';
import { formatOf } from '../../../server/src/languages/schema/validate/value.ts';
import { schemaOf } from '../skill/schema-marks.ts';
import { composed, failures, skill } from './composing.ts';

/** Returns the generated value of one required field, which matches its schema; undefined if there is no value. */
function madeUp(field: string): unknown {
  const schema = schemaOf(`{some_field: ${field}}`);
  const { values, complete } = generateValues(schema, {});
  if (complete) assert.deepEqual(validateJson(schema, values), []);
  return complete ? values.some_field : undefined;
}

/** Returns the generated value of a field in JSON Schema. */
function madeUpJson(field: JsonObject): unknown {
  const schema = parseSchema(toNode({ type: 'object', properties: { some_field: field }, required: ['some_field'] }));
  const { values, complete } = generateValues(schema, {});
  if (complete) assert.deepEqual(validateJson(schema, values), []);
  return complete ? values.some_field : undefined;
}

test("prefers the schema's default, constant or example to a generated value", () => {
  assert.equal(madeUp('{type: string, default: grim}'), 'grim');
  assert.equal(madeUp('[wry, grim]'), 'wry');
  assert.equal(
    generateValues(schemaOf('{type: object, properties: {a: {type: string, examples: [one, two]}}}'), {}).values.a,
    'one',
  );
  assert.equal(generateValues(schemaOf('{type: object, properties: {a: {const: 7}}}'), {}).values.a, 7);
});

test('generates a string in quotation marks from the title or the name of the field', () => {
  assert.equal(madeUp('string'), '«some field»');
  assert.equal(
    generateValues(schemaOf('{type: object, properties: {a: {type: string, title: The tone}}}'), {}).values.a,
    '«The tone»',
  );
  assert.equal(madeUp('{type: string, min_length: 14}'), '«some field …»');
  assert.equal(madeUp('{type: string, max_length: 6}'), '«some»');
  assert.equal(madeUp('{type: string, max_length: 2}'), 'so');
  assert.equal(madeUp('any'), '«some field»');
});

test('generates numbers within their bounds, and false for booleans', () => {
  assert.equal(madeUp('integer'), 1);
  assert.equal(madeUp('number'), 1);
  assert.equal(madeUp('{type: integer, min: 3, max: 9}'), 3);
  assert.equal(madeUp('{type: integer, max: -2}'), -2);
  assert.equal(madeUp('boolean'), false);
  assert.equal(madeUp('date'), '2025-03-31');
});

test('generates lists with the required number of items, and objects with all fields', () => {
  assert.deepEqual(madeUp('"string[]"'), ['«some field»']);
  assert.deepEqual(madeUp('{type: array, items: {n: integer, t: string}}'), [{ n: 1, t: '«t»' }]);
  const two = schemaOf('{type: object, properties: {a: {type: array, minItems: 2, items: {type: string}}}}');
  assert.deepEqual(generateValues(two, {}).values.a, ['«a 1»', '«a 2»']);
  assert.deepEqual(madeUp('{type: object, properties: {deep: {deeper: string}}}'), { deep: { deeper: '«deeper»' } });
});

test('follows references, allOf and alternatives, and terminates on a recursive schema', () => {
  const schema = schemaOf(`
$defs:
  node: {type: object, properties: {name: {type: string}, next: {$ref: '#/$defs/node'}}}
type: object
properties:
  first: {$ref: '#/$defs/node'}
  maybe: {anyOf: [{type: 'null'}, {type: integer, minimum: 4}]}
`);
  const { first, maybe } = generateValues(schema, {}).values as {
    first: { name: string; next: object };
    maybe: number;
  };
  assert.equal(first.name, '«name»');
  assert.equal(typeof first.next, 'object');
  assert.equal(maybe, 4);
});

test('generates no value for a given parameter', () => {
  assert.deepEqual(generateValues(schemaOf('{a: string, b: integer}'), { a: 'mine' }).values, { b: 1 });
});

test('composes a skill without a sample, and marks each generated value in the prompt', () => {
  const text = skill(
    'framing: outline\ninput_schema: {tone: [grim, wry], lines: "string[]", count: {type: integer, min: 2, max: 5}}\n',
    `
## PromptTemplate: outline

Be {{ tone }} in {{ count }} beats.
{% for line in lines %}- {{ line }}
{% endfor %}
`,
  );
  const { prompt, segments } = composed(text, { madeUp: true, parameters: { count: 3 } });
  const shown = segments.map(({ start, end, kind }) => [kind, prompt.slice(start, end)]);
  assert.deepEqual(
    shown.filter(([kind]) => kind === 'madeUp'),
    [
      ['madeUp', 'grim'],
      ['madeUp', '«lines»'],
      ['madeUp', 'lines: ["«lines»"]'],
      ['madeUp', 'tone: grim'],
    ],
  );
  assert.deepEqual(
    shown.filter(([kind]) => kind === 'value'),
    [
      ['value', '3'],
      ['value', 'count: 3'],
    ],
  );
});

test('generates strings that match a pattern', () => {
  const cases = {
    '^[A-Z]{4}_[0-9]{3,6}$': 'ABCD_123',
    '^[a-z-]+$': 'some-field',
    '^(foo|bar)+$': 'foo',
    '^[^a-z]+$': 'SOME FIELD',
    '^\\p{Script=Cyrillic}{3}$': 'ЯБг',
    '^\\w+@\\w+\\.com$': 'a@b.com',
    '\\bword\\b': 'word',
    '^(?:\\+\\d{1,3})?\\d{7,}$': '1234567',
    '^.+$': '«some field»',
    '^$': '',
  };
  for (const [pattern, text] of Object.entries(cases)) assert.equal(madeUpJson({ type: 'string', pattern }), text);
});

test('combines a pattern with a length, a format and another pattern', () => {
  const string = (keywords: JsonObject) => madeUpJson({ type: 'string', ...keywords });
  assert.equal(string({ pattern: '^[a-z]*\\d*$', minLength: 5, maxLength: 5 }), 'abcde');
  assert.equal(string({ pattern: '^(ab)+$', minLength: 7 }), 'abababab');
  assert.equal(string({ pattern: '^(abcdef|x)$', maxLength: 2 }), 'x');
  assert.equal(string({ pattern: '^z', minLength: 4 }), 'zxxx');
  assert.equal(string({ pattern: '^2024-\\d\\d-\\d\\d$', format: 'date' }), '2024-11-11');
  assert.equal(string({ pattern: '^2024-', format: 'date' }), '2024-03-31');
  assert.equal(string({ pattern: '@acme\\.org$', format: 'email' }), 'name@acme.org');
  assert.equal(string({ format: 'email', maxLength: 6 }), 'a@b.co');
  assert.equal(string({ allOf: [{ pattern: '^a' }, { pattern: 'z$' }] }), 'az');
  const password = { allOf: [{ pattern: '[A-Z]' }, { pattern: '\\d' }, { pattern: '[a-z]' }] };
  assert.equal(string(password), 'A1a');
  assert.equal(string({ ...password, minLength: 12 }), 'A1xxxxxxxxxx');
  assert.equal(string({ pattern: '^192\\.168\\.', format: 'ipv4' }), '192.168.0.1');
  assert.equal(string({ format: 'iso-time', maxLength: 8 }), '12:00:00');
});

test('generates a string for each format that is validated', () => {
  for (const format of Object.keys(fullFormats)) {
    const { type } = formatOf(format);
    const list = { type: 'array', items: { type, format }, uniqueItems: true, minItems: 5 };
    assert.notEqual(madeUpJson({ type, format }), undefined, format);
    assert.equal((madeUpJson(list) as readonly unknown[] | undefined)?.length, 5, format);
  }
});

test('generates numbers that match bounds and multiples', () => {
  const cases: readonly (readonly [JsonObject, number])[] = [
    [{ type: 'integer', minimum: 3, multipleOf: 7 }, 7],
    [{ type: 'integer', multipleOf: 2.5 }, 5],
    [{ type: 'number', exclusiveMinimum: 3, exclusiveMaximum: 4 }, 3.5],
    [{ type: 'number', multipleOf: 0.01, minimum: 0.07, maximum: 0.09 }, 0.08],
    [{ type: 'integer', allOf: [{ multipleOf: 4 }, { multipleOf: 6 }], minimum: 1 }, 12],
    [{ type: 'integer', not: { minimum: 0 } }, -1],
  ];
  for (const [field, value] of cases) assert.equal(madeUpJson(field), value);
});

test('generates lists and objects that match all their keywords', () => {
  const cases: readonly (readonly [JsonObject, unknown])[] = [
    [{ type: 'array', items: { enum: ['a', 'b', 'c'] }, uniqueItems: true, minItems: 3 }, ['a', 'b', 'c']],
    [{ type: 'array', items: { type: 'integer' }, contains: { minimum: 5 }, minContains: 2, minItems: 3 }, [5, 5, 1]],
    [{ type: 'array', allOf: [{ contains: { const: 'x' } }, { contains: { const: 'y' } }] }, ['x', 'y']],
    [{ type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false }, ['«some field 1»', 1]],
    [{ type: 'object', propertyNames: { pattern: '^[a-z]{3}$' }, minProperties: 1 }, { abc: '«abc»' }],
    [{ type: 'object', propertyNames: { minLength: 9 }, minProperties: 1 }, { '«field …»': '««field …»»' }],
    [
      {
        type: 'object',
        patternProperties: { '^x_': { type: 'integer' } },
        additionalProperties: false,
        minProperties: 2,
      },
      { x_: 1, x_x: 1 },
    ],
    [
      { type: 'object', properties: { a: {} }, dependentRequired: { a: ['c'] } },
      { a: '«a»', c: '«c»' },
    ],
    [{ type: 'object', properties: { a: {}, b: {} }, maxProperties: 1, required: ['b'] }, { b: '«b»' }],
    [{ properties: { a: {}, b: {} }, oneOf: [{ required: ['a'] }, { required: ['b'] }] }, { a: '«a»' }],
    [
      {
        properties: { kind: { enum: ['x', 'y'] } },
        required: ['kind'],
        if: { properties: { kind: { const: 'x' } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { required: ['z'], properties: { z: { type: 'integer' } } },
      },
      { kind: 'x', z: 1 },
    ],
  ];
  for (const [field, value] of cases) assert.deepEqual(madeUpJson(field), value);
});

test('uses a written value only if it matches, and chooses between alternatives', () => {
  assert.equal(madeUpJson({ type: 'integer', examples: ['x', 7] }), 7);
  assert.equal(madeUpJson({ type: 'string', enum: ['aa', 'b'], maxLength: 1 }), 'b');
  assert.equal(madeUpJson({ const: null }), null);
  assert.equal(madeUpJson({ oneOf: [{ type: 'integer' }, { type: 'number' }] }), 0.5);
  assert.equal(madeUpJson({ not: { anyOf: [{ type: 'string' }, { type: 'number' }] } }), false);
});

test('generates no value that does not match, and ends for large and circular schemas', () => {
  const impossible: readonly JsonObject[] = [
    { type: 'string', pattern: '^(?=.*\\d)[a-z]+$' },
    { type: 'string', pattern: 'x^' },
    { type: 'string', pattern: '^\\d{3}$', minLength: 4 },
    { type: 'string', minLength: 1e9 },
    { type: 'string', format: 'email', minLength: 3_000 },
    { type: 'array', minItems: 1e9 },
    { type: 'array', items: { type: 'boolean' }, uniqueItems: true, minItems: 3 },
    { type: 'object', additionalProperties: false, required: ['b'] },
    { not: {} },
    {
      type: 'integer',
      allOf: Array.from({ length: 20 }, () => ({ anyOf: [{ minimum: 6 }, { minimum: 7 }] })),
      maximum: 5,
    },
  ];
  for (const field of impossible) assert.equal(madeUpJson(field), undefined, JSON.stringify(field));
  const nested = { type: 'object', additionalProperties: { $ref: '#/properties/some_field' }, minProperties: 1 };
  assert.equal(madeUpJson(nested), undefined);
  const endless = { type: 'object', properties: { next: { $ref: '#/properties/some_field' } }, required: ['next'] };
  assert.equal(madeUpJson(endless), undefined);
});

test('generates values that match the given ones', () => {
  const schema = schemaOf(`
type: object
properties: {kind: {enum: [a, b]}, size: {}}
required: [kind, size]
oneOf:
  - properties: {kind: {const: a}, size: {type: integer}}
  - properties: {kind: {const: b}, size: {type: boolean}}
`);
  assert.deepEqual(generateValues(schema, { kind: 'b' }), { values: { size: false }, complete: true });
});

test('reports a required parameter for which no value can be generated, and only this one', () => {
  const text = skill(
    'input_schema: {id: {type: string, regex: "^(?=x).$"}, note: string, n: integer}\n',
    '\nBe brief.\n',
  );
  const [error, ...others] = failures(text, { madeUp: true, parameters: { n: 2 } });
  assert.deepEqual(others, []);
  assert.equal(error?.message, 'No value that matches the schema of `id` can be generated.');
  assert.match(error?.suggestion ?? '', /^Pass `id`/);
  assert.match(composed(text, { madeUp: true, parameters: { id: 'x', n: 2 } }).prompt, /note: "?«note»/);
});

test('leaves out an optional parameter for which no value can be generated', () => {
  const text = skill(
    'input_schema: {id: {type: string, regex: "^(?=x).$", required: false}, n: integer}\n',
    '\nBe brief.\n',
  );
  const { prompt } = composed(text, { madeUp: true });
  assert.match(prompt, /n"?: 1/);
  assert.doesNotMatch(prompt, /id:/);
});

test('validates given values', () => {
  const text = skill('input_schema: {id: {type: string, regex: "^[a-z]{3}-\\\\d$"}, n: integer}\n', '\nBe brief.\n');
  assert.match(composed(text, { madeUp: true }).prompt, /id: abc-1/);
  assert.deepEqual(
    failures(text, { madeUp: true, parameters: { n: 'x' } }).map(({ subject }) => subject),
    ['n'],
  );
});

test('generates a parameter that on_missing_input asks for, and validates the others', () => {
  const asking = skill('input_schema: {place: string, n: integer}\ninterrupts: [on_missing_input]\n', '\nBe brief.\n');
  const { prompt, segments } = composed(asking, { parameters: { n: 2 } });
  assert.match(prompt, /place: "«place»"/);
  assert.equal(segments.find(({ kind }) => kind === 'madeUp')?.kind, 'madeUp');
  assert.deepEqual(
    failures(asking, { parameters: { n: 'x', palce: 'inn' } }).map(({ subject }) => subject),
    ['place', 'n'],
  );
});
