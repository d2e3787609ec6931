/** JSON Schemas: how they are recognised, and what is wrong with them (docs/format.md, section 3). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSchema, type SchemaField, toNode } from '../../../server/src/languages/schema/schema.ts';
import { checkSchema, fixed, schemaOf } from './schema-marks.ts';

test('recognised by what stands at the top', () => {
  const json = [
    '{type: object}',
    'properties: {a: {type: string}}',
    '{$ref: "#/$defs/a", $defs: {a: {type: object}}}',
    'allOf: [{type: object}]',
    'oneOf: [{type: object}]',
    '$schema: http://json-schema.org/draft-07/schema#',
  ];
  for (const text of json) {
    assert.deepEqual([schemaOf(text).form, schemaOf(text).problems], ['json-schema', []], text);
  }
  for (const text of ['type: string', '{type: array, n: integer}', 'properties: object', 'anyOf: string']) {
    assert.equal(schemaOf(text).form, 'shorthand', text);
  }
});

test('fields, also through references and parts', () => {
  const { fields } = checkSchema(`
    type: object
    required: [owner]
    properties:
      owner: {$ref: '#/$defs/person'}
      tags: {type: array, items: {enum: [a, b]}, default: []}
    allOf:
      - properties: {when: {type: string, format: date-time, description: The day.}}
    $defs:
      person:
        type: object
        properties: {name: {type: string}, friends: {type: array, items: {$ref: '#/$defs/person'}}}
  `);
  const show = (list: readonly SchemaField[]): unknown[] =>
    list.map(({ name, type, required, fields: inner }) => [`${name}${required ? '' : '?'}: ${type}`, ...show(inner)]);
  assert.deepEqual(show(fields), [
    ['owner: object', ['name?: string'], ['friends?: object[]']],
    ['tags?: (a | b)[]'],
    ['when?: datetime'],
  ]);
});

test('one problem for each value that the meta-schema refuses', () => {
  checkSchema(`
    type: object
    properties:
      a: {type: strng}
                ^^^^^ Unknown type \`strng\`. Did you mean \`string\`?
      b: {type: float}
                ^^^^^ Unknown type \`float\`. Did you mean \`number\`?
      c: {type: date}
                ^^^^ JSON Schema has no type \`date\`. Write \`type: string\` and \`format: date\`.
      d: string
         ^^^^^^ \`string\` is shorthand, and this is a JSON Schema, where a schema is a map: \`{type: string}\`.
      e: {type: string, minLength: -1}
                                   ^^ \`minLength\` takes a whole number from 0, not \`-1\`.
      f: {type: string, required: true}
                                  ^^^^ In a JSON Schema \`required\` is a list of names beside \`properties\`, \`required: [name]\`, and not a mark on the property.
      g: {type: array, items: [{type: string}]}
                              ^^^^^^^^^^^^^^^^ Since draft 2020-12 \`items\` takes one schema for all items. A list of schemas, one for each, is called \`prefixItems\`.
      h: {anyOf: []}
                 ^^ \`anyOf\` is empty. It takes a list of schemas.
      i: {anyOf: [{type: intger}]}
                         ^^^^^^ Unknown type \`intger\`. Did you mean \`integer\`?
      j: {enum: a}
                ^ \`enum\` takes a list of values, not \`a\`.
      k: {minimum: ten}
                   ^^^ \`minimum\` takes a number, not \`ten\`.
      l: {type: [string, strng]}
                         ^^^^^ Unknown type \`strng\`. Did you mean \`string\`?
      m: {multipleOf: 0}
                      ^ \`multipleOf\` takes a number above 0, not \`0\`.
      n: {type: any}
                ^^^ JSON Schema has no type \`any\`. Leave \`type\` out.
      o: {minimum: 1, exclusiveMinimum: true}
                                        ^^^^ \`exclusiveMinimum\` is the bound itself, a number; \`true\` beside \`minimum\` is draft-04.
    required: [a, b, a]
                     ^ \`a\` stands in this list already. Remove one of the two.
  `);
  assert.equal(
    fixed('{type: object, properties: {d: "string, x"}}'),
    '{type: object, properties: {d: {type: string, description: x}}}',
  );
});

test('what the meta-schema cannot see', () => {
  checkSchema(`
    type: object
    properties:
      a: {minimum: 9, maximum: 1}
                   ^ \`minimum\` \`9\` is above \`maximum\` \`1\`, so no value fits. Swap the two, or change one.
      b: {minLength: 9, maxLength: 1}
                     ^ \`minLength\` \`9\` is above \`maxLength\` \`1\`, so no value fits. Swap the two, or change one.
      c: {exclusiveMinimum: 1, maximum: 1}
                            ^ No value lies between \`exclusiveMinimum\` \`1\` and \`maximum\` \`1\`. Change one of them.
      d: {enum: []}
                ^^ \`enum\` is empty, so no value fits. Name at least one value.
      e: {enum: [{a: 1, b: 2}, {b: 2, a: 1}]}
                               ^^^^^^^^^^^^ \`{"b":2,"a":1}\` stands in this list already. Remove one of the two.
      f: {type: string, default: 5}
                                 ^ The default is refused by its own field. Expected a text, found \`5\`. Change the default or the field.
      g: {enum: [a, b], default: c}
                                 ^ The default is refused by its own field. Expected \`a\` or \`b\`, found the text \`c\`. Change the default or the field.
      h: {pattern: '['}
                   ^^^ Invalid regular expression: unterminated character class. Schemas take JavaScript (ECMA-262) regular expressions.
      i: {patternProperties: {'(': true}}
                              ^^^ Invalid regular expression: unterminated group. Schemas take JavaScript (ECMA-262) regular expressions.
  `);
  checkSchema(`
    type: object
    properties:
      j: {$ref: '#/$defs/n', default: x}
                                      ^ The default is refused by its own field. Expected a whole number, found the text \`x\`. Change the default or the field.
    $defs: {n: {type: integer}}
  `);
});

test('required names that are not declared are only hints', () => {
  checkSchema(`
    {type: object, properties: {name: {type: string}}, required: [nam, other]}
                                                                  ^^^ hint: \`nam\` is required, but \`properties\` has no such property, so its type is not declared. Did you mean \`name\`?
  `);
  checkSchema(`
    {type: object, properties: {a: true}, required: [b], additionalProperties: false}
                                                     ^ hint: \`b\` is required, but \`properties\` has no such property, and \`additionalProperties: false\` forbids it, so no value fits. Declare it, or remove it here.
  `);
  checkSchema(`
    type: object
    name: string
    ^^^^ hint: \`name\` is not a keyword of JSON Schema, so it has no effect. A field stands under \`properties\`; without \`type: object\` the shorthand takes it here.
  `);
});

test('the default of a wrong schema is not reported as well', () => {
  checkSchema(`
    type: object
    properties:
      a: {type: strng, default: x}
                ^^^^^ Unknown type \`strng\`. Did you mean \`string\`?
      b: {type: array, items: {type: string, minLength: 3, maxLength: 2}, default: [x]}
                                                        ^ \`minLength\` \`3\` is above \`maxLength\` \`2\`, so no value fits. Swap the two, or change one.
  `);
});

test('references', () => {
  checkSchema(`
    type: object
    properties:
      a: {$ref: '#/$defs/usr'}
                ^^^^^^^^^^^^^ \`#/$defs/usr\` leads nowhere in this schema. Did you mean \`#/$defs/user\`?
      b: {$ref: '#/definitions/user'}
                ^^^^^^^^^^^^^^^^^^^^ \`#/definitions/user\` leads nowhere in this schema. Did you mean \`#/$defs/user\`?
      c: {$ref: 'https://example.com/a.json'}
                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ \`https://example.com/a.json\` is in another document, and those are never fetched. Copy the schema into \`$defs\` and refer to it there, \`#/$defs/name\`.
      d: {$ref: '#here'}
      e: {$ref: '#'}
      f: {$ref: '#/$defs/one'}
      g: {properties: {$ref: {type: string}}}
    $defs:
      user: {$anchor: here, properties: {friend: {$ref: '#/$defs/user'}}}
      one: {allOf: [{$ref: '#/$defs/two'}]}
                           ^^^^^^^^^^^^^ This reference leads back to itself without reading any part of the value, so it says nothing. Put \`properties\` or \`items\` in between, or remove it.
      two: {$ref: '#/$defs/one'}
  `);
  assert.equal(fixed("{$ref: '#/$defs/usr', $defs: {user: true}}"), "{$ref: '#/$defs/user', $defs: {user: true}}");
});

test('dialects', () => {
  checkSchema(`
    $schema: http://json-schema.org/draft-07/schema#
    type: object
    properties: {a: {type: array, items: [{type: string}, {type: intger}]}}
                                                                 ^^^^^^ Unknown type \`intger\`. Did you mean \`integer\`?
  `);
  checkSchema(`
    $schema: http://json-schema.org/draft-04/schema#
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ The dialect \`http://json-schema.org/draft-04/schema#\` is not supported. Write \`https://json-schema.org/draft/2020-12/schema\` or \`http://json-schema.org/draft-07/schema#\`, or leave \`$schema\` out.
    type: object
    properties: {a: {minimum: 1, exclusiveMinimum: true}}
  `);
});

test('JSON Schema within shorthand is checked as JSON Schema', () => {
  checkSchema(`
    a: {anyOf: [{type: string}, {type: intger}]}
                                       ^^^^^^ Unknown type \`intger\`. Did you mean \`integer\`?
    b: {$ref: '#/properties/c'}
    c: string
    d: {$ref: '#/properties/x'}
              ^^^^^^^^^^^^^^^^ \`#/properties/x\` leads nowhere in this schema. Add the schema under \`$defs\` at the top, or write it here.
  `);
});

test('hostile input ends', () => {
  const deep = `a: ${'{a: '.repeat(80)}string${'}'.repeat(80)}`;
  assert.match(schemaOf(deep).problems[0]?.message ?? '', /nested deeper than/);
  const wide = {
    type: 'object',
    properties: Object.fromEntries(Array.from({ length: 21_000 }, (_, i) => [`p${i}`, {}])),
  };
  assert.match(parseSchema(toNode(wide)).problems[0]?.message ?? '', /more than 20,000 values/);
  const chain = Array.from(
    { length: 60 },
    (_, i) => `d${i}: {allOf: [{$ref: '#/$defs/d${i + 1}'}, {$ref: '#/$defs/d${i + 1}'}]}`,
  );
  const laughs = schemaOf(`{$ref: '#/$defs/d0', $defs: {${chain.join(', ')}, d60: {type: object}}}`);
  assert.deepEqual([laughs.problems, laughs.fields], [[], []]);
});
