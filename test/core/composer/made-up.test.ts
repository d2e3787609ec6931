/** Generated values for missing parameters, and how the composition shows them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateValues } from '../../../server/src/languages/schema/schema.ts';
import { schemaOf } from '../skill/schema-marks.ts';
import { composed, failures, skill } from './composing.ts';

/** Returns the generated value of one field. */
const madeUp = (field: string): unknown => generateValues(schemaOf(`{some_field: ${field}}`), {}).some_field;

test("prefers the schema's default, constant or example to a generated value", () => {
  assert.equal(madeUp('{type: string, default: grim}'), 'grim');
  assert.equal(madeUp('[wry, grim]'), 'wry');
  assert.equal(
    generateValues(schemaOf('{type: object, properties: {a: {type: string, examples: [one, two]}}}'), {}).a,
    'one',
  );
  assert.equal(generateValues(schemaOf('{type: object, properties: {a: {const: 7}}}'), {}).a, 7);
});

test('generates a string in quotation marks from the title or the name of the field', () => {
  assert.equal(madeUp('string'), '«some field»');
  assert.equal(
    generateValues(schemaOf('{type: object, properties: {a: {type: string, title: The tone}}}'), {}).a,
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
  assert.deepEqual(generateValues(two, {}).a, ['«a 1»', '«a 2»']);
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
  const { first, maybe } = generateValues(schema, {}) as { first: { name: string; next: object }; maybe: number };
  assert.equal(first.name, '«name»');
  assert.equal(typeof first.next, 'object');
  assert.equal(maybe, 4);
});

test('generates no value for a given parameter', () => {
  assert.deepEqual(generateValues(schemaOf('{a: string, b: integer}'), { a: 'mine' }), { b: 1 });
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

test('validates given values, but not generated values', () => {
  const text = skill('input_schema: {id: {type: string, regex: "^[a-z]{3}-\\\\d$"}, n: integer}\n', '\nBe brief.\n');
  assert.match(composed(text, { madeUp: true }).prompt, /id: "«id»"/);
  assert.deepEqual(
    failures(text, { madeUp: true, parameters: { n: 'x' } }).map(({ subject }) => subject),
    ['n'],
  );
});
