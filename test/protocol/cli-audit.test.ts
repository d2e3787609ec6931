/** `audit`: the review of a registry. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertUsageError, folderWith, run, write } from './cli.ts';

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
  'odd.jsonl': '{"skill": "by-name", "version": 2}\n',
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

  describe('--calls with versions', () => {
    const version = (number: string, more = '') =>
      `name: cn\ndescription: Canary test.\nversion: ${number}\nowner: t\ninput_schema: {q: string}\noutput_schema: {t: string}\npolicy: {budget: {p95_ms: 300, p99_ms: 800}}\n${more}`;
    const two = folderWith({
      'skills.config.yaml': 'surfaces: [chat, voice]\n',
      'one.skill.yaml': version('1.0.0'),
      'two.skill.yaml': version('2.0.0', 'surfaces: [{name: chat, canary_percent: 5}]\n'),
    });
    const measured = async (...lines: object[]) => {
      write(two, 'calls.jsonl', lines.map((line) => JSON.stringify({ skill: 'cn', ...line })).join('\n'));
      const words = ['audit', '--calls', 'calls.jsonl', '--fail-on', 'warning', '--format', 'json'];
      const { status, stdout, stderr } = await run(two, words);
      const notes = (JSON.parse(stdout) as AuditJson).upkeep.map(({ file, why }) => `${file} ${why}`);
      return { status, stderr, notes };
    };
    const canary = { version: '2.0.0', calls_per_day: 200 };
    const main = { version: '1.0.0', calls_per_day: 4000, p95_ms: 100 };

    it('compares each version with its own budget, in any order of the lines', async () => {
      const slow = { ...canary, p95_ms: 900 };
      for (const lines of [
        [slow, main],
        [main, slow],
      ]) {
        const { status, notes } = await measured(...lines);
        assert.deepEqual([status, notes], [1, ['two.skill.yaml takes 900 ms (p95), but declares 300 ms']]);
      }
      assert.deepEqual(await measured({ ...canary, p95_ms: 200 }, main), { status: 0, stderr: '', notes: [] });
    });

    it('names the surface, and adds up the calls on all surfaces', async () => {
      const chat = { version: '1.0.0', surface: 'chat', calls_per_day: 60, p95_ms: 400 };
      const { notes } = await measured(canary, chat, { ...chat, surface: 'voice', p95_ms: 100 });
      assert.deepEqual(notes, ['one.skill.yaml takes 400 ms (p95) on `chat`, but declares 300 ms']);
    });

    it('takes a line without a version for the version to which the name refers', async () => {
      const { status, notes } = await measured({ calls_per_day: 4000, p95_ms: 900 });
      assert.deepEqual([status, notes], [1, ['one.skill.yaml takes 900 ms (p95), but declares 300 ms']]);
    });

    it('reports a version that was not called, unknown versions, surfaces and skills', async () => {
      assert.deepEqual((await measured(main)).notes, ['two.skill.yaml was not called']);
      const unknown = await measured(main, canary, { version: '3.0.0', p95_ms: 1 }, { ...canary, surface: 'voice' });
      assert.deepEqual(unknown.notes, [
        'one.skill.yaml is measured in version `3.0.0`, which does not exist',
        'two.skill.yaml is measured on the surface `voice`, which does not offer it',
      ]);
      const other = await measured(main, canary, { ...main, surface: 'voise' }, { skill: 'cm' });
      assert.deepEqual(other.notes, ['one.skill.yaml is measured on the surface `voise`, which does not offer it']);
      assert.match(other.stderr, /`--calls`: unknown skill `cm`\. Did you mean `cn`\?/);
    });
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
    [['--calls', 'odd.jsonl'], /`--calls odd\.jsonl`, line 1: write each line as `{"skill": "NAME"/],
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
