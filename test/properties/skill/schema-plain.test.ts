/** A schema that counts as plain is one that both meta-schemas accept. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { isPlainSchema } from '../../../server/src/languages/schema/plain.ts';
import type { Json } from '../../../server/src/languages/yaml/node.ts';
import { RUNS } from '../corpus.ts';

const KEYWORDS = [
  ...['type', 'title', 'description', 'default', 'enum', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems'],
  ...['maxItems', 'items', 'properties', 'required', 'additionalProperties', '$ref', 'pattern', 'const', 'x-own'],
];

const schema = fc.letrec<{ schema: Json; value: Json }>((tie) => ({
  schema: fc.dictionary(fc.constantFrom(...KEYWORDS), tie('value'), { maxKeys: 3 }),
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<Json>('string', 'object', 'array', 'x', '', 0, 3, -1, 2.5, 1e300, -0, true, null, [], {}),
    fc.constantFrom<Json>(['a'], ['a', 'b'], ['a', 'a'], [1], [null], ['a', 1], ['string', 'null']),
    fc.dictionary(fc.constantFrom('a', 'type', '__proto__', 'items'), tie('schema'), { maxKeys: 2 }),
    tie('schema'),
  ),
})).schema;

test('a plain schema is accepted by the meta-schemas', () => {
  const checks = [new Ajv({ strict: false, logger: false }), new Ajv2020({ strict: false, logger: false })];
  let plain = 0;
  fc.assert(
    fc.property(schema, (json) => {
      if (!isPlainSchema(json)) return;
      plain++;
      for (const ajv of checks) assert.equal(ajv.validateSchema(json as object), true, JSON.stringify(json));
    }),
    { numRuns: Math.round(5000 * RUNS) },
  );
  assert.ok(plain > 500 * Math.min(1, RUNS), `only ${plain} were plain`);
});
