/** Types and keywords of schemas, and the data that schemas describe. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { complete } from '../cursor.ts';

const inSchema = (schema: string) => complete(`---\nname: test\ninput_schema:\n${schema}\n---\n`);

test('offers the types of the shorthand', () => {
  const { labels, accept } = inSchema('  topic: $0');
  assert.deepEqual(labels.slice(0, 3), ['string', 'integer', 'number']);
  assert.ok(labels.includes('string?') && labels.includes('integer[]') && labels.includes('[…]'));
  assert.match(accept('string?'), /topic: string\?\n/);
  assert.match(accept('[…]'), /topic: \[\$1\]\n/);
});

test('keeps a description after the type', () => {
  assert.match(inSchema('  topic: str$0, what it is').accept('integer'), /topic: integer, what it is\n/);
  assert.deepEqual(inSchema('  topic: string, what it i$0').labels, []);
});

test('offers nothing for the names of fields', () => {
  assert.deepEqual(inSchema('  topic: string\n  no$0').labels, []);
  assert.deepEqual(inSchema('  user:\n    name: string\n    $0').labels, []);
});

test('offers the keys of a field, keys for its type first', () => {
  assert.deepEqual(inSchema('  beats: {type: integer, $0}').labels.slice(0, 6), [
    'required',
    'default',
    'min',
    'max',
    'enum',
    'description',
  ]);
  assert.equal(inSchema('  beats:\n    $0').labels[0], 'type');
  assert.deepEqual(inSchema('  tone: {type: string, enum: [grim, wry], default: $0}').labels, ['grim', 'wry']);
  assert.deepEqual(inSchema('  tone: {type: string, required: $0}').labels, ['true', 'false']);
  assert.ok(inSchema('  tone: {type: $0}').labels.includes('integer'));
});

test('offers keywords of JSON Schema', () => {
  const json = (schema: string) => inSchema(`  type: object\n${schema}`);
  assert.ok(json('  $0').labels.includes('properties') && !json('  $0').labels.includes('type'));
  assert.ok(json('  properties:\n    a:\n      $0').labels.includes('enum'));
  assert.deepEqual(json('  properties:\n    $0').labels, []);
  assert.deepEqual(json('  properties:\n    a: {type: $0}').labels.slice(0, 2), ['string', 'number']);
  assert.ok(json('  properties:\n    a: {type: string, format: $0}').labels.includes('date-time'));
  assert.deepEqual(json('  properties: {a: {}, b: {}}\n  required: [a, $0]').labels, ['b']);
  assert.deepEqual(json('  $defs: {user: {type: object}}\n  properties: {a: {$ref: "$0"}}').labels, ['#/$defs/user']);
});

const DATA = `input_schema:
  scene: string, what happens
  tone: [grim, wry]
  deep: boolean?
  cast: {type: array, items: {properties: {name: string, side: [north, south]}}}`;

test('offers the parameters of the input schema in samples', () => {
  const sample = (parameters: string) =>
    complete(`---\n${DATA}\nsamples:\n  one:\n    parameters:\n${parameters}\n---\n`);
  assert.deepEqual(sample('      scene: x\n      $0').labels, ['tone', 'cast', 'deep']);
  assert.deepEqual(sample('      tone: $0').labels, ['grim', 'wry']);
  assert.deepEqual(sample('      deep: $0').labels, ['true', 'false']);
  assert.deepEqual(sample('      cast:\n        - name: x\n          $0').labels, ['side']);
  assert.deepEqual(sample('      cast: [{side: $0}]').labels, ['north', 'south']);
});

test('offers the fields of the contract in examples, in YAML and JSON', () => {
  const example = (lang: string, data: string) =>
    complete(
      `---\n${DATA}\noutput_schema: {verdict: [yes, no]}\n---\n\n## Example: one\n\n### Input\n\n\`\`\`${lang}\n${data}\n\`\`\`\n\n### Output\n\n\`\`\`yaml\nverdict: yes\n\`\`\`\n`,
    );
  assert.deepEqual(example('yaml', 'scene: x\n$0').labels, ['tone', 'cast', 'deep']);
  assert.deepEqual(example('yaml', 'tone: $0').labels, ['grim', 'wry']);
  assert.match(example('json', '{"scene": "x", "to$0"}').accept('tone'), /\{"scene": "x", "tone": \}/);
  assert.match(example('json', '{$0}').accept('tone'), /\{"tone": \}/);
  assert.match(example('json', '{"tone": $0}').accept('wry'), /\{"tone": "wry"\}/);
  assert.match(example('json', '{"tone": "$0"}').accept('wry'), /\{"tone": "wry"\}/);
});

test('offers fields in an example whose output is before its input', () => {
  const example = (output: string, input: string) =>
    complete(
      `---\n${DATA}\noutput_schema: {verdict: [yes, no]}\n---\n\n## Example: one\n\n### Output\n\n\`\`\`yaml\n${output}\n\`\`\`\n\n### Input\n\n\`\`\`yaml\n${input}\n\`\`\`\n`,
    );
  assert.deepEqual(example('verdict: $0', 'scene: x').labels, ['yes', 'no']);
  assert.deepEqual(example('verdict: yes', 'tone: $0').labels, ['grim', 'wry']);
});

test('offers the inputs of a tool in its constraints', () => {
  const files = (constraints: string) => ({
    'skills.config.yaml': 'tools: [{name: find, input_schema: {query: string, limit: integer}}]\n',
    'skills/test.skill.md': `---\ntools:\n  - name: find\n    constraints:\n${constraints}\n---\n`,
  });
  assert.ok(complete(files('      $0')).labels.includes('properties'));
  assert.deepEqual(complete(files('      properties:\n        $0')).labels, ['query', 'limit']);
  assert.ok(complete(files('      properties: {limit: {$0}}')).labels.includes('maximum'));
});
