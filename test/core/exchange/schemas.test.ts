/** Checks the schemas that the build writes into `dist/schemas`. */
import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { recordOf } from '../../../server/src/exchange/record.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { schemaTexts } from '../../../server/src/vocabulary/published/schemas.ts';
import { samples } from '../../properties/corpus.ts';
import { publishedSchema } from './validators.ts';

for (const [file, text] of schemaTexts()) {
  test(`${file} is a JSON Schema with a description for every property`, () => {
    const json = JSON.parse(text);
    assert.ok(new Ajv2020({ strict: false, validateFormats: false }).validateSchema(json));
    const properties = (value: unknown): [string, { description?: string }][] => {
      if (typeof value !== 'object' || value === null) return [];
      const own = (value as { properties?: Record<string, object> }).properties ?? {};
      const parts = Object.entries(value).filter(([keyword]) => !['if', 'then', 'not'].includes(keyword));
      return [...Object.entries(own), ...parts.flatMap(([, part]) => properties(part))];
    };
    const all = properties(json);
    assert.ok(all.length > 0);
    for (const [name, { description }] of all) assert.ok(description, name);
  });
}

test('docs/exchange.md lists every schema', () => {
  const page = readFileSync('docs/exchange.md', 'utf8');
  const listed = [...page.matchAll(/^\| `([\w-]+\.schema\.json)` \|/gm)].map(([, file]) => file);
  assert.deepEqual(listed.sort(), [...schemaTexts().keys()].sort());
});

test('the record of every sample matches the record schema', () => {
  const validate = new Ajv2020({ strict: false }).compile(publishedSchema('record'));
  for (const [path, text] of samples) {
    if (path.endsWith('skills.config.yaml')) continue;
    const record = JSON.parse(JSON.stringify(recordOf(new SkillFile(`file:///w/${path}`, text))));
    assert.ok(validate(record), `${path}: ${JSON.stringify(validate.errors)}`);
  }
});

test('the examples in docs/subgraph.md match the subgraph schema', () => {
  const { $defs } = publishedSchema('subgraph');
  const validate = new Ajv2020({ strict: false }).compile({ $defs, $ref: '#/$defs/node' });
  const page = readFileSync('docs/subgraph.md', 'utf8');
  const nodes = [...page.matchAll(/^````json\n([\s\S]*?)^````$/gm)].map(([, json = '']) => JSON.parse(json));
  assert.ok(nodes.length > 0);
  for (const node of nodes) assert.ok(validate(node), JSON.stringify(validate.errors));
});

test('an assertion that checks nothing does not match the expectation schema', () => {
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(publishedSchema('expect'));
  const fits = (assertion: object): boolean => validate({ prompt: [assertion] });
  const lacking = [
    ...['structural', 'length', 'pattern', 'contains', 'equals', 'semantic'].map((type) => ({ type })),
    ...['json_schema', 'char_range', 'token_range', 'llm_eval'].map((check) => ({ check })),
    { type: 'contains', match: 'x' },
  ];
  for (const assertion of lacking) assert.equal(fits(assertion), false, JSON.stringify(assertion));
  const whole = [
    { type: 'contains', value: 'x' },
    { type: 'length', max: 3 },
    { type: 'pattern', not_match: 'x' },
    { check: 'char_range', min: 3 },
    { type: 'contains', check: 'json_schema', value: 'x' },
  ];
  for (const assertion of whole) assert.equal(fits(assertion), true, JSON.stringify(assertion));
});
