// biome-ignore-all lint/suspicious/noTemplateCurlyInString: snippets have tab stops in braces.
/** Keys and values of the catalog. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { complete } from '../cursor.ts';

test('offers the keys and values of the catalog', () => {
  const catalog = (text: string) => complete({ 'skills.config.yaml': text });
  assert.deepEqual(catalog('tools: []\nsc$0\n').labels.slice(0, 2), ['scopes', 'roles']);
  assert.ok(catalog('tools:\n  - name: x\n    $0\n').labels.includes('operation'));
  assert.deepEqual(catalog('tools:\n  - name: x\n    operation: $0\n').labels, ['TRANSFORM', 'READ', 'WRITE']);
  assert.ok(catalog('interrupts: [{name: x, node: $0}]\n').labels.includes('check_exit'));
  assert.ok(catalog('rules:\n  unk$0\n').labels.includes('unknown-tool'));
  assert.ok(catalog('rules:\n  unknown-tool: $0\n').labels.includes('off'));
  assert.deepEqual(catalog('tools:\n  - {name: x}\nprofiles:\n  - name: p\n    tools: [$0]\n').labels, ['x']);
  assert.deepEqual(catalog('models: [a, {name: x, $0}]\n').labels, ['family']);
  assert.deepEqual(catalog('models: [a, {name: x, family: b}, {name: y, family: $0}]\n').labels, ['b', 'a', 'x', 'y']);
  assert.ok(catalog('tools:\n  - name: x\n    input_schema:\n      slug: $0\n').labels.includes('string[]'));
});

test('offers the ids of clients and their tool names in the catalog', () => {
  const targets = (text: string) =>
    complete({ 'skills.config.yaml': `tools: [{name: read_page}]\nagent_skills: ${text}\n` });
  assert.deepEqual(targets('{$0}').labels, ['clients', 'only', 'model', 'tools']);
  assert.deepEqual(targets('{clients: [claude-code, $0]}').labels.slice(0, 2), ['claude-ai', 'vscode']);
  assert.equal(targets('{clients: $0}').accept('codex').split('\n')[1], 'agent_skills: {clients: [codex]}');
  assert.ok(targets('\n  tools:\n    $0').labels.includes('gemini-cli'));
  const named = targets('\n  tools:\n    claude-code:\n      $0');
  assert.deepEqual(named.labels, ['read_page']);
  assert.match(named.accept('read_page'), / {6}read_page: /);
  assert.ok(targets('{tools: {gemini-cli: {read_page: $0}}}').labels.includes('read_many_files'));
  assert.deepEqual(targets('{tools: {claude-ai: {read_page: $0}}}').labels, [], 'no document names its tools');
});

test('offers the servers in the file that `from` names, even before their tools are pulled', () => {
  const files = {
    '.vscode/mcp.json': '{"servers": {"wiki": {"command": "wiki"}, "git-hub": {"url": "https://example.com"}}}',
    'mcp.json': '{"mcpServers": {"other": {"command": "other"}}}',
    'skills.tools.json':
      '{"version": 1, "servers": [{"name": "wiki", "version": "2.1.0"}, {"name": "gone"}], "tools": []}',
  };
  const servers = (text: string) => complete({ ...files, 'skills.config.yaml': `tools:\n  - from: mcp.json\n${text}` });
  const made = servers('  - from: .vscode/mcp.json\n    servers: [$0]\n');
  assert.deepEqual([...made.labels].sort(), ['git-hub', 'wiki']);
  assert.equal(made.item('wiki').detail, '2.1.0');
  assert.deepEqual(servers('  - {from: .vscode/mcp.json, servers: [wiki, $0]}\n').labels, ['git-hub']);
  assert.deepEqual(servers('    servers:\n      - $0\n').labels, ['other']);
  // Files that are not beside the catalog are not read.
  assert.deepEqual([...servers('  - from: ~/.cursor/mcp.json\n    servers: [$0]\n').labels].sort(), ['gone', 'wiki']);
});
