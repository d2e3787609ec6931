/** Schemas of tools, which other programs wrote (docs/tools.md, "Schemas of tools"). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  isUsable,
  parseToolSchema,
  type Schema,
  validateJson,
  withDefaults,
} from '../../../server/src/languages/schema/schema.ts';
import { generated, violation } from '../../../server/src/services/run/values.ts';
import { findingsOf, skill, wholeText } from '../rules/findings.ts';

const accepts = (schema: Schema, value: Parameters<typeof validateJson>[1]): boolean =>
  isUsable(schema) && validateJson(schema, value).length === 0;

describe('a schema of a tool', () => {
  it('is a JSON Schema without `type: object`, too', () => {
    const list = parseToolSchema({
      type: 'array',
      items: { type: 'object', properties: { hour: { type: 'integer' } } },
    });
    assert(accepts(list, [{ hour: 8 }]));
    assert(!accepts(list, [{ hour: 'eight' }]));
    assert(!accepts(list, { items: {}, type: [] }));
    const anything = parseToolSchema({ $id: 'x.v1', description: 'Has no type.' });
    assert(accepts(anything, 5) && accepts(anything, { a: 1 }));
    assert(accepts(parseToolSchema({}), 'text'));
  });

  it('loses a default that does not match its own schema, and no other one', () => {
    const schema = parseToolSchema({
      type: 'object',
      $defs: { page: { type: 'integer', default: 1 } },
      properties: {
        query: { type: 'string', default: null },
        limit: { type: 'integer', default: 20 },
        page: { $ref: '#/$defs/page', default: 'first' },
      },
    });
    assert(isUsable(schema));
    assert.deepEqual(withDefaults(schema, {}), { limit: 20 });
  });

  it('is filled with values of its type, not of the short form', () => {
    const list = { type: 'array', items: { type: 'integer' }, minItems: 1 };
    const value = generated(list);
    assert(Array.isArray(value) && value.every(Number.isInteger), JSON.stringify(value));
    assert.equal(violation(list, [1]), '');
    assert.match(violation(list, { items: 1 }), /array|list/);
    assert.deepEqual(generated({ type: 'object', properties: { q: { type: 'string', default: null } } }), { q: '«q»' });
  });
});

it('reads a list under a key of the protocol in a catalog', () => {
  const list = '{type: array, items: {type: object, properties: {hour: {type: integer}}}}';
  const text = skill(
    ...wholeText,
    'tools: [rain]',
    'samples:',
    '  wet: {stubs: {rain: {returns: [{hour: 8}]}}}',
  ).replace('Say it.', 'Call #tool:rain.');
  const messages = (key: string, schema: string): string => {
    const catalog = `tools:\n  - {name: rain, operation: READ, ${key}: ${schema}}\n`;
    return [
      ...findingsOf('a.skill.md', text, { 'skills.config.yaml': catalog }),
      ...findingsOf('skills.config.yaml', catalog, { 'a.skill.md': text }),
    ]
      .map(({ rule, message }) => `${rule}: ${message}`)
      .join('\n');
  };
  assert.equal(messages('outputSchema', list), '');
  assert.match(messages('outputSchema', list.replace('integer', 'string')), /Expected a string, found `8`/);
  // The short form of two fields.
  assert.match(messages('output_schema', list), /This is a map with the fields `type` and `items`/);
});
