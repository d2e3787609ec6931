/** JSON Schemas: how they are recognized, and their problems (docs/format.md, section 3). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  hasReference,
  parseSchema,
  type SchemaField,
  toNode,
  withDefaults,
} from '../../../server/src/languages/schema/schema.ts';
import type { Json } from '../../../server/src/languages/yaml/node.ts';
import { checkSchema, fixed, schemaOf } from './schema-marks.ts';

test('recognises JSON Schema by its top-level keys', () => {
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

test('finds references, but not properties and data with such a name', () => {
  assert.equal(hasReference({ type: 'array', items: { $ref: '#' } }), true);
  assert.equal(hasReference({ allOf: [{ $dynamicRef: '#node' }] }), true);
  assert.equal(hasReference({ properties: { $ref: { type: 'string' } } }), false);
  assert.equal(hasReference({ const: { $ref: '#' } }), false);
});

test('finds fields, also through references and allOf', () => {
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

test('reports one problem for each value that the meta-schema refuses', () => {
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
         ^^^^^^ \`string\` is shorthand, which is not allowed in a JSON Schema. Write \`{type: string}\`.
      e: {type: string, minLength: -1}
                                   ^^ \`minLength\` must be a whole number of 0 or more, but is \`-1\`.
      f: {type: string, required: true}
                                  ^^^^ In JSON Schema, \`required\` is a list of names next to \`properties\`. Write \`required: [name]\` there and remove this key.
      g: {type: array, items: [{type: string}]}
                              ^^^^^^^^^^^^^^^^ In draft 2020-12, \`items\` must be one schema for all items. For one schema per item, write \`prefixItems\`.
      h: {anyOf: []}
                 ^^ \`anyOf\` must be a list of schemas, but is empty.
      i: {anyOf: [{type: intger}]}
                         ^^^^^^ Unknown type \`intger\`. Did you mean \`integer\`?
      j: {enum: a}
                ^ \`enum\` must be a list of values, but is \`a\`.
      k: {minimum: ten}
                   ^^^ \`minimum\` must be a number, but is \`ten\`.
      l: {type: [string, strng]}
                         ^^^^^ Unknown type \`strng\`. Did you mean \`string\`?
      m: {multipleOf: 0}
                      ^ \`multipleOf\` must be a number above 0, but is \`0\`.
      n: {type: any}
                ^^^ JSON Schema has no type \`any\`. Remove \`type\`.
      o: {minimum: 1, exclusiveMinimum: true}
                                        ^^^^ \`exclusiveMinimum\` must be a number. Move the value of \`minimum\` here.
    required: [a, b, a]
                     ^ Duplicate item \`a\`. Remove one of the two.
  `);
  assert.equal(
    fixed('{type: object, properties: {d: "string, x"}}'),
    '{type: object, properties: {d: {type: string, description: x}}}',
  );
});

test('reports faults that the meta-schema does not find', () => {
  checkSchema(`
    type: object
    properties:
      a: {minimum: 9, maximum: 1}
                   ^ \`minimum\` \`9\` is greater than \`maximum\` \`1\`. Swap the two, or change one.
      b: {minLength: 9, maxLength: 1}
                     ^ \`minLength\` \`9\` is greater than \`maxLength\` \`1\`. Swap the two, or change one.
      c: {exclusiveMinimum: 1, maximum: 1}
                            ^ No number is between \`exclusiveMinimum\` \`1\` and \`maximum\` \`1\`. Change one of them.
      d: {enum: []}
                ^^ \`enum\` is empty, so no value is valid. Add at least one value.
      e: {enum: [{a: 1, b: 2}, {b: 2, a: 1}]}
                               ^^^^^^^^^^^^ Duplicate item \`{"b":2,"a":1}\`. Remove one of the two.
      f: {type: string, default: 5}
                                 ^ The default does not match its field: expected a string, found \`5\`.
      g: {enum: [a, b], default: c}
                                 ^ The default does not match its field: expected \`a\` or \`b\`, found the string \`c\`.
      h: {pattern: '['}
                   ^^^ Invalid regular expression: unterminated character class. Schemas use JavaScript (ECMA-262) regular expressions.
      i: {patternProperties: {'(': true}}
                              ^^^ Invalid regular expression: unterminated group. Schemas use JavaScript (ECMA-262) regular expressions.
  `);
  checkSchema(`
    type: object
    properties:
      j: {$ref: '#/$defs/n', default: x}
                                      ^ The default does not match its field: expected a whole number, found the string \`x\`.
    $defs: {n: {type: integer}}
  `);
});

test('a default gets the defaults of its own fields only', () => {
  checkSchema(`
    type: object
    properties:
      a: {type: integer, default: 1}
      b: {type: object, properties: {c: {type: string, default: x}}, additionalProperties: false, default: {}}
      d: {type: object, additionalProperties: {type: string}, default: {}}
  `);
});

test('defaults are filled in maps, and in the only alternative for the type of a value', () => {
  const map = { type: 'object', properties: { a: { default: 1 } } };
  const schema = schemaOf(
    JSON.stringify({
      type: 'object',
      properties: {
        maps: { type: 'object', additionalProperties: map },
        nullable: { anyOf: [{ $ref: '#/$defs/map' }, { type: 'null' }] },
        two: { oneOf: [map, { type: 'object', properties: { a: { default: 2 } } }] },
      },
      $defs: { map },
    }),
  );
  const filled = (value: Json) => withDefaults(schema, value);
  assert.deepEqual(filled({ maps: { x: {}, y: { a: 3 } } }), { maps: { x: { a: 1 }, y: { a: 3 } } });
  assert.deepEqual(filled({ nullable: {} }), { nullable: { a: 1 } });
  assert.deepEqual(filled({ nullable: null, two: {} }), { nullable: null, two: {} });
});

test('reports misspelt keywords, but no keywords of other formats', () => {
  checkSchema(`
    type: object
    propertes: {}
    ^^^^^^^^^ warning: Unknown keyword \`propertes\`. Did you mean \`properties\`?
    additional_properties: false
    ^^^^^^^^^^^^^^^^^^^^^ warning: Unknown keyword \`additional_properties\`. Did you mean \`additionalProperties\`?
    properties:
      a: {tpye: string, regex: '^a', max: 3}
          ^^^^ warning: Unknown keyword \`tpye\`. Did you mean \`type\`?
                        ^^^^^ warning: Unknown keyword \`regex\`. Did you mean \`pattern\`?
                                     ^^^ warning: Unknown keyword \`max\`. Did you mean \`maximum\`?
      b: {type: string, max: 3, example: x, nullable: true, _comment: x, markdownDescription: x, x-typ: x}
                        ^^^ warning: Unknown keyword \`max\`. Did you mean \`maxLength\`?
  `);
});

test('reports undeclared required names as warnings', () => {
  checkSchema(`
    {type: object, properties: {name: {type: string}}, required: [nam, other]}
                                                                  ^^^ warning: The required property \`nam\` is not in \`properties\`, so it has no type. Did you mean \`name\`?
                                                                       ^^^^^ warning: The required property \`other\` is not in \`properties\`, so it has no type. Add it there, or remove it here.
  `);
  checkSchema(`
    type: object
    properties: {a: {type: string}}
    required: [b]
    anyOf: [{properties: {b: true}, required: [a]}]
  `);
  checkSchema(`
    {type: object, properties: {a: true}, required: [b], additionalProperties: false}
                                                     ^ warning: The required property \`b\` is not in \`properties\`, and \`additionalProperties: false\` forbids it. Add it there, or remove it here.
  `);
  checkSchema(`
    type: object
    name: string
    ^^^^ hint: \`name\` is not a keyword of JSON Schema. Move the field under \`properties\`, or remove \`type: object\` to use the shorthand.
  `);
});

test('does not also report the default of an invalid schema', () => {
  checkSchema(`
    type: object
    properties:
      a: {type: strng, default: x}
                ^^^^^ Unknown type \`strng\`. Did you mean \`string\`?
      b: {type: array, items: {type: string, minLength: 3, maxLength: 2}, default: [x]}
                                                        ^ \`minLength\` \`3\` is greater than \`maxLength\` \`2\`. Swap the two, or change one.
  `);
});

test('resolves references', () => {
  checkSchema(`
    type: object
    properties:
      a: {$ref: '#/$defs/usr'}
                ^^^^^^^^^^^^^ Unknown reference \`#/$defs/usr\`. Did you mean \`#/$defs/user\`?
      b: {$ref: '#/definitions/user'}
                ^^^^^^^^^^^^^^^^^^^^ Unknown reference \`#/definitions/user\`. Did you mean \`#/$defs/user\`?
      c: {$ref: 'https://example.com/a.json'}
                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ \`https://example.com/a.json\` is in another document, which is not fetched. Copy the schema to \`$defs\` and write \`#/$defs/name\`.
      d: {$ref: '#here'}
      e: {$ref: '#'}
      f: {$ref: '#/$defs/one'}
      g: {properties: {$ref: {type: string}}}
    $defs:
      user: {$anchor: here, properties: {friend: {$ref: '#/$defs/user'}}}
      one: {allOf: [{$ref: '#/$defs/two'}]}
                           ^^^^^^^^^^^^^ This reference is circular and applies to the same value each time. Remove it, or put it under \`properties\` or \`items\`.
      two: {$ref: '#/$defs/one'}
  `);
  assert.equal(fixed("{$ref: '#/$defs/usr', $defs: {user: true}}"), "{$ref: '#/$defs/user', $defs: {user: true}}");
});

test('supports draft-07, and reports unsupported dialects', () => {
  checkSchema(`
    $schema: http://json-schema.org/draft-07/schema#
    type: object
    properties: {a: {type: array, items: [{type: string}, {type: intger}]}}
                                                                 ^^^^^^ Unknown type \`intger\`. Did you mean \`integer\`?
  `);
  checkSchema(`
    $schema: http://json-schema.org/draft-04/schema#
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ Unsupported dialect \`http://json-schema.org/draft-04/schema#\`. Remove \`$schema\`, or write \`https://json-schema.org/draft/2020-12/schema\` or \`http://json-schema.org/draft-07/schema#\`.
    type: object
    properties: {a: {minimum: 1, exclusiveMinimum: true}}
  `);
});

test('checks JSON Schema within shorthand as JSON Schema', () => {
  checkSchema(`
    a: {anyOf: [{type: string}, {type: intger}]}
                                       ^^^^^^ Unknown type \`intger\`. Did you mean \`integer\`?
    b: {$ref: '#/properties/c'}
    c: string
    d: {$ref: '#/properties/x'}
              ^^^^^^^^^^^^^^^^ Unknown reference \`#/properties/x\`. Add the schema under \`$defs\` at the top level, or write it here.
  `);
});

test('handles hostile input', () => {
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

test('reports bounds that no number, count or constant matches, once', () => {
  checkSchema(`
    type: object
    properties:
      a: {type: integer, exclusiveMinimum: 3, exclusiveMaximum: 4}
                                           ^ No whole number is between \`exclusiveMinimum\` \`3\` and \`exclusiveMaximum\` \`4\`. Change one of them.
      b: {type: number, exclusiveMinimum: 3, exclusiveMaximum: 4}
      c: {type: number, minimum: 1, maximum: 9, multipleOf: 10}
                                                            ^^ No multiple of \`10\` is between \`minimum\` \`1\` and \`maximum\` \`9\`. Change one of them.
      d: {type: number, minimum: 0.3, maximum: 0.3, multipleOf: 0.1}
      e: {type: number, exclusiveMinimum: 5, exclusiveMaximum: 5, multipleOf: 2}
                                          ^ No number is between \`exclusiveMinimum\` \`5\` and \`exclusiveMaximum\` \`5\`. Change one of them.
      f: {type: array, contains: {const: x}, minContains: 3, maxItems: 2}
                                                          ^ \`minContains\` \`3\` is greater than \`maxItems\` \`2\`. Change one of them.
      g: {type: array, prefixItems: [{type: string}], items: false, minItems: 2}
                                                                              ^ \`minItems\` \`2\` is greater than the number of items that the schema allows, 1. Change one of them.
      h: {type: object, properties: {x: {}}, additionalProperties: false, minProperties: 2}
                                                                                         ^ \`minProperties\` \`2\` is greater than the number of fields that the schema allows, 1. Change one of them.
      i: {type: object, required: [x, y], maxProperties: 1}
                                                         ^ \`maxProperties\` \`1\` is less than the number of required fields, 2. Change one of them.
      j: {type: integer, enum: [one, two]}
                               ^^^^^^^^^^ No value of \`enum\` matches the other keywords of the schema. Change the values or the other keywords.
      k: {type: [integer, 'null'], enum: [one, null]}
      l: {type: string, pattern: '^a', const: b}
                                              ^ The value of \`const\` does not match the other keywords of the schema. Change one of them.
      m: {type: [integer, number], exclusiveMinimum: 3, exclusiveMaximum: 4}
  `);
});
