/** `catalog`: the skills that a planner can choose from. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { assertUsageError, folderWith, run } from './cli.ts';

const skill = (name: string, ...keys: readonly string[]): string =>
  [
    '---',
    `name: ${name}`,
    `description: Does ${name}. And more.`,
    'version: 1.0.0',
    ...keys,
    '---',
    '',
    'Do it.',
    '',
  ].join('\n');

const FILES = {
  'skills.config.yaml':
    'roles: {writer: [], reader: []}\nprofiles: [{name: ada, role: reader}]\npermissions: {locked: {enabled: false}, quiet: {channels: [one]}}\n',
  'quiet.skill.md': skill(
    'quiet',
    'input_schema: {page: string, tone: string, length: integer, reader: string, language: string, title: string}',
    'owner: the desk',
  ),
  'locked.skill.md': skill('locked'),
  'writers.skill.md': skill('writers', 'allowed_roles: [writer]'),
  'broken.skill.md': '---\nname: [broken\n---\n',
  'old.skill.md': skill('old', 'deprecated: {use: quiet}'),
};

const headsOf = (text: string): readonly string[] => [...text.matchAll(/^## (.*)$/gm)].map(([, name = '']) => name);

describe('skill-composer catalog', () => {
  const folder = folderWith(FILES);

  it('prints a prompt with the callable skills, sorted by name', async () => {
    const { status, stdout, stderr } = await run(folder, ['catalog']);
    assert.deepEqual([status, stderr, headsOf(stdout)], [0, '', ['quiet', 'writers']]);
    assert.match(stdout, /## quiet\nDoes quiet\.\ninput: {"page":"string",/);
  });

  it('leaves out skills that the caller in --profile may not use', async () => {
    const { stdout } = await run(folder, ['catalog', '--profile', 'ada']);
    assert.deepEqual(headsOf(stdout), ['quiet']);
  });

  it('prints only the candidates for a request, and how to request more skills', async () => {
    const { stdout } = await run(folder, ['catalog', '--request', 'do the writers', '--top', '1']);
    assert.deepEqual(headsOf(stdout), ['writers']);
    assert.match(stdout, /ask for more skills\.\n$/);
  });

  it('refuses an empty request', async () => {
    assertUsageError(await run(folder, ['catalog', '--request', ' ']), /The request is empty/);
  });

  it('prints JSON', async () => {
    const { stdout } = await run(folder, ['catalog', '--format', 'json']);
    const { version, skills } = JSON.parse(stdout) as {
      version: number;
      skills: readonly { name: string; file: string }[];
    };
    assert.equal(version, 1);
    assert.deepEqual(
      skills.map(({ name, file }) => [name, file]),
      [
        ['quiet', 'quiet.skill.md'],
        ['writers', 'writers.skill.md'],
      ],
    );
  });

  it('prints the registry as a table, including disabled skills', async () => {
    const { stdout } = await run(folder, ['catalog', '--format', 'markdown']);
    assert.match(stdout, /^\| Skill \| Owner \| Version \| /);
    assert.match(stdout, /\n\| locked \|.*\| disabled \|\n/);
    assert.match(stdout, /\n\| quiet \| the desk \| 1\.0\.0 \|.*\| channels: one \|\n/);
  });

  it('reports on stderr what the budget leaves out', async () => {
    const { status, stdout, stderr } = await run(folder, ['catalog', '--max-tokens', '85']);
    assert.equal(status, 0);
    assert.match(stderr, /^skill-composer: Omitted to stay within 85 tokens: the schemas of 1 skill.*\.\n$/);
    assert.ok(!stdout.includes('input:'));
  });

  for (const [words, message] of [
    [['--max-tokens', '5'], /`--max-tokens 5` is too low: the text around the list has \d+ tokens\./],
    [['--max-tokens', 'many'], /`--max-tokens` must be a positive integer, but is `many`/],
    [['--profile', 'adda'], /unknown profile `adda`\. Did you mean `ada`\?/],
    [['--top', '3'], /`--top` requires a request/],
    [['--check'], /`--check` requires a file\. Add `--out FILE`\./],
    [['--out', '.'], /`--out \.` cannot be written: it is a folder/],
  ] as const) {
    it(`refuses ${words.join(' ')}`, async () => {
      assertUsageError(await run(folder, ['catalog', ...words]), message);
    });
  }

  it('writes a file, and with --check prints a diff if a contract has changed', async () => {
    const { 'quiet.skill.md': quiet, ...others } = FILES;
    const own = folderWith({ ...others, 'quiet.skill.md': quiet });
    const out = ['catalog', '--out', 'made/catalog.md'];
    assert.match((await run(own, [...out, '--check'])).stdout, /^\+## quiet$/m);
    assert.deepEqual(await run(own, out), { status: 0, stdout: '', stderr: '' });
    assert.match(readFileSync(join(own, 'made/catalog.md'), 'utf8'), /^## quiet$/m);
    assert.deepEqual(await run(own, [...out, '--check']), { status: 0, stdout: '', stderr: '' });
    const changed = folderWith({
      ...others,
      'quiet.skill.md': quiet.replace('page: string', 'page: integer'),
      'made/catalog.md': readFileSync(join(own, 'made/catalog.md'), 'utf8'),
    });
    const { status, stdout } = await run(changed, [...out, '--check']);
    assert.equal(status, 1);
    assert.match(stdout, /^-input: {"page":"string",.*\n\+input: {"page":"integer",/m);
  });
});
