/** The snapshot: its contents, its report of changes, and the tools that catalogs read from it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareSnapshots, describeChange } from '../../../server/src/tools/compare.ts';
import {
  editorTool,
  nextSnapshot,
  printSnapshot,
  snapshotTool,
  withEditorTools,
} from '../../../server/src/tools/snapshot.ts';
import {
  faultyTools,
  parseSnapshot,
  type Snapshot,
  type SnapshotTool,
} from '../../../server/src/workspace/tool-snapshot.ts';
import { complete } from '../features/cursor.ts';
import { findingsOf, rulesOf, skill, wholeText } from '../rules/findings.ts';

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

  it('replaces the tools of servers that responded, keeps others, and drops servers without a configuration', () => {
    const next = nextSnapshot(
      before,
      ['new', 'b', 'a'],
      new Map([['a', { version: '3', tools: [tool('z', { server: 'a' })], invalid: [] }]]),
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

  it('returns a snapshot that can be printed and read without loss', () => {
    const next = nextSnapshot(before, ['a', 'c'], new Map());
    assert.deepEqual(parseSnapshot(printSnapshot(next)), { ...next, faulty: faultyTools(next) });
  });

  it("masks strings that look like tokens in the editor's tools", () => {
    const leaking = editorTool({ name: 'search', description: 'With AKIAQ7ZJ4XVM2TNLK5RB.' });
    assert.equal(withEditorTools(undefined, [leaking]).tools[0]?.description, 'With ***.');
  });

  it("replaces the editor's tools", () => {
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

it('a tool in a snapshot has sorted keys, and the operation WRITE unless it is read-only', () => {
  const inputSchema = JSON.parse(
    '{"type": "object", "__proto__": {"b": ["some-value", {"z": 1, "a": null}]}}',
  ) as object;
  const read = snapshotTool('wiki', {
    name: 't',
    description: 'Reads.',
    inputSchema,
    outputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
  });
  assert.equal(
    JSON.stringify(read),
    '{"name":"t","description":"Reads.","inputSchema":{"__proto__":{"b":["some-value",{"a":null,"z":1}]},"type":"object"},"outputSchema":{"properties":{},"type":"object"},"operation":"READ","server":"wiki"}',
  );
  assert.equal(snapshotTool('wiki', { name: 't' }).operation, 'WRITE');
});

it('reads the valid parts of a snapshot', () => {
  assert.equal(parseSnapshot('{"tools": {}}'), undefined);
  assert.equal(parseSnapshot('null'), undefined);
  assert.deepEqual(
    parseSnapshot(
      '{"servers": [5, {"name": "a", "version": 1, "unknown": "yes"}], "tools": [null, {}, {"name": "t", "description": 5, "inputSchema": "x", "outputSchema": null, "operation": "FLY", "server": {}, "from": "x"}]}',
    ),
    { servers: [{ name: 'a' }], tools: [{ name: 't' }], faulty: [] },
  );
  const invalid =
    '[{"name": "x", "problem": "p", "faults": [{"kind": "no-input", "at": ""}, {"kind": "fly", "at": ""}]}, 5]';
  assert.deepEqual(parseSnapshot(`{"servers": [{"name": "a", "invalid": ${invalid}}], "tools": []}`)?.faulty, [
    { server: 'a', name: 'x', faults: [{ kind: 'no-input', at: '' }] },
  ]);
  const nested = (levels: number) => `${'{"not":'.repeat(levels)}{}${'}'.repeat(levels)}`;
  const withDepth = (levels: number) => parseSnapshot(`{"tools": [{"name": "t", "inputSchema": ${nested(levels)}}]}`);
  assert.equal(withDepth(100)?.tools.length, 1);
  assert.deepEqual(
    [101, 5000].map((levels) => withDepth(levels)?.tools),
    [[], []],
    'too deep for recursive code',
  );
});

describe('compareSnapshots', () => {
  const changes = (before: SnapshotTool[], after: SnapshotTool[]) =>
    compareSnapshots(snapshot(...before), snapshot(...after)).map((change) => describeChange(change, []));

  it('reports nothing for unchanged tools', () => {
    assert.deepEqual(changes([tool('a')], [tool('a')]), []);
  });

  it('finds the new name of a tool by its description or its inputs', () => {
    const renamed = '`get` of `wiki` was removed. It may have been renamed to `fetch`.';
    assert.deepEqual(changes([tool('get')], [tool('fetch', { description: 'Does get.', inputSchema: {} })]), [renamed]);
    assert.deepEqual(changes([tool('get')], [tool('fetch')]), [renamed]);
    assert.deepEqual(
      changes([tool('get', { inputSchema: {} })], [tool('fetch', { inputSchema: {}, server: 'other' })]),
      ['`get` of `wiki` was removed.', '`fetch` of `other` is new.'],
    );
  });

  it('reports new required inputs, removed inputs, and a changed operation', () => {
    const before = tool('a', { operation: 'READ', inputSchema: { properties: { x: {}, y: {} }, required: ['x'] } });
    const after = tool('a', {
      operation: 'WRITE',
      description: 'More.',
      inputSchema: { properties: { x: {}, z: {} }, required: ['x', 'z'] },
    });
    assert.deepEqual(changes([before], [after]), [
      '`a` of `wiki` now requires `z`. Calls that omit it fail.',
      '`a` of `wiki` no longer has `y`.',
      '`a` of `wiki` now writes. Before, it only read.',
      'The description of `a` of `wiki` has changed. Review it, because models rely on it.',
    ]);
  });

  it('distinguishes two tools with the same name on different servers', () => {
    assert.deepEqual(changes([tool('a', { server: 'one' }), tool('a')], [tool('a')]), ['`a` of `one` was removed.']);
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

  it('does not check tool names if a server is unknown, or if only the editor has tools', () => {
    const wiki = { name: 'read_page', server: 'wiki' };
    const editor = { name: 'run_tests', from: 'editor' };
    const judged = (snapshot: object, source = '{from: .mcp.json}') =>
      rulesOf(
        findingsOf('a.skill.md', skill(...wholeText, 'tools: [reed_page]'), {
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

  it('offers its tools with their source', () => {
    const { item } = complete(files('tools: [$0]'));
    assert.equal(item('read_page').detail, 'READ · wiki');
    assert.equal(item('run_tests').detail, 'the editor');
  });

  it('offers the servers in the snapshot for `servers`', () => {
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
