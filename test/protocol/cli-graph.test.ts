/** `graph`: the composition graph as text for other programs. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertUsageError, folderWith, run, skill } from './cli.ts';

interface GraphJson {
  readonly version: number;
  readonly nodes: readonly { readonly id: string; readonly name: string; readonly stages?: readonly string[][] }[];
  readonly edges: readonly object[];
  readonly cycles: readonly string[][];
}

const FILES = {
  'skills/whole.skill.md': skill(
    'whole',
    'level: 2',
    'composes:',
    '  - {skill: part, as: first}',
    '  - gone',
    'requires: [{skill: part, version: ^1.0.0}]',
  ),
  'skills/part.skill.md': skill('part', 'level: 1', 'effects: [Query]', 'operation: READ'),
  'skills/ring.skill.md': skill('ring', 'level: 2', 'composes: [ring]'),
};

async function graphJson(cwd: string, ...words: string[]): Promise<GraphJson> {
  const { status, stdout, stderr } = await run(cwd, ['graph', '--format', 'json', ...words]);
  assert.deepEqual([status, stderr], [0, '']);
  return JSON.parse(stdout) as GraphJson;
}

describe('skill-composer graph', () => {
  const folder = folderWith(FILES);

  it('prints Mermaid by default, and Graphviz on request', async () => {
    const mermaid = await run(folder, ['graph']);
    assert.deepEqual([mermaid.status, mermaid.stderr], [0, '']);
    assert.match(mermaid.stdout, /^flowchart TB\n/);
    assert.match(mermaid.stdout, /s_whole -->\|"stage 1 · as first · \^1\.0\.0 → 1\.0\.0"\| s_part/);
    assert.match(mermaid.stdout, /s_ring ==>\|"cycle"\| s_ring/);
    const dot = await run(folder, ['graph', '--format', 'dot']);
    assert.match(dot.stdout, /^digraph skills \{\n[\s\S]*s_whole -> s_gone .*dashed[\s\S]*\}\n$/);
  });

  it('prints files and zero-based ranges as JSON', async () => {
    const { version, nodes, edges, cycles } = await graphJson(folder);
    assert.equal(version, 1);
    assert.deepEqual(
      nodes.map(({ id }) => id),
      ['skills/ring.skill.md', 'skills/whole.skill.md', 'unknown:gone', 'skills/part.skill.md'],
    );
    assert.deepEqual(cycles, [['skills/ring.skill.md']]);
    assert.deepEqual(nodes[1]?.stages, [['first'], ['gone']]);
    assert.deepEqual(edges[1], {
      kind: 'composes',
      from: 'skills/whole.skill.md',
      to: 'skills/part.skill.md',
      step: 'first',
      adapter: null,
      as: 'first',
      requires: '^1.0.0',
      version: '1.0.0',
      isAllowed: true,
      stage: 1,
      isInCycle: false,
      isCritical: false,
      file: 'skills/whole.skill.md',
      range: { start: { line: 7, character: 12 }, end: { line: 7, character: 16 } },
    });
  });

  it('shows only the skills that the named skills reach', async () => {
    const { nodes } = await graphJson(folder, 'skills/whole.skill.md');
    assert.deepEqual(
      nodes.map(({ name }) => name),
      ['whole', 'gone', 'part'],
    );
    const { stdout } = await run(folder, ['graph', 'skills/whole.skill.md']);
    assert.match(stdout, /subgraph group_1\["Stage 1"\]\n {4}s_part/);
  });

  it('prints the same bytes every time', async () => {
    const [first, second] = await Promise.all([run(folder, ['graph']), run(folder, ['graph'])]);
    assert.equal(first.stdout, second.stdout);
  });

  for (const [words, message] of [
    ['graph --format pretty', /`--format` does not support `pretty`\. Use one of mermaid, dot, json/],
    ['graph nowhere.skill.md', /`nowhere\.skill\.md` matches no files/],
    ['graph --frmat dot', /Unknown option `--frmat`\. Did you mean `--format`\? Run `skill-composer graph --help`/],
    ['list', /Unknown command `list`\. Run `skill-composer --help`/],
  ] as const) {
    it(`refuses \`${words}\``, async () => assertUsageError(await run(folder, words.split(' ')), message));
  }
});
