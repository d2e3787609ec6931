/** Values validated by schemas: one violation for each defect, at its location. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { typeAt, validate, validateJson, withDefaults } from '../../../server/src/languages/schema/schema.ts';
import type { YamlNode } from '../../../server/src/languages/yaml/node.ts';
import { checkValue, schemaOf, yaml } from './schema-marks.ts';

test('validates types, values, bounds, lengths and formats', () => {
  checkValue(
    `{name: string, tone: [grim, wry], k: {type: integer, max: 5}, day: date, id: {type: string, regex: "^[a-z]+$", max_length: 3}, tags: "string[]"}`,
    `
    name: 5
          ^ Expected a string, found \`5\`.
    tone: grimm
          ^^^^^ Expected \`grim\` or \`wry\`, found the string \`grimm\`. Did you mean \`grim\`?
    k: 6
       ^ Expected at most 5, found \`6\`.
    day: 2025-02-31
         ^^^^^^^^^^ Expected a date such as \`2025-03-31\`, found \`2025-02-31\`.
    id: ABC
        ^^^ Expected a string that matches \`^[a-z]+$\`, found \`ABC\`.
    tags: [a, 1, b]
              ^ Expected a string, found \`1\`.
  `,
  );
  checkValue(
    `{n: integer, b: boolean, o: {a: string}, l: array}`,
    `
    n: 1.0
    b: "true"
       ^^^^^^ Expected \`true\` or \`false\`, found the string \`true\`.
    o: [a]
       ^^^ Expected a map, found a list.
    l:
    ^ Expected a list, found \`null\`.
  `,
  );
});

test('reports a missing field at the key of its map, or at a misspelt field', () => {
  checkValue(
    `{user: {name: string, age: integer?}}`,
    `
    user:
    ^^^^ Missing required field \`name\` (string). Add it.
      age: 1
  `,
  );
  checkValue(
    `{scene_context: string}`,
    `
    scene_contxt: x
    ^^^^^^^^^^^^ Missing required field \`scene_context\` (string). Is \`scene_contxt\` a misspelling of it?
  `,
  );
  const schema = schemaOf(
    '{type: object, properties: {name: {type: string}}, required: [name], additionalProperties: false}',
  );
  const [missing, ...others] = validate(schema, yaml('nam: x') as YamlNode);
  assert.deepEqual(others, []);
  assert.deepEqual([missing?.kind, missing?.path, missing?.nearest], ['missing', ['name'], 'nam']);
});

test('reports unknown fields only if the schema forbids them', () => {
  checkValue(`{a: string}`, 'a: x\nb: y');
  checkValue(
    `{type: object, properties: {limit: {type: integer}}, additionalProperties: false}`,
    `
    limits: 5
    ^^^^^^ Unknown field \`limits\`. Did you mean \`limit\`?
  `,
  );
});

test('fills in defaults first', () => {
  const schema = schemaOf(
    '{k: {type: integer, default: 10}, o: {type: object, default: {}, properties: {x: {type: string, default: y}}}}',
  );
  assert.deepEqual(withDefaults(schema, {}), { k: 10, o: { x: 'y' } });
  assert.deepEqual(validateJson(schema, {}), []);
  checkValue(`{type: object, properties: {a: {type: integer, default: 1}}, required: [a]}`, '{}');
});

test('explains the intended alternative, or lists all alternatives', () => {
  const shapes = `
    type: object
    properties:
      shape:
        oneOf:
          - {type: object, properties: {kind: {const: circle}, r: {type: number}}, required: [kind, r]}
          - {type: object, properties: {kind: {const: box}, w: {type: number}}, required: [kind, w]}
      id: {anyOf: [{type: integer}, {enum: [none]}]}
  `;
  checkValue(
    shapes,
    `
    shape: {kind: box, w: wide}
                          ^^^^ Expected a number, found the string \`wide\`.
    id: x
        ^ Expected \`integer | none\`, found the string \`x\`.
  `,
  );
  checkValue(
    `{type: object, properties: {n: {oneOf: [{minimum: 1}, {maximum: 9}]}}}`,
    `
    n: 5
       ^ Expected a value that matches exactly one alternative, but \`5\` matches 2.
  `,
  );
});

test('validates lists, conditions and keywords that only ajv supports', () => {
  checkValue(
    `
    type: object
    properties:
      l: {type: array, uniqueItems: true, maxItems: 2, contains: {const: a}}
      m: {not: {type: string}}
    if: {required: [m]}
    then: {required: [n]}
    dependentRequired: {l: [k]}
  `,
    `
    l: [b, c, b]
    ^^^^^^^^^^^^ Missing field \`k\`, which \`l\` requires. Add it.
    ^^^^^^^^^^^^ Missing required field \`n\`. Add it.
       ^^^^^^^^^ Expected at most 2 items, found 3.
       ^^^^^^^^^ Expected at least 1 item matching \`a\`, found 0.
              ^ Duplicate item \`b\`. The items of this list must be unique.
    m: x
       ^ Expected a value other than \`string\`, found the string \`x\`.
  `,
  );
});

test('supports the keywords of draft-07', () => {
  const schema = schemaOf(`
$schema: http://json-schema.org/draft-07/schema#
type: object
properties: {pair: {type: array, items: [{type: string}, {type: integer}], additionalItems: false}}
dependencies: {pair: [key], key: {properties: {key: {type: string}}}}
definitions: {unused: {type: object}}
`);
  assert.deepEqual(schema.problems, []);
  assert.deepEqual(validateJson(schema, { pair: ['a', 1], key: 'x' }), []);
  assert.deepEqual(
    validateJson(schema, { pair: [1, 1, 1], key: 'x' }).map(({ path }) => path),
    [
      ['pair', 0],
      ['pair', 2],
    ],
  );
  assert.equal(validateJson(schema, { pair: [] }).length, 1);
});

test('validates recursive schemas and cyclic values', () => {
  const schema = schemaOf(
    '{$ref: "#/$defs/n", $defs: {n: {type: object, properties: {next: {$ref: "#/$defs/n"}, v: {type: integer}}}}}',
  );
  assert.deepEqual(
    validateJson(schema, { next: { next: { v: 'x' } } }).map(({ path }) => path),
    [['next', 'next', 'v']],
  );
  const chain = Array.from(
    { length: 60 },
    (_, i) => `d${i}: {allOf: [{$ref: '#/$defs/d${i + 1}'}, {$ref: '#/$defs/d${i + 1}'}]}`,
  );
  const laughs = schemaOf(
    `{$ref: '#/$defs/d0', $defs: {${chain.join(', ')}, d60: {type: object}}, unevaluatedProperties: false}`,
  );
  assert.deepEqual(validateJson(laughs, { a: 1 }), []);
  const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`);
  assert.deepEqual(validateJson(schemaOf('{a: [x, y]}'), { a: deep }), []);
});

test('validates with a schema that has hints, but not with a schema that has errors', () => {
  assert.deepEqual(validateJson(schemaOf('{a: strng, b: integer}'), { b: 'x' }), []);
  assert.equal(validateJson(schemaOf('{a: [string], b: integer}'), { a: 'string', b: 'x' }).length, 1);
});

test('executes no code from a workspace', () => {
  const evil = `"];globalThis.owned=1;//`;
  const names = [
    '__proto__',
    'constructor',
    evil,
    `'+(globalThis.owned=1)+'`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a name that would be code within a template
    '${globalThis.owned=1}',
    '*/globalThis.owned=1/*',
  ];
  for (const name of names) {
    const quoted = JSON.stringify(name);
    const text = `{type: object, $async: true, id: ${quoted}, title: ${quoted}, properties: {${quoted}: {enum: [${quoted}], pattern: ${JSON.stringify(name.replace(/\W/g, '\\$&'))}, default: {$data: "0/a"}, const: {$data: "1/a"}}}, required: [${quoted}], unevaluatedProperties: false}`;
    const { span, form, dialect, json, fields } = schemaOf(text);
    validateJson({ span, form, dialect, json, fields, problems: [] }, JSON.parse(`{${quoted}: 1, "b": 2}`));
  }
  assert.equal((globalThis as { owned?: unknown }).owned, undefined);
  assert.equal(({} as { owned?: unknown }).owned, undefined);
});

test('returns the types at a path', () => {
  const schema = schemaOf(`
type: object
properties:
  user: {$ref: '#/$defs/user'}
  rows: {type: array, items: {type: object, properties: {n: {type: integer, description: How many.}}}}
  bag: {type: object, additionalProperties: {type: boolean}}
required: [user]
$defs:
  user: {type: object, properties: {name: {type: string}, boss: {$ref: '#/$defs/user'}}}
`);
  const at = (...path: (string | number)[]): unknown => {
    const found = typeAt(schema, path);
    return found && `${found.type}${found.required ? '' : '?'}${found.description ? `, ${found.description}` : ''}`;
  };
  assert.equal(at(), 'object');
  assert.equal(at('user'), 'object');
  assert.equal(at('user', 'boss', 'boss', 'name'), 'string?');
  assert.equal(at('rows'), 'object[]?');
  assert.equal(at('rows', 0, 'n'), 'integer?, How many.');
  assert.equal(at('bag', 'x'), 'boolean?');
  assert.equal(at('nobody'), undefined);
  assert.equal(at('user', 'name', 'x'), undefined);
});
