// biome-ignore-all lint/suspicious/noTemplateCurlyInString: snippets have tab stops in braces.
/** Headings, metadata and references in the body. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { complete } from '../cursor.ts';

const HEAD = `---
name: test
description: A test.
version: 1.0.0
input_schema: {tone: [grim, wry], scene: string, note: string?}
tools: [read_page]
interrupts: [before_exit]
framing: brief
---
`;

const CATALOG = 'tools: [{name: read_page, operation: READ}, {name: write_page}]\nmodels: [anthropic]\n';

const body = (text: string) =>
  complete({
    'skills.config.yaml': CATALOG,
    'skills/other.skill.md': '---\nname: other\n---\n',
    'skills/test.skill.md': HEAD + text,
  });

test('offers artifact kinds with and without common content', () => {
  const { labels, accept } = body('\n## $0\n');
  assert.deepEqual(labels.slice(0, 4), ['Description', 'Approach', 'PromptTemplate', 'Example']);
  assert.equal(accept('Description').slice(HEAD.length), '\n## Description: ${1:name}\n\n$0\n');
  assert.equal(
    accept('Example with tags').slice(HEAD.length),
    '\n## Example: ${1:name}\n```yaml artifact\ntags: [$2]\n```\n\n\n### Input\n\n```yaml\n$3\n```\n\n### Output\n\n$0\n',
  );
  assert.equal(
    body('\n## Des$0\n\nText below.\n').accept('Description').slice(HEAD.length),
    '\n## Description: ${1:name}\n\nText below.\n',
  );
});

test('offers names that references use but no artifact has', () => {
  const text = '\nSee #artifact:lost.\n\n## PromptTemplate: other\n\n{% include "cast list" %}\n\n';
  assert.deepEqual(body(`${text}## PromptTemplate: $0\n`).labels, ['brief', 'cast list', 'lost']);
  assert.deepEqual(body(`${text}## Description: $0\n`).labels, ['lost']);
  assert.match(body(`${text}## PromptTemplate:$0\n`).accept('brief'), /## PromptTemplate: brief\n/);
});

test('offers the sections of an example', () => {
  const { labels, accept } = body('\n## Example: a\n\n### $0\n');
  assert.deepEqual(labels, ['Input', 'Output']);
  assert.match(accept('Input'), /### Input\n\n```yaml\ntone: \$1\nscene: \$2\n```\n\$0\n/);
  assert.deepEqual(body('\n## Example: a\n\n### Input\n\nx\n\n### O$0\n').labels, ['Output']);
  assert.deepEqual(body('\n## Description: a\n\n### $0\n').labels, []);
});

test('offers the metadata keys of the artifact kind', () => {
  const meta = (kind: string, yaml: string) => body(`\n## ${kind}: a\n\`\`\`yaml artifact\n${yaml}\n\`\`\`\n\nText.\n`);
  assert.deepEqual(meta('Description', '$0').labels, ['include_when']);
  assert.deepEqual(meta('Approach', 'to$0').labels, ['include_when', 'tools']);
  assert.deepEqual(meta('Approach', 'tools: [$0]').labels, ['read_page']);
  assert.deepEqual(meta('PromptTemplate', 'model_variant: $0').labels, ['anthropic']);
  assert.deepEqual(meta('Example', 'assertions:\n  - type: $0').labels, [
    'structural',
    'length',
    'pattern',
    'contains',
    'equals',
    'semantic',
  ]);
  assert.ok(meta('Example', 'assertions:\n  - type: structural\n    schema: {a: $0}').labels.includes('string'));
  assert.deepEqual(meta('Description', 'include_when: tone == "$0"').labels, ['grim', 'wry']);
  assert.ok(meta('Description', 'include_when: $0').labels.includes('tone'));
});

test('offers the kinds of references and the names of all targets', () => {
  const { labels, item, accept } = body('\nUse #$0 now.\n\n## Description: a b\n\nText.\n');
  assert.deepEqual(labels.slice(0, 6), [
    '#tool:',
    '#skill:',
    '#interrupt:',
    '#artifact:',
    '#tool:read_page',
    '#interrupt:before_exit',
  ]);
  assert.ok(labels.includes('#skill:other') && labels.includes('#artifact:a b') && !labels.includes('#skill:test'));
  assert.match(item('#tool:read_page').filterText ?? '', /^#read_page/);
  assert.match(accept('#tool:read_page'), /Use #tool:read_page now\./);
});

test('offers names after the kind of a reference, and replaces the whole name', () => {
  assert.deepEqual(body('\nUse #tool:$0\n').labels, ['#tool:read_page', '#tool:write_page']);
  assert.match(body('\nUse #tool:re$0ad-x now.\n').accept('#tool:write_page'), /Use #tool:write_page now\./);
  assert.deepEqual(body('\nUse #artifact:a $0\n\n## Description: a b\n\nText.\n').labels, ['#artifact:a b']);
  assert.deepEqual(body('\nUse #artifact:a b and so$0\n\n## Description: a b\n\nText.\n').labels, []);
});

test('sorts a misspelt declared name last', () => {
  const { labels } = complete({
    'skills.config.yaml': CATALOG,
    'skills/test.skill.md': `${HEAD.replace('[read_page]', '[raed_page, write_page]')}\nUse #tool:$0\n`,
  });
  assert.deepEqual(labels, ['#tool:write_page', '#tool:read_page', '#tool:raed_page']);
});

test('offers surfaces and channels from the catalog', () => {
  const files = (line: string) => ({
    'skills.config.yaml': 'surfaces: [voice, web]\nchannels: [book-one]\n',
    'skills/test.skill.md': `${HEAD.replace('framing', `${line}\nframing`)}\nText.\n`,
  });
  assert.deepEqual(complete(files('surfaces: [$0]')).labels, ['voice', 'web']);
  assert.deepEqual(complete(files('samples: {one: {channel: $0}}')).labels, ['book-one']);
});

test('offers no references inside code, comments, links or words', () => {
  for (const text of ['`#$0`', '```\n#$0\n```', '<!-- #$0 -->', '[a](#$0)', 'C#$0', '\\#$0']) {
    assert.deepEqual(body(`\nText ${text}\n`.replace('Text ```', '```')).labels, [], text);
  }
});

test('offers nothing in prose or in the plain text of templates', () => {
  for (const text of [
    'Some prose$0',
    'A word: $0',
    '- $0',
    '"$0"',
    'x - $0',
    '# Tit$0',
    '### $0',
    '## PromptTemplate: x\n\nHello $0',
    '## PromptTemplate: x\n\nHello {$0',
  ]) {
    assert.deepEqual(body(`\n${text}\n`).labels, [], text);
  }
});
