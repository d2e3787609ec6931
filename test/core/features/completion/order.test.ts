/** The order of items: first the items that the position requires, then valid items nearby, then the rest. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { complete } from '../cursor.ts';

const atomic = (name: string, more = '') =>
  `---\nname: ${name}\ndescription: ${name}.\nversion: 1.0.0\n${more}input_schema: {}\noutput_schema: {}\n---\nText.\n`;

const WORLD = {
  'skills.config.yaml': 'tools: []\n',
  'mistakes/skills.config.yaml': 'tools: []\n',
  'mistakes/a-first-mistake.skill.md': atomic('a-first-mistake'),
  'skills/maps/atlas.skill.md': atomic('atlas'),
  'skills/maps/aged.skill.md': atomic('aged', 'deprecated: true\n'),
  'skills/scenes/broken.skill.md': '---\nname: broken\nversion: [1\n---\nText.\n',
  'skills/scenes/between.skill.md': atomic('between', 'level: 2\ncomposes: [no-such-skill]\n'),
  'skills/scenes/unversioned.skill.md': '---\nname: unversioned\n---\nText.\n',
  'skills/scenes/write-scene.skill.md': atomic('write-scene'),
};

const EXPECTED = ['write-scene', 'atlas', 'a-first-mistake', 'aged', 'between', 'broken', 'unversioned'];

test('sorts skills by distance, from the same folder to other catalogs, and puts faulty skills last', () => {
  const own = '---\nname: own\nversion: 1.0.0\nlevel: 3\ncomposes:\n  - $0\n---\n';
  const { labels } = complete({ ...WORLD, 'skills/scenes/own.skill.md': own });
  assert.deepEqual(
    labels.filter((label) => EXPECTED.includes(label)),
    EXPECTED,
  );
});

test('sorts skills in prose by the same criteria as in `composes`', () => {
  const own = '---\nname: own\nversion: 1.0.0\n---\nSee #skill:$0\n';
  assert.deepEqual(
    complete({ ...WORLD, 'skills/scenes/own.skill.md': own }).labels,
    EXPECTED.map((name) => `#skill:${name}`),
  );
});

test('sorts mandatory keys before optional keys', () => {
  const { item } = complete('---\n$0\n---\n');
  assert.equal(item('name').sortText?.[0], '1');
  assert.equal(item('tags').sortText?.[0], '4');
});

test('offers the key that a value requires first, and no key of another value or another spelling', () => {
  const keysIn = (above: string, indent = '  ') =>
    complete(`---\nname: a\n${above}\n${indent}$0\n---\n`).labels.slice(0, 4);
  assert.deepEqual(keysIn('retry:'), ['max_attempts', 'backoff', 'retry_on']);
  assert.deepEqual(keysIn('retry:\n  attempts: 2'), ['backoff', 'retry_on']);
  assert.deepEqual(keysIn('exit:'), ['on']);
  assert.deepEqual(keysIn('exit:\n  on: interrupt'), ['name']);
  const assertion = (text: string) =>
    keysIn(`samples:\n  a:\n    expect:\n      prompt:\n        - ${text}`, ' '.repeat(10));
  assert.deepEqual(assertion('severity: hard'), ['type']);
  assert.deepEqual(assertion('type: contains'), ['value', 'severity']);
  assert.deepEqual(assertion('type: structural'), ['schema', 'severity']);
  assert.deepEqual(assertion('type: semantic\n          prompt: Is it right?'), ['expected', 'severity']);
});

test('inserts `$schema` with its value', () => {
  const text = complete('---\nname: a\ninput_schema:\n  $0\n  type: object\n---\n').accept('$schema');
  assert.match(
    text,
    /\n {2}\\\$schema: \$\{1\|https:\/\/json-schema\.org\/draft\/2020-12\/schema,.*\|\}\n {2}type: object/,
  );
});

test('offers no key of a schema for another type', () => {
  const keysOf = (type: string) =>
    complete(`---\nname: a\ninput_schema:\n  x:\n    type: ${type}\n    $0\n---\n`).labels;
  for (const [type, fits, other] of [
    ['integer', 'max', 'regex'],
    ['string', 'regex', 'items'],
    ['string[]', 'items', 'regex'],
    ['object', 'properties', 'min'],
  ] as const) {
    const labels = keysOf(type);
    assert.ok(labels.includes(fits) && labels.includes('description') && !labels.includes(other), `${type}: ${labels}`);
  }
});
