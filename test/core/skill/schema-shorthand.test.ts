/** The shorthand for schemas: its meaning, and its problems (docs/format.md, section 3). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSchema, fixed, schemaOf } from './schema-marks.ts';

const field = (text: string): unknown => {
  const { json, problems, form } = schemaOf(`x: ${text}`);
  assert.deepEqual([problems, form], [[], 'shorthand'], text);
  const { properties, required } = json as { properties: { x: unknown }; required?: unknown };
  return required ? properties.x : { optional: properties.x };
};

test('reads the names of types', () => {
  assert.deepEqual(field('string'), { type: 'string' });
  assert.deepEqual(field('float'), { type: 'number' });
  assert.deepEqual(field('int'), { type: 'integer' });
  assert.deepEqual(field('bool'), { type: 'boolean' });
  assert.deepEqual(field('any'), {});
  assert.deepEqual(field('null'), { type: 'null' });
  assert.deepEqual(field('date'), { type: 'string', format: 'date' });
  assert.deepEqual(field('datetime'), { type: 'string', format: 'date-time' });
  assert.deepEqual(field('uri'), { type: 'string', format: 'uri' });
});

test('reads optional fields, lists and descriptions', () => {
  assert.deepEqual(field('string?'), { optional: { type: 'string' } });
  assert.deepEqual(field('"string[]"'), { type: 'array', items: { type: 'string' } });
  assert.deepEqual(field('integer[]?'), { optional: { type: 'array', items: { type: 'integer' } } });
  assert.deepEqual(field('integer[][]'), { type: 'array', items: { type: 'array', items: { type: 'integer' } } });
  assert.deepEqual(field('string, what happens so far, in short'), {
    type: 'string',
    description: 'what happens so far, in short',
  });
  assert.deepEqual(field('string[]?, names'), {
    optional: { type: 'array', items: { type: 'string' }, description: 'names' },
  });
});

test('reads a list of constants as an enumeration', () => {
  assert.deepEqual(field('[grim, wry]'), { type: 'string', enum: ['grim', 'wry'] });
  assert.deepEqual(field('[1, 2]'), { type: 'integer', enum: [1, 2] });
  assert.deepEqual(field('[1, 2.5]'), { type: 'number', enum: [1, 2.5] });
  assert.deepEqual(field('[auto, 1, null]'), { enum: ['auto', 1, null] });
});

test('reads a field with a map of keys', () => {
  assert.deepEqual(field('{type: integer, min: 1, max: 50}'), { type: 'integer', minimum: 1, maximum: 50 });
  assert.deepEqual(field('{type: integer, default: 10}'), { optional: { type: 'integer', default: 10 } });
  assert.deepEqual(field('{type: integer, default: 10, required: true}'), { type: 'integer', default: 10 });
  assert.deepEqual(field('{type: string, required: false}'), { optional: { type: 'string' } });
  assert.deepEqual(field('{type: string, min_length: 1, max_length: 9, regex: "^[a-z]+$"}'), {
    type: 'string',
    minLength: 1,
    maxLength: 9,
    pattern: '^[a-z]+$',
  });
  assert.deepEqual(field('{type: "string[]", min_length: 1, description: Names.}'), {
    type: 'array',
    items: { type: 'string' },
    minItems: 1,
    description: 'Names.',
  });
  assert.deepEqual(field('{type: [string, "null"]}'), { type: ['string', 'null'] });
  assert.deepEqual(field('{enum: [a, b], default: a}'), {
    optional: { type: 'string', enum: ['a', 'b'], default: 'a' },
  });
  assert.deepEqual(field('{type: string, format: email, maxLength: 9}'), {
    type: 'string',
    format: 'email',
    maxLength: 9,
  });
});

test('reads a nested map without `type` as an object, also in items and properties', () => {
  assert.deepEqual(field('{name: string, age: integer?}'), {
    type: 'object',
    properties: { name: { type: 'string' }, age: { type: 'integer' } },
    required: ['name'],
  });
  assert.deepEqual(field('{type: array, items: {title_id: string, similarity: float}}'), {
    type: 'array',
    items: {
      type: 'object',
      properties: { title_id: { type: 'string' }, similarity: { type: 'number' } },
      required: ['title_id', 'similarity'],
    },
  });
  assert.deepEqual(field('{type: object, properties: {a: {type: string}, b: [x]}, required: [b]}'), {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string', enum: ['x'] } },
    required: ['b'],
  });
  assert.deepEqual(field('{anyOf: [{type: string}, {type: integer}]}'), {
    anyOf: [{ type: 'string' }, { type: 'integer' }],
  });
  assert.deepEqual(field('{min: integer, max: integer}'), {
    type: 'object',
    properties: { min: { type: 'integer' }, max: { type: 'integer' } },
    required: ['min', 'max'],
  });
  assert.deepEqual(field('{type: {type: string}}'), {
    type: 'object',
    properties: { type: { type: 'string' } },
    required: ['type'],
  });
});

test('allows keywords as names of fields', () => {
  for (const text of ['type: string', 'properties: object', 'properties: {type: array}', 'required: boolean']) {
    const { form, fields, problems } = schemaOf(text);
    assert.deepEqual(
      [form, fields.map(({ name }) => name), problems],
      ['shorthand', [text.slice(0, text.indexOf(':'))], []],
    );
  }
});

test('a missing schema and an empty schema allow any map', () => {
  for (const text of ['', '{}', 'null']) {
    assert.equal(schemaOf(text).form, 'empty');
    assert.deepEqual(schemaOf(text).json, { type: 'object', properties: {} });
  }
  assert.equal(schemaOf('[a]').problems.length, 1);
  assert.match(schemaOf('string').problems[0]?.message ?? '', /A schema must be a map of fields/);
});

test('reads a contract in the form that tool registries use', () => {
  const { fields } = checkSchema(`
    title_id: { type: string, required: true, regex: "^[A-Z]{4}_[0-9]{3,6}$" }
    locale: { type: string, required: true, enum: [en-US, ja-JP, ko-KR, ...] }
    k: { type: integer, default: 10, min: 1, max: 50 }
    recommendations:
      type: array
      items:
        title_id: string
        similarity: float  # [0, 1]
        reason: string     # human-readable, NOT model-generated
  `);
  assert.deepEqual(
    fields.map(({ name, type, required }) => `${name}${required ? '' : '?'}: ${type}`),
    ['title_id: string', 'locale: en-US | ja-JP | ko-KR | ...', 'k?: integer', 'recommendations: object[]'],
  );
  assert.deepEqual(
    fields[3]?.fields.map(({ name, type }) => `${name}: ${type}`),
    ['title_id: string', 'similarity: number', 'reason: string'],
  );
});

test('reports unknown types', () => {
  checkSchema(`
    a: strng
       ^^^^^ Unknown type \`strng\`. Did you mean \`string\`?
    b: "strng"
       ^^^^^^^ Unknown type \`strng\`. Did you mean \`string\`?
    c: strng, what it is
       ^^^^^ Unknown type \`strng\`. Did you mean \`string\`?
    d: {type: intger, min: 1}
              ^^^^^^ Unknown type \`intger\`. Did you mean \`integer\`?
    e: {type: array, items: {f: sting}}
                                ^^^^^ Unknown type \`sting\`. Did you mean \`string\`?
    f: url
       ^^^ Unknown type \`url\`. Did you mean \`uri\`?
    g: The scene so far
       ^^^^^^^^^^^^^^^^ \`The scene so far\` does not start with a type. Add a type before the description: \`string, …\`.
    h: quaternion
       ^^^^^^^^^^ Unknown type \`quaternion\`. Known types include \`string\`, \`integer\`, \`number\`, \`boolean\`, \`object\`, \`array\`. For fixed values, write \`[a, b]\`.
    i:
    ^ Missing type of \`i\`. Add one after the colon, such as \`string\` or \`any\`.
    j: 5
       ^ \`5\` is not a type. For a fixed value, write a list: \`[5]\`.
    k: string | null
       ^^^^^^^^^^^^^ Unknown type \`string | null\`. For fixed values, write \`[a, b]\`; for several types, write a map with \`anyOf\`.
    m: cheap | very-fine
       ^^^^^^^^^^^^^^^^^ Unknown type \`cheap | very-fine\`. Write the fixed values as a list: \`[cheap, very-fine]\`.
    n: strng | integer
       ^^^^^^^^^^^^^^^ Unknown type \`strng | integer\`. For fixed values, write \`[a, b]\`; for several types, write a map with \`anyOf\`.
    l: {type: [string, nul]}
                       ^^^ Unknown type \`nul\`. Did you mean \`null\`?
  `);
  assert.equal(fixed('c: strng, what it is'), 'c: string, what it is');
  assert.equal(fixed('c: strng[]?'), 'c: string[]?');
  assert.equal(fixed('b: "strng"'), 'b: "string"');
  assert.equal(fixed('d: [string]'), "d: 'string[]'");
  assert.equal(fixed('b: {type: string, optional: true}'), 'b: {type: string, required: false}');
  assert.equal(fixed('m: cheap | very-fine'), 'm: [cheap, very-fine]');
  assert.equal(fixed('m: a|b'), 'm: [a, b]');
  assert.equal(fixed('g: The scene so far'), 'g: "string, The scene so far"');
});

test('reports contradicting bounds, lengths and values', () => {
  checkSchema(`
    a: {type: integer, min: 9, max: 1}
                            ^ \`min\` \`9\` is greater than \`max\` \`1\`. Swap the two, or change one.
    b: {type: string, min_length: 9, max_length: 1}
                                  ^ \`min_length\` \`9\` is greater than \`max_length\` \`1\`. Swap the two, or change one.
    c: {type: integer, min: ten}
                            ^^^ \`min\` must be a number, but is \`ten\`.
    d: {type: string, max: 5}
                      ^^^ \`max\` has no effect on the type \`string\`. Write \`max_length\`.
    e: {type: string, min_length: -1}
                                  ^^ \`min_length\` must be a whole number of 0 or more, but is \`-1\`.
    f: {type: integer, regex: "[a-z]"}
                       ^^^^^ \`regex\` has no effect on the type \`integer\`. It applies only to the type \`string\`.
    g: {type: string, required: maybe}
                                ^^^^^ \`required\` must be \`true\` or \`false\`, but is \`maybe\`.
    h: []
       ^^ This list of allowed values is empty. Add at least one value, or write a type.
    i: [a, b, a]
              ^ Duplicate item \`a\`. Remove one of the two.
    j: {type: integer, enum: [1, two]}
                                 ^^^ \`two\` does not match the type \`integer\` of this field. Change or remove it.
    k: [{a: 1}]
        ^^^^^^ A list of allowed values can contain only strings, numbers, \`true\`, \`false\` and \`null\`.
    l: {type: string, maxLength: few}
                                 ^^^ \`maxLength\` must be a whole number of 0 or more, but is \`few\`.
  `);
});

test('reports defaults that do not match their field', () => {
  checkSchema(`
    a: {type: integer, default: ten}
                                ^^^ The default does not match its field: expected a whole number, found the string \`ten\`.
    b: {type: integer, max: 5, default: 6}
                                        ^ The default does not match its field: expected at most 5, found \`6\`.
    c: {enum: [grim, wry], default: gri}
                                    ^^^ The default does not match its field: expected \`grim\` or \`wry\`, found the string \`gri\`. Did you mean \`grim\`?
    d: {type: date, default: tomorrow}
                             ^^^^^^^^ The default does not match its field: expected a date such as \`2025-03-31\`, found \`tomorrow\`.
    e: {type: "string[]", default: [a, 1]}
                                       ^ The default does not match its field: expected a string, found \`1\`.
    f: {type: string, regex: "^a", default: b}
                                            ^ The default does not match its field: expected a string that matches \`^a\`, found \`b\`.
    g: {type: object, properties: {n: {type: integer, default: 1}}, default: {}}
    h: {type: integer, min: 9, max: 1, default: 4}
                            ^ \`min\` \`9\` is greater than \`max\` \`1\`. Swap the two, or change one.
  `);
});

test('reports invalid regular expressions', () => {
  checkSchema(`
    a: {type: string, regex: "("}
                             ^^^ Invalid regular expression: unterminated group. Schemas use JavaScript (ECMA-262) regular expressions.
    b: {type: string, regex: "(a+)+$"}
                             ^^^^^^^^ warning: This regular expression is slow in many engines: \`(a+)+\` can match the same text in many ways. Use one repetition instead of nested ones, or add a separator between them.
  `);
});

test('reports misspelt keys as warnings, and other keys without an effect as hints', () => {
  checkSchema(`
    a: {type: string, descripton: x}
                      ^^^^^^^^^^ warning: Unknown key \`descripton\`. Did you mean \`description\`?
    b: {type: string, optional: true}
                      ^^^^^^^^ hint: Unknown key \`optional\`. Write \`required: false\`, or \`?\` after the type.
    c: {type: string, name: string}
                      ^^^^ hint: Unknown key \`name\`. If it is a field, move it under \`properties\`.
    d: [string]
       ^^^^^^^^ hint: This allows only the value \`string\`. For a list of that type, write \`string[]\`.
    e: {type: string, x-mine: 1}
  `);
  checkSchema(`
    type: array
    ^^^^ hint: This is a map with the fields \`type\` and \`items\`. For a list, write \`result: {type: array, items: …}\`; for a JSON Schema, add \`$schema\`.
    items: {a: string}
  `);
});

test('reports bounds and constants that no value matches, under the keys of the shorthand', () => {
  checkSchema(`
    a: {type: integer, min: 1.2, max: 1.8}
                            ^^^ No whole number is between \`min\` \`1.2\` and \`max\` \`1.8\`. Change one of them.
    b: {type: number, min: 1, max: 9, multipleOf: 10}
                                                  ^^ No multiple of \`10\` is between \`min\` \`1\` and \`max\` \`9\`. Change one of them.
    c: {type: integer, min: 3, exclusiveMaximum: 3}
                            ^ No number is between \`min\` \`3\` and \`exclusiveMaximum\` \`3\`. Change one of them.
    d: {enum: [long, longer], max_length: 3}
              ^^^^^^^^^^^^^^ No value of \`enum\` matches the other keywords of the schema. Change the values or the other keywords.
    e: {type: array, items: string, min: 3, max: 2}
                                         ^ \`min\` \`3\` is greater than \`max\` \`2\`. Swap the two, or change one.
    f: {enum: [a, longer], max_length: 3}
    g: {type: string, const: long, max_length: 3}
                             ^^^^ The value of \`const\` does not match the other keywords of the schema. Change one of them.
  `);
});
