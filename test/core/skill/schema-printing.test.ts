/** Conversion of schemas between shorthand and YAML. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printYaml, toShorthand } from '../../../server/src/languages/schema/schema.ts';
import type { Json } from '../../../server/src/languages/yaml/node.ts';
import { schemaOf } from './schema-marks.ts';

test('prints a schema as shorthand', () => {
  const text = `
title: string
tone:
  - grim
  - wry
tags: string[]?, free words
k: {type: integer, default: 10, min: 1, max: 50}
place: {name: string, since: date?}
`;
  const { json } = schemaOf(text);
  assert.deepEqual(toShorthand(json), {
    title: 'string',
    tone: ['grim', 'wry'],
    tags: 'string[]?, free words',
    k: { type: 'integer', required: false, default: 10, min: 1, max: 50 },
    place: { name: 'string', since: 'date?' },
  });
  assert.deepEqual(schemaOf(printYaml(toShorthand(json) as Json)).json, json);
  assert.equal(toShorthand({ type: 'object', properties: {}, additionalProperties: false }), undefined);
  assert.equal(toShorthand({ type: 'object', properties: { a: { type: 'string', contentSchema: {} } } }), undefined);
});

test('prints a schema as YAML', () => {
  const { json } = schemaOf('{tone: [grim, "true"], "a b": {c: "string, x: y"}}');
  assert.equal(
    printYaml(json),
    `type: object
properties:
  tone:
    type: string
    enum: [grim, "true"]
  a b:
    type: object
    properties:
      c:
        type: string
        description: "x: y"
    required: [c]
required: [tone, a b]`,
  );
});
