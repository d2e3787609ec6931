/** `audit`: the review of a registry. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertUsageError, folderWith, run } from './cli.ts';

const skill = (name: string, description: string, ...keys: readonly string[]): string =>
  ['---', `name: ${name}`, `description: ${description}`, 'version: 1.0.0', ...keys, '---', '', 'Do it.', ''].join(
    '\n',
  );

const FILES = {
  'by-name.skill.md': skill(
    'by-name',
    'Finds a title in the shop by its name.',
    'owner: us',
    'trigger_phrases: [find it]',
  ),
  'by-author.skill.md': skill('by-author', 'Finds a title in the shop by its author.'),
  'service.skill.yaml':
    'name: service\ndescription: Sends mail.\nversion: 1.0.0\ninput_schema: {to: string}\nbacking_service: {endpoint: "https://example.org"}\n',
  'merge/SKILL.md': '---\nname: merge\ndescription: Merges meeting notes into one list of decisions.\n---\n\nMerge.\n',
  'calls.jsonl':
    '{"skill": "by-name", "calls_per_day": 3, "p95_ms": 20}\n\n{"skill": "by-author", "calls_per_day": 3000}\n',
  'two.jsonl':
    '{"name": "by-name", "vector": [1, 0]}\n{"name": "service", "vector": [1, 0.1]}\n{"name": "merge", "vector": [0, 1]}\n',
  'short.jsonl': '{"name": "by-name", "vector": [1, 0]}\n{"name": "merge", "vector": [1]}\n',
  'no.jsonl': '{"name": "by-name", "vector": [1, 0]}\nnot json\n',
};

interface AuditJson {
  readonly overlap: readonly {
    readonly a: string;
    readonly b: string;
    readonly similarity: number;
    readonly shared: readonly string[];
  }[];
  readonly upkeep: readonly { readonly skill: string; readonly file: string; readonly why: string }[];
  readonly contracts: readonly { readonly skill: string; readonly file: string; readonly missing: readonly string[] }[];
}

describe('skill-composer audit', () => {
  const folder = folderWith(FILES);
  const auditJson = async (
    ...words: string[]
  ): Promise<AuditJson & { readonly status: number | null; readonly stderr: string }> => {
    const { status, stdout, stderr } = await run(folder, ['audit', '--format', 'json', ...words]);
    return { ...(JSON.parse(stdout) as AuditJson), status, stderr };
  };

  it('reports overlapping skills, maintenance tasks and incomplete contracts', async () => {
    const { overlap, upkeep, contracts, status } = await auditJson();
    assert.equal(status, 1);
    assert.deepEqual(
      overlap.map(({ a, b }) => [a, b]),
      [['by-author', 'by-name']],
    );
    assert.deepEqual([...(overlap[0]?.shared ?? [])].sort(), ['Finds', 'shop', 'title']);
    assert.deepEqual(
      upkeep.filter(({ skill }) => skill === 'by-author').map(({ why }) => why),
      ['has no owner', 'is not used by other skills, and has no triggers, routing cases or samples'],
    );
    assert.deepEqual(
      contracts.map(({ skill, file }) => [skill, file]),
      [['service', 'service.skill.yaml']],
    );
    assert.ok(contracts[0]?.missing.includes('policy.timeout_ms'));
  });

  it('exits with 1 if a finding has the severity of --fail-on', async () => {
    assert.equal((await auditJson('by-name.skill.md')).status, 0);
    assert.equal((await auditJson('by-author.skill.md', '--fail-on', 'info')).status, 1);
  });

  it('compares the given embeddings, and names the skills without an embedding', async () => {
    const { overlap, stderr } = await auditJson('--vectors', 'two.jsonl');
    assert.deepEqual(
      overlap.map(({ a, b, similarity }) => [a, b, similarity]),
      [['by-name', 'service', 0.99]],
    );
    assert.match(stderr, /`by-author`: not checked for overlap, because `--vectors` has no vector with this name/);
  });

  it('uses measured calls instead of an estimate from the workspace', async () => {
    const { upkeep } = await auditJson('--calls', 'calls.jsonl');
    assert.deepEqual(
      upkeep.filter(({ why }) => why.includes('call')).map(({ skill, why }) => `${skill} ${why}`),
      ['by-name is called 3 times a day, fewer than 100', 'service was not called'],
    );
  });

  it('prints a synthetic input that matches the schema of a skill', async () => {
    const { stdout } = await run(folder, ['audit', '--synthetic', 'service']);
    assert.deepEqual(JSON.parse(stdout), { to: '«to»' });
  });

  it('prints text or Markdown', async () => {
    const { stdout } = await run(folder, ['audit']);
    assert.match(stdout, /0\.\d\d {2}by-author by-author\.skill\.md\n {8}by-name by-name\.skill\.md\n {8}in both: /);
    assert.match(stdout, /\n4 skills: 1 overlap, \d+ upkeep notes, 1 incomplete contract\.\n$/);
    const markdown = await run(folder, ['audit', '--format', 'markdown']);
    assert.match(markdown.stdout, /\| by-author \| by-name \| 0\.\d\d \| .*title.* \|\n/);
  });

  for (const [words, message] of [
    [
      ['--vectors', 'short.jsonl'],
      /`--vectors short\.jsonl`, line 2: the vector has 1 numbers, but the first one has 2/,
    ],
    [['--vectors', 'no.jsonl'], /`--vectors no\.jsonl`, line 2: write each line as `{"name": "NAME", "vector"/],
    [['--vectors', 'none.jsonl'], /`--vectors none\.jsonl` cannot be read: it does not exist/],
    [['--calls', 'two.jsonl'], /`--calls two\.jsonl`, line 1: write each line as `{"skill": "NAME"/],
    [['--calls', '.'], /`--calls \.` cannot be read: it is/],
    [['--threshold', '0'], /`--threshold 0` is not a number above 0 and up to 1/],
    [['--synthetic', 'servise'], /unknown skill `servise`\. Did you mean `service`\?/],
    [['--synthetic', 'merge'], /the skill has no valid `input_schema`/],
  ] as const) {
    it(`refuses ${words.join(' ')}`, async () => {
      assertUsageError(await run(folder, ['audit', ...words]), message);
    });
  }
});
