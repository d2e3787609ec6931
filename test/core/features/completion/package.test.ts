/** Completion in legacy packages: accepted items are JSON. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { complete } from '../cursor.ts';

const CATALOG = 'tools: [{name: read_page, operation: READ}, {name: write_page, operation: WRITE}]\n';
const inPackage = (text: string) => complete({ 'skills.config.yaml': CATALOG, 'skills/old.skill.json': text });

const SHELL = (artifact: string): string =>
  `{\n  "name": "Old",\n  "artifacts": [\n    {"kind": "prompt_template", "name": "Check Prompt", "content": "x"},\n    ${artifact}\n  ]\n}\n`;

test('offers missing keys of a package in quotes, mandatory keys first', () => {
  const { labels, accept } = inPackage('{\n  "name": "Old",\n  "$0"\n}\n');
  assert.deepEqual(labels.slice(0, 2), ['description', 'artifacts']);
  assert.ok(!labels.includes('name'));
  assert.equal(accept('description'), '{\n  "name": "Old",\n  "description": "$1"\n}\n');
  assert.equal(accept('tags'), '{\n  "name": "Old",\n  "tags": [$1]\n}\n');
});

test('offers a key before its quotes are typed, and adds a comma before another key', () => {
  assert.equal(
    inPackage('{\n  $0\n  "name": "Old"\n}\n').accept('version'),
    '{\n  "version": "$1",\n  "name": "Old"\n}\n',
  );
  assert.equal(inPackage('{"vers$0": "1.0.0"}').accept('version'), '{"version": "1.0.0"}');
});

test('offers the keys of an artifact, and all kinds including retired kinds', () => {
  const { labels } = inPackage(SHELL('{"$0"}'));
  assert.ok(
    ['kind', 'name', 'content', 'ordinal', 'metadata'].every((key) => labels.includes(key)),
    labels.join(),
  );
  const kinds = inPackage(SHELL('{"kind": "$0"}'));
  assert.deepEqual([...kinds.labels].sort(), [
    'approach',
    'code_template',
    'description',
    'dspy_module',
    'example',
    'prompt_template',
  ]);
  assert.equal(kinds.accept('approach'), SHELL('{"kind": "approach"}'));
  assert.equal(inPackage(SHELL('{"kind": $0}')).accept('approach'), SHELL('{"kind": "approach"}'));
});

test('offers the values of `source`', () => {
  assert.deepEqual([...inPackage('{"source": "$0"}').labels].sort(), ['community', 'system', 'user']);
});

test('offers metadata keys for the kind, tools from the catalog, and templates from the package', () => {
  const approach = (metadata: string) =>
    SHELL(`{"kind": "approach", "name": "How", "content": "x", "metadata": ${metadata}}`);
  assert.deepEqual([...inPackage(approach('{"$0"}')).labels].sort(), ['include_when', 'tools']);
  const tools = inPackage(approach('{"tools": ["$0"]}'));
  assert.deepEqual([...tools.labels].sort(), ['read_page', 'write_page']);
  assert.equal(tools.accept('read_page'), approach('{"tools": ["read_page"]}'));
  const fallback = inPackage(SHELL('{"kind": "dspy_module", "metadata": {"fallback_artifact": "$0"}}'));
  assert.deepEqual(fallback.labels, ['Check Prompt']);
  assert.equal(
    fallback.accept('Check Prompt'),
    SHELL('{"kind": "dspy_module", "metadata": {"fallback_artifact": "Check Prompt"}}'),
  );
});

test('escapes quotes in a name only once', () => {
  const package_ = (tools: string) =>
    SHELL(`{"kind": "approach", "name": "How", "content": "x", "metadata": {"tools": [${tools}]}}`);
  const files = { 'skills.config.yaml': `tools: [{name: 'say "hi"'}]\n`, 'a.skill.json': package_('"$0"') };
  assert.equal(complete(files).accept('say "hi"'), package_(JSON.stringify('say "hi"')));
});

test('offers nothing in free text', () => {
  assert.deepEqual(inPackage('{"description": "$0"}').labels, []);
  assert.deepEqual(inPackage(SHELL('{"name": "$0"}')).labels, []);
});

test('finds the keys at a cursor after line breaks, brackets and unclosed strings', () => {
  const lines = '{\n  "artifacts": [\n    {\n      "kind": "example",\n      "na$0\n    }\n  ],\n  "name": "Old"\n}\n';
  assert.deepEqual([...inPackage(lines).labels].slice(0, 2), ['name', 'content']);
  const braces = '{"name": "a } ] {", "artifacts": [{}, {"kind": "exa$0"}]}';
  assert.ok(inPackage(braces).labels.includes('example'));
  assert.deepEqual(inPackage('{"name": "Old" $0}').labels, []);
  assert.deepEqual(inPackage('{"name": "Old"}$0').labels, []);
});
