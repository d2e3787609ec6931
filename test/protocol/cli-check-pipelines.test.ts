/** `check` in a pipeline: output files, parts of a run, and baselines. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { assertUsageError, CATALOG, checkJson, folderWith, misspelt, rulesOf, run, skill, write } from './cli.ts';

describe('check in a pipeline', () => {
  it('writes additional formats to files', async () => {
    const folder = folderWith({ 'skills.config.yaml': CATALOG, 'a.skill.md': misspelt('a') });
    const { status, stdout } = await run(folder, ['check', '--out', 'sarif=a.sarif', '--out=junit=a.xml']);
    assert.equal(status, 1);
    assert.match(stdout, /^a\.skill\.md:6:9 error unknown-tool/);
    const [sarif] = JSON.parse(readFileSync(join(folder, 'a.sarif'), 'utf8')).runs;
    assert.deepEqual(
      sarif.results.map(({ ruleId }: { ruleId: string }) => ruleId),
      ['unknown-tool', 'unused-tool'].slice(0, sarif.results.length),
    );
    assert.match(sarif.tool.driver.rules[0].help.markdown, /^# /);
    assert.match(readFileSync(join(folder, 'a.xml'), 'utf8'), /<failure message=".*reed_page/);
  });

  it('refuses an output without a file, and an unknown format', async () => {
    const folder = folderWith({ 'a.skill.md': skill('a') });
    assertUsageError(
      await run(folder, ['check', '--out', 'sarif']),
      /does not name a file\. Write for example `--out sarif=skills\.sarif`/,
    );
    assertUsageError(await run(folder, ['check', '--out', 'sarf=x']), /Did you mean `sarif`\?/);
    assertUsageError(
      await run(folder, ['check', '--out', 'json=-']),
      /does not name a file\. Use `--format json` to print the result/,
    );
    assertUsageError(await run(folder, ['check', '--format', 'junitt']), /Did you mean `junit`\?/);
  });

  it('never overwrites another output or a skill', async () => {
    const folder = folderWith({ 'a.skill.md': skill('a') });
    const twice = ['--out', 'json=a.txt', '--out', 'sarif=./a.txt'];
    assertUsageError(await run(folder, ['check', ...twice]), /names the file `\.\/a\.txt` twice/);
    const over = [
      ['check', '--out', 'json=a.skill.md'],
      ['compose', 'a.skill.md', '--out', 'a.skill.md'],
    ];
    for (const words of over) {
      const { status, stderr } = await run(folder, words);
      assert.equal(status, 2);
      assert.match(stderr, /^skill-composer: `--out (json=)?a\.skill\.md` would overwrite a skill or a catalog/);
    }
    assert.equal(readFileSync(join(folder, 'a.skill.md'), 'utf8'), skill('a'));
  });

  it('adds a summary to the summary file of a GitHub job', async () => {
    const folder = folderWith({ 'skills.config.yaml': CATALOG, 'a.skill.md': misspelt('a'), summary: 'Before.\n' });
    const env = { GITHUB_STEP_SUMMARY: join(folder, 'summary') };
    const { stdout } = await run(folder, ['check', '--format', 'github'], { env });
    assert.match(stdout, /^::error file=a\.skill\.md,line=6,/);
    assert.match(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8'), /^Before\.\n### Skill Composer\n.*unknown\\?-tool/s);
    const later = { GITHUB_STEP_SUMMARY: join(folder, 'not-there-yet') };
    await run(folder, ['check', '--format', 'github'], { env: later });
    assert.match(readFileSync(later.GITHUB_STEP_SUMMARY, 'utf8'), /^### Skill Composer\n/);
  });

  it('checks every file in exactly one shard, and reports findings about several files once', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const folder = folderWith({
      'skills.config.yaml': CATALOG,
      ...Object.fromEntries(names.map((name) => [`${name}.skill.md`, misspelt(name)])),
      'whole.skill.md': skill('whole', 'level: 2', 'output_schema: {}', 'composes: [a, gone]'),
      'again.skill.md': skill('whole'),
    });
    const whole = await checkJson(folder);
    for (const count of [2, 3, 7]) {
      const words = Array.from({ length: count }, (_, at) => `${at + 1}/${count}`);
      const parts = await Promise.all(words.map((part) => checkJson(folder, '--shard', part)));
      const all = parts.flatMap(({ findings }) => findings).sort((one, other) => (one.file < other.file ? -1 : 1));
      assert.deepEqual(all, whole.findings, `of ${count}`);
      const files = parts.reduce((sum, { summary }) => sum + summary.files, 0);
      assert.equal(files, whole.summary.files, `of ${count}`);
    }
    assertUsageError(await run(folder, ['check', '--shard', '3/2']), /is not a valid shard/);
  });
});

describe('check with a baseline', () => {
  const files = { 'skills.config.yaml': CATALOG, 'a.skill.md': misspelt('a'), 'b.skill.md': misspelt('b') };
  const baselined = async (more: Readonly<Record<string, string>> = {}): Promise<string> => {
    const folder = folderWith({ ...files, ...more });
    const { status, stderr } = await run(folder, ['check', '--write-baseline']);
    assert.equal(status, 0);
    assert.match(stderr, /`skills\.baseline\.json` now contains \d+ findings\./);
    return folder;
  };

  it('leaves out known findings, even on moved lines', async () => {
    const folder = await baselined();
    write(folder, 'a.skill.md', misspelt('a').replace('version', 'owner: ana\nversion'));
    const { status, stdout, stderr } = await run(folder, ['check']);
    assert.deepEqual([status, stdout], [0, 'No findings in 3 files.\n']);
    assert.match(stderr, /The baseline hides \d+ findings\. Use `--no-baseline` to show all/);
    const all = JSON.parse((await run(folder, ['check', '--format=json', '--no-baseline'])).stdout);
    assert.deepEqual(rulesOf(all, 'unknown-tool'), ['a.skill.md unknown-tool', 'b.skill.md unknown-tool']);
  });

  it('shows new findings in a known file and in a new file', async () => {
    const folder = await baselined();
    write(folder, 'a.skill.md', skill('a', 'tools: [raed_page]'));
    write(folder, 'c.skill.md', misspelt('c'));
    const { stdout, status } = await run(folder, ['check', '--format=json']);
    assert.equal(status, 1);
    assert.deepEqual(rulesOf(JSON.parse(stdout), 'unknown-tool'), [
      'a.skill.md unknown-tool',
      'c.skill.md unknown-tool',
    ]);
  });

  it('reports unused entries, and removes them with --write-baseline', async () => {
    const folder = await baselined();
    write(folder, 'a.skill.md', skill('a'));
    rmSync(join(folder, 'b.skill.md'));
    assert.match((await run(folder, ['check'])).stderr, /`skills\.baseline\.json` has \d+ unused entries/);
    await run(folder, ['check', '--write-baseline']);
    const { findings } = JSON.parse(readFileSync(join(folder, 'skills.baseline.json'), 'utf8'));
    assert.deepEqual(
      findings.filter(({ rule }: { rule: string }) => rule === 'unknown-tool'),
      [],
    );
  });

  it('changes only the entries of the checked files', async () => {
    const folder = await baselined();
    const before = readFileSync(join(folder, 'skills.baseline.json'), 'utf8');
    write(folder, 'b.skill.md', skill('b'));
    await run(folder, ['check', 'a.skill.md', '--write-baseline']);
    assert.equal(readFileSync(join(folder, 'skills.baseline.json'), 'utf8'), before);
  });

  it('ignores the baselines of folders that are not checked', async () => {
    const folder = folderWith({
      'a/a.skill.md': skill('a'),
      'b/b.skill.md': skill('b'),
      'b/skills.baseline.json': '{',
    });
    assert.deepEqual(await run(folder, ['check', 'a']), { status: 0, stdout: 'No findings in 1 file.\n', stderr: '' });
    assert.match((await run(folder, ['check'])).stderr, /`b\/skills\.baseline\.json` is not a valid baseline/);
  });

  it("reads no file outside of the baseline's folder", async () => {
    const folder = folderWith({ 'outside.skill.md': skill('outside'), 'in/a.skill.md': skill('a') });
    const entry = (file: string) => ({ rule: 'unknown-tool', file, digest: '0123456789abcdef', count: 1 });
    const entries = [entry('../outside.skill.md'), entry(join(folder, 'outside.skill.md'))];
    write(folder, 'in/skills.baseline.json', JSON.stringify({ version: 1, findings: entries, measures: [] }));
    await run(join(folder, 'in'), ['check', '--write-baseline']);
    const { findings } = JSON.parse(readFileSync(join(folder, 'in/skills.baseline.json'), 'utf8'));
    assert.deepEqual(
      findings.filter(({ rule }: { rule: string }) => rule === 'unknown-tool'),
      [],
    );
  });

  it('does not write to the baseline of a sibling folder whose name is a prefix', async () => {
    const sibling = '{"version": 1, "findings": [], "measures": []}';
    const folder = folderWith({
      ...{ 'in/a.skill.md': misspelt('a'), 'in/skills.baseline.json': sibling },
      ...{ 'inside/skills.config.yaml': CATALOG, 'inside/b.skill.md': misspelt('b') },
    });
    await run(join(folder, 'inside'), ['check', '.', '../in/a.skill.md', '--write-baseline']);
    assert.equal(readFileSync(join(folder, 'in/skills.baseline.json'), 'utf8'), sibling);
    assert.ok(existsSync(join(folder, 'inside/skills.baseline.json')));
  });

  it('compares tens of thousands of entries for one file', { timeout: 60_000 }, async () => {
    const text = misspelt('a') + 'Read the page and say what is in it.\n'.repeat(40_000);
    const folder = folderWith({ 'skills.config.yaml': CATALOG, 'a.skill.md': text });
    const digest = (at: number) => at.toString(16).padStart(16, '0');
    const entries = Array.from({ length: 80_000 }, (_, at) => ({
      ...{ rule: 'unknown-tool', file: 'a.skill.md', digest: digest(at), count: 1 },
    }));
    write(folder, 'skills.baseline.json', JSON.stringify({ version: 1, findings: entries, measures: [] }));
    const { stderr } = await run(folder, ['check']);
    assert.match(stderr, /has 80000 unused entries/);
  });

  it('accepts lower measured values, but never higher values', async () => {
    const body = (lines: number): string =>
      `---\nname: long\ndescription: Reads pages.\n---\n\n${'Read the page and say what is in it.\n'.repeat(lines)}`;
    const LONG = '.agents/skills/long/SKILL.md';
    const folder = await baselined({ [LONG]: body(600) });
    const shown = async () => {
      const { stdout } = await run(folder, ['check', '--format=json']);
      return rulesOf(JSON.parse(stdout), 'agent-skill-body-size').length;
    };
    const rewrite = (lines: number) => write(folder, LONG, body(lines));
    assert.equal(await shown(), 0);
    rewrite(601);
    assert.equal(await shown(), 1);
    await run(folder, ['check', '--write-baseline']);
    assert.equal(await shown(), 1, 'additional findings are not accepted');
    rewrite(550);
    await run(folder, ['check', '--write-baseline']);
    assert.equal(await shown(), 0);
    rewrite(600);
    assert.equal(await shown(), 1);
  });

  it('reads the file of --baseline, and refuses an invalid baseline', async () => {
    const folder = await baselined();
    const text = readFileSync(join(folder, 'skills.baseline.json'), 'utf8');
    rmSync(join(folder, 'skills.baseline.json'));
    write(folder, 'ci/known.json', text);
    assert.equal((await run(folder, ['check', '--baseline', 'ci/known.json'])).status, 0);
    assertUsageError(await run(folder, ['check', '--baseline', 'gone.json']), /the file does not exist/);
    write(folder, 'skills.baseline.json', '{"version": 1, "findings": [{}]}');
    assertUsageError(await run(folder, ['check']), /is not a valid baseline/);
    assert.equal((await run(folder, ['check', '--no-baseline'])).status, 1);
  });
});
