/** The snapshot: what it is made of, what it says of changes, and what catalogs read of it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareSnapshots, tellChange } from '../../../server/src/tools/compare.ts';
import {
  editorTool,
  nextSnapshot,
  printSnapshot,
  snapshotTool,
  withEditorTools,
} from '../../../server/src/tools/snapshot.ts';
import { parseSnapshot, type Snapshot, type SnapshotTool } from '../../../server/src/workspace/tool-snapshot.ts';
import { complete } from '../features/cursor.ts';
import { findingsOf, rulesOf, skill, whole } from '../rules/findings.ts';

const tool = (name: string, more: Partial<SnapshotTool> = {}): SnapshotTool => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { properties: { slug: {} } },
  server: 'wiki',
  ...more,
});
const snapshot = (...tools: SnapshotTool[]): Snapshot => ({ servers: [], tools });

describe('nextSnapshot', () => {
  const before: Snapshot = {
    servers: [{ name: 'a', version: '1' }, { name: 'b', version: '2' }, { name: 'old' }],
    tools: [
      tool('of_a', { server: 'a' }),
      tool('of_b', { server: 'b' }),
      tool('of_old', { server: 'old' }),
      { name: 'run', from: 'editor' },
    ],
  };

  it('replaces what has answered, keeps what has not, drops what is configured no more, and leaves the editor its own', () => {
    const next = nextSnapshot(
      before,
      ['new', 'b', 'a'],
      new Map([['a', { version: '3', tools: [tool('z', { server: 'a' })] }]]),
    );
    assert.deepEqual(next.servers, [
      { name: 'a', version: '3' },
      { name: 'b', version: '2' },
      { name: 'new', unknown: true },
    ]);
    assert.deepEqual(
      next.tools.map(({ name }) => name),
      ['of_b', 'run', 'z'],
    );
  });

  it('is printed and read back as it is', () => {
    const next = nextSnapshot(before, ['a', 'c'], new Map());
    assert.deepEqual(parseSnapshot(printSnapshot(next)), next);
  });

  it('takes the tools of the editor in place of those that it had', () => {
    const next = withEditorTools(before, [editorTool({ name: 'search', inputSchema: {} })]);
    assert.deepEqual(
      next.tools.map(({ name, from, server }) => [name, from ?? server]),
      [
        ['of_a', 'a'],
        ['of_b', 'b'],
        ['of_old', 'old'],
        ['search', 'editor'],
      ],
    );
  });
});

it('a tool has its keys in order, no secret, and writes unless it says that it only reads', () => {
  const inputSchema = JSON.parse(
    '{"type": "object", "__proto__": {"b": ["my-secret-value", {"z": 1, "a": null}]}}',
  ) as object;
  const read = snapshotTool(
    'wiki',
    { name: 't', description: 'By my-secret-value.', inputSchema, annotations: { readOnlyHint: true } },
    ['my-secret-value'],
  );
  assert.equal(
    JSON.stringify(read),
    '{"name":"t","description":"By ***.","inputSchema":{"__proto__":{"b":["***",{"a":null,"z":1}]},"type":"object"},"operation":"READ","server":"wiki"}',
  );
  assert.equal(snapshotTool('wiki', { name: 't' }, []).operation, 'WRITE');
});

it('a snapshot that somebody wrote by hand is read as far as it has the right shape', () => {
  assert.equal(parseSnapshot('{"tools": {}}'), undefined);
  assert.equal(parseSnapshot('null'), undefined);
  assert.deepEqual(
    parseSnapshot(
      '{"servers": [5, {"name": "a", "version": 1, "unknown": "yes"}], "tools": [null, {}, {"name": "t", "description": 5, "inputSchema": "x", "operation": "FLY", "server": {}, "from": "x"}]}',
    ),
    { servers: [{ name: 'a' }], tools: [{ name: 't' }] },
  );
});

describe('compareSnapshots', () => {
  const changes = (before: SnapshotTool[], after: SnapshotTool[]) =>
    compareSnapshots(snapshot(...before), snapshot(...after)).map((change) => tellChange(change, []));

  it('says nothing of what is as it was', () => {
    assert.deepEqual(changes([tool('a')], [tool('a')]), []);
  });

  it('finds the new name of a tool by its words, else by its inputs', () => {
    const renamed = '`get` of `wiki` is gone; `fetch` seems to be its new name.';
    assert.deepEqual(changes([tool('get')], [tool('fetch', { description: 'Does get.', inputSchema: {} })]), [renamed]);
    assert.deepEqual(changes([tool('get')], [tool('fetch')]), [renamed]);
    assert.deepEqual(
      changes([tool('get', { inputSchema: {} })], [tool('fetch', { inputSchema: {}, server: 'other' })]),
      ['`get` of `wiki` is gone.', '`fetch` of `other` is new.'],
    );
  });

  it('names inputs that are required now, inputs that are gone, and what a tool does now', () => {
    const before = tool('a', { operation: 'READ', inputSchema: { properties: { x: {}, y: {} }, required: ['x'] } });
    const after = tool('a', {
      operation: 'WRITE',
      description: 'More.',
      inputSchema: { properties: { x: {}, z: {} }, required: ['x', 'z'] },
    });
    assert.deepEqual(changes([before], [after]), [
      '`a` of `wiki` requires `z` now: calls without fail.',
      '`a` of `wiki` has no `y` any more.',
      '`a` of `wiki` writes now, and only read before.',
      'The description of `a` of `wiki` has changed: read it, since models act on it.',
    ]);
  });

  it('knows the same name of two servers apart', () => {
    assert.deepEqual(changes([tool('a', { server: 'one' }), tool('a')], [tool('a')]), ['`a` of `one` is gone.']);
  });
});

describe('a catalog with a snapshot', () => {
  const files = (frontmatter: string) => ({
    'skills.config.yaml': 'tools: [{from: .mcp.json}]\n',
    'skills.tools.json': JSON.stringify({
      tools: [
        {
          name: 'read_page',
          description: 'Reads.',
          inputSchema: { type: 'object', properties: { slug: { type: 'string' } } },
          operation: 'READ',
          server: 'wiki',
        },
        { name: 'run_tests', from: 'editor' },
      ],
    }),
    'a.skill.md': `---\nname: a\n${frontmatter}\n---\n`,
  });

  it('leaves names alone while servers have not been asked, as where the editor alone has given tools', () => {
    const wiki = { name: 'read_page', server: 'wiki' };
    const editor = { name: 'run_tests', from: 'editor' };
    const judged = (snapshot: object, source = '{from: .mcp.json}') =>
      rulesOf(
        findingsOf('a.skill.md', skill(...whole, 'tools: [reed_page]'), {
          'skills.config.yaml': `tools: [${source}]\n`,
          'skills.tools.json': JSON.stringify(snapshot),
        }),
      ).includes('unknown-tool');
    assert.equal(judged({ servers: [{ name: 'wiki' }], tools: [wiki, editor] }), true);
    assert.equal(judged({ servers: [{ name: 'wiki', unknown: true }], tools: [editor] }), false);
    assert.equal(judged({ servers: [], tools: [editor] }), false);
    assert.equal(judged({ servers: [{ name: 'wiki' }], tools: [wiki] }, '{from: .mcp.json, servers: [wiki]}'), true);
    assert.equal(judged({ servers: [{ name: 'wiki' }], tools: [wiki] }, '{from: .mcp.json, servers: [new]}'), false);
  });

  it('offers its tools, marked by where they come from', () => {
    const { item } = complete(files('tools: [$0]'));
    assert.equal(item('read_page').detail, 'READ · wiki');
    assert.equal(item('run_tests').detail, 'the editor');
  });

  it('offers the servers that it knows where the catalog names some of a file', () => {
    const servers = [{ name: 'wiki', version: '1.2.3' }, { name: 'two words' }];
    const offered = (catalog: string) =>
      complete({ 'skills.tools.json': JSON.stringify({ servers, tools: [] }), 'skills.config.yaml': catalog });
    const { item, accept } = offered('tools:\n  - from: .mcp.json\n    servers: [$0]\n');
    assert.equal(item('wiki').detail, '1.2.3');
    assert.match(accept('two words'), /servers: \[two words\]/);
    assert.match(offered('tools:\n  - from: .mcp.json\n    servers: $0\n').accept('wiki'), /servers: \[wiki\]/);
    assert.ok(!offered('tools:\n  - from: .mcp.json\n    servers: [wiki, $0]\n').labels.includes('wiki'));
  });

  it('offers the inputs of a tool for its constraints', () => {
    const { labels } = complete(files('tools:\n  - {name: read_page, constraints: {properties: {$0}}}'));
    assert.ok(labels.includes('slug'), labels.join());
  });
});
