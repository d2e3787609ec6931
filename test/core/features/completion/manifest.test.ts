/** Completion in the manifests of plugins: accepted items are JSON. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { complete, hoverAt } from '../cursor.ts';

const inPlugin = (text: string) => complete({ '.claude-plugin/plugin.json': text });

test('offers the keys of a plugin, the missing mandatory key first', () => {
  const { labels, accept } = inPlugin('{\n  "$0"\n}\n');
  assert.equal(labels[0], 'name');
  assert.ok(labels.includes('skills') && labels.includes('userConfig'), labels.join());
  assert.ok(!labels.includes('source'));
  assert.equal(accept('keywords'), '{\n  "keywords": [$1]\n}\n');
});

test('offers the keys of an author, and nothing in the metadata of the author', () => {
  assert.deepEqual([...inPlugin('{"name": "x", "author": {"$0"}}').labels].sort(), ['email', 'name', 'url']);
  assert.deepEqual(inPlugin('{"name": "x", "metadata": {"$0"}}').labels, []);
});

test('offers the keys of an entry and the kinds of its source', () => {
  const inMarketplace = (text: string) => complete({ '.claude-plugin/marketplace.json': text });
  const keys = inMarketplace('{"plugins": [{"$0"}]}').labels;
  assert.ok(
    ['name', 'source', 'strict', 'tags'].every((key) => keys.includes(key)),
    keys.join(),
  );
  const kinds = inMarketplace('{"plugins": [{"name": "x", "source": {"source": "$0"}}]}');
  assert.ok(kinds.labels.includes('git-subdir'), kinds.labels.join());
});

test('offers events and types of hooks', () => {
  const inHooks = (text: string) => complete({ 'hooks/hooks.json': text });
  assert.ok(inHooks('{"hooks": {"$0"}}').labels.includes('PostToolUse'));
  const types = inHooks('{"hooks": {"Stop": [{"hooks": [{"type": "$0"}]}]}}');
  assert.deepEqual([...types.labels].sort(), ['agent', 'command', 'http', 'mcp_tool', 'prompt']);
});

test('offers the keys of an extension', () => {
  assert.ok(complete({ 'gemini-extension.json': '{"$0"}' }).labels.includes('contextFileName'));
  assert.ok(!complete({ 'gemini-extension.json': '{"$0"}' }).labels.includes('skills'));
});

test('explains a key of a manifest with an example in JSON', () => {
  const hover = hoverAt({ '.claude-plugin/plugin.json': '{"name": "x", "ski$0lls": "./more"}' });
  assert.match(
    hover?.text ?? '',
    /Paths of folders with skills[\s\S]*"skills": \["\.\/more-skills"\][\s\S]*manifest of a plugin/,
  );
});
