/** `check` in a pipeline, from outside: formats to files, what has changed, parts of a run, and baselines. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { assertStopped, CATALOG, checkJson, folderWith, misspelt, run, said, skill } from './cli.ts';

const COMMITTED = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message', 'one'];

const gitIn =
  (folder: string) =>
  (...words: readonly string[]): Buffer =>
    execFileSync('git', ['-C', folder, ...words], { stdio: 'pipe' });

function commitMore(folder: string): void {
  const git = gitIn(folder);
  git('add', '.');
  git(...COMMITTED);
}

function commitAll(folder: string): void {
  gitIn(folder)('init', '--quiet', '--initial-branch', 'main');
  commitMore(folder);
}

const write = (folder: string, path: string, text: string): void => {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
};

describe('check in a pipeline', () => {
  it('writes further formats to files, beside what it prints', async () => {
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

  it('refuses an output without a file, and a format that there is not', async () => {
    const folder = folderWith({ 'a.skill.md': skill('a') });
    assertStopped(await run(folder, ['check', '--out', 'sarif']), /names no file: write `--out sarif=skills\.sarif`/);
    assertStopped(await run(folder, ['check', '--out', 'sarf=x']), /Did you mean `sarif`\?/);
    assertStopped(await run(folder, ['check', '--format', 'junitt']), /Did you mean `junit`\?/);
  });

  it('adds a summary to a GitHub job that has a file for it', async () => {
    const folder = folderWith({ 'skills.config.yaml': CATALOG, 'a.skill.md': misspelt('a'), summary: 'Before.\n' });
    const env = { GITHUB_STEP_SUMMARY: join(folder, 'summary') };
    const { stdout } = await run(folder, ['check', '--format', 'github'], { env });
    assert.match(stdout, /^::error file=a\.skill\.md,line=6,/);
    assert.match(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8'), /^Before\.\n### Skill Composer\n.*unknown\\?-tool/s);
    const later = { GITHUB_STEP_SUMMARY: join(folder, 'not-there-yet') };
    await run(folder, ['check', '--format', 'github'], { env: later });
    assert.match(readFileSync(later.GITHUB_STEP_SUMMARY, 'utf8'), /^### Skill Composer\n/);
  });

  it('checks every file in one of the parts of a run, however many there are, and tells what crosses files once', async () => {
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
    assertStopped(await run(folder, ['check', '--shard', '3/2']), /write the part and how many there are/);
  });
});

describe('check --changed', () => {
  const files = {
    'skills.config.yaml': CATALOG,
    'old.skill.md': misspelt('old'),
    'part.skill.md': skill('part', 'output_schema: {page: string}'),
    'whole.skill.md': skill('whole', 'level: 2', 'output_schema: {}', 'composes: [part]'),
    '.agents/skills/plain/SKILL.md':
      '---\nname: plain\ndescription: Reads pages.\n---\n\nSee [it](references/it.md).\n',
    '.agents/skills/plain/references/it.md': 'It.\n',
    '.gitignore': 'out/\n',
  };
  const changed = async (folder: string, ...words: string[]) => {
    const { findings } = await checkJson(folder, '--changed', ...words);
    return [...new Set(findings.map(({ file }) => file))];
  };

  it('leaves out what nobody has touched', async () => {
    const folder = folderWith(files);
    commitAll(folder);
    assert.deepEqual(await changed(folder), []);
    write(folder, 'new.skill.md', misspelt('new'));
    write(folder, 'out/made.skill.md', misspelt('made'));
    assert.deepEqual(await changed(folder), ['new.skill.md']);
    assert.deepEqual(await changed(folder, 'old.skill.md'), [], 'a path may stand behind it');
  });

  it('shows what a change breaks elsewhere: a part that goes, a file that a skill links to', async () => {
    const folder = folderWith(files);
    commitAll(folder);
    rmSync(join(folder, 'part.skill.md'));
    assert.deepEqual(await changed(folder), ['whole.skill.md']);
    rmSync(join(folder, '.agents/skills/plain/references/it.md'));
    assert.deepEqual(await changed(folder), ['.agents/skills/plain/SKILL.md', 'whole.skill.md']);
  });

  it('compares with where the history left another branch', async () => {
    const folder = folderWith(files);
    commitAll(folder);
    const git = gitIn(folder);
    git('checkout', '--quiet', '-b', 'mine');
    write(folder, 'new.skill.md', misspelt('new'));
    commitMore(folder);
    git('checkout', '--quiet', 'main');
    write(folder, 'theirs.skill.md', misspelt('theirs'));
    commitMore(folder);
    git('checkout', '--quiet', 'mine');
    assert.deepEqual(await changed(folder), []);
    const { findings } = await checkJson(folder, '--changed=main');
    assert.deepEqual([...new Set(findings.map(({ file }) => file))], ['new.skill.md']);
  });

  it('holds a submodule against its commit: what is as it was is left out, what a rename breaks outside is shown', async () => {
    const { 'old.skill.md': old, 'part.skill.md': part, ...rest } = files;
    const inner = folderWith({ 'old.skill.md': old, 'part.skill.md': part });
    commitAll(inner);
    const folder = folderWith(rest);
    commitAll(folder);
    gitIn(folder)('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'shared');
    commitMore(folder);
    assert.deepEqual(await changed(folder), []);
    write(folder, 'shared/part.skill.md', skill('other', 'output_schema: {page: string}'));
    assert.deepEqual(await changed(folder), ['shared/part.skill.md', 'whole.skill.md']);
    rmSync(join(folder, 'shared/part.skill.md'));
    assert.deepEqual(await changed(folder), ['whole.skill.md']);
    write(folder, 'shared/new.skill.md', misspelt('new'));
    assert.deepEqual(await changed(folder), ['shared/new.skill.md', 'whole.skill.md']);
  });

  it('says that it compares with the commit itself where the histories have none in common', async () => {
    const folder = folderWith(files);
    commitAll(folder);
    gitIn(folder)('checkout', '--quiet', '--orphan', 'mine');
    write(folder, 'new.skill.md', misspelt('new'));
    commitMore(folder);
    const { stdout, stderr } = await run(folder, ['check', '--changed=main']);
    assert.match(stdout, /^new\.skill\.md:/m);
    assert.doesNotMatch(stdout, /^old\.skill\.md:/m);
    assert.match(stderr, /HEAD has no commit in common with it, so the files are held against `main` itself/);
    assert.equal((await run(folder, ['check', '--changed=main', '--quiet'])).stderr, '');
  });

  it('runs nothing that the repository names', async () => {
    const folder = folderWith({ ...files, '.gitattributes': '*.md filter=own diff=own\n' });
    commitAll(folder);
    const touch = join(folder, 'ran');
    for (const key of ['filter.own.clean', 'diff.own.textconv', 'diff.external', 'core.fsmonitor']) {
      execFileSync('git', ['-C', folder, 'config', key, `touch ${touch}`]);
    }
    write(folder, 'old.skill.md', misspelt('older'));
    assert.deepEqual(await changed(folder), ['old.skill.md']);
    assert.equal(existsSync(touch), false);
  });

  it('says why it cannot compare', async () => {
    const folder = folderWith(files);
    assertStopped(await run(folder, ['check', '--changed']), /is in no git repository/);
    execFileSync('git', ['-C', folder, 'init', '--quiet']);
    assertStopped(await run(folder, ['check', '--changed']), /there is no commit yet/);
    commitAll(folder);
    assertStopped(await run(folder, ['check', '--changed=gone']), /there is no such commit/);
  });
});

describe('check with a baseline', () => {
  const files = { 'skills.config.yaml': CATALOG, 'a.skill.md': misspelt('a'), 'b.skill.md': misspelt('b') };
  const baselined = async (more: Readonly<Record<string, string>> = {}): Promise<string> => {
    const folder = folderWith({ ...files, ...more });
    const { status, stderr } = await run(folder, ['check', '--write-baseline']);
    assert.equal(status, 0);
    assert.match(stderr, /`skills\.baseline\.json` knows \d+ findings now\./);
    return folder;
  };

  it('leaves out what it knows, wherever its line has moved to', async () => {
    const folder = await baselined();
    write(folder, 'a.skill.md', misspelt('a').replace('version', 'owner: ana\nversion'));
    const { status, stdout, stderr } = await run(folder, ['check']);
    assert.deepEqual([status, stdout], [0, 'No findings in 3 files.\n']);
    assert.match(stderr, /known findings are left out: `--no-baseline` shows all/);
    const all = JSON.parse((await run(folder, ['check', '--format=json', '--no-baseline'])).stdout);
    assert.deepEqual(said(all, 'unknown-tool'), ['a.skill.md unknown-tool', 'b.skill.md unknown-tool']);
  });

  it('shows what is new: another line, another file, one more of the same', async () => {
    const folder = await baselined();
    write(folder, 'a.skill.md', skill('a', 'tools: [raed_page]'));
    write(folder, 'c.skill.md', misspelt('c'));
    const { stdout, status } = await run(folder, ['check', '--format=json']);
    assert.equal(status, 1);
    assert.deepEqual(said(JSON.parse(stdout), 'unknown-tool'), ['a.skill.md unknown-tool', 'c.skill.md unknown-tool']);
  });

  it('tells what it knows in vain, and drops that when it is written again', async () => {
    const folder = await baselined();
    write(folder, 'a.skill.md', skill('a'));
    rmSync(join(folder, 'b.skill.md'));
    assert.match((await run(folder, ['check'])).stderr, /entries match nothing any more in `skills\.baseline\.json`/);
    await run(folder, ['check', '--write-baseline']);
    const { findings } = JSON.parse(readFileSync(join(folder, 'skills.baseline.json'), 'utf8'));
    assert.deepEqual(
      findings.filter(({ rule }: { rule: string }) => rule === 'unknown-tool'),
      [],
    );
  });

  it('writes only the entries of the files that were checked', async () => {
    const folder = await baselined();
    const before = readFileSync(join(folder, 'skills.baseline.json'), 'utf8');
    write(folder, 'b.skill.md', skill('b'));
    await run(folder, ['check', 'a.skill.md', '--write-baseline']);
    assert.equal(readFileSync(join(folder, 'skills.baseline.json'), 'utf8'), before);
  });

  it('is no concern of files that lie elsewhere', async () => {
    const folder = folderWith({
      'a/a.skill.md': skill('a'),
      'b/b.skill.md': skill('b'),
      'b/skills.baseline.json': '{',
    });
    assert.deepEqual(await run(folder, ['check', 'a']), { status: 0, stdout: 'No findings in 1 file.\n', stderr: '' });
    assert.match((await run(folder, ['check'])).stderr, /`b\/skills\.baseline\.json` is no baseline of findings/);
  });

  it('looks at no file outside of its folder for its entries', async () => {
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

  it('holds tens of thousands of its entries against one file', { timeout: 60_000 }, async () => {
    const text = misspelt('a') + 'Read the page and say what is in it.\n'.repeat(40_000);
    const folder = folderWith({ 'skills.config.yaml': CATALOG, 'a.skill.md': text });
    const digest = (at: number) => at.toString(16).padStart(16, '0');
    const entries = Array.from({ length: 80_000 }, (_, at) => ({
      ...{ rule: 'unknown-tool', file: 'a.skill.md', digest: digest(at), count: 1 },
    }));
    write(folder, 'skills.baseline.json', JSON.stringify({ version: 1, findings: entries, measures: [] }));
    const { stderr } = await run(folder, ['check']);
    assert.match(stderr, /80000 entries match nothing any more/);
  });

  it('lets what is measured fall and never rise', async () => {
    const body = (lines: number): string =>
      `---\nname: long\ndescription: Reads pages.\n---\n\n${'Read the page and say what is in it.\n'.repeat(lines)}`;
    const LONG = '.agents/skills/long/SKILL.md';
    const folder = await baselined({ [LONG]: body(600) });
    const shown = async () => {
      const { stdout } = await run(folder, ['check', '--format=json']);
      return said(JSON.parse(stdout), 'agent-skill-body-size').length;
    };
    const rewrite = (lines: number) => write(folder, LONG, body(lines));
    assert.equal(await shown(), 0);
    rewrite(601);
    assert.equal(await shown(), 1);
    await run(folder, ['check', '--write-baseline']);
    assert.equal(await shown(), 1, 'what is more than before is not taken in');
    rewrite(550);
    await run(folder, ['check', '--write-baseline']);
    assert.equal(await shown(), 0);
    rewrite(600);
    assert.equal(await shown(), 1);
  });

  it('is read from another file, and refused where it is none', async () => {
    const folder = await baselined();
    const text = readFileSync(join(folder, 'skills.baseline.json'), 'utf8');
    rmSync(join(folder, 'skills.baseline.json'));
    write(folder, 'ci/known.json', text);
    assert.equal((await run(folder, ['check', '--baseline', 'ci/known.json'])).status, 0);
    assertStopped(await run(folder, ['check', '--baseline', 'gone.json']), /there is no such file/);
    write(folder, 'skills.baseline.json', '{"version": 1, "findings": [{}]}');
    assertStopped(await run(folder, ['check']), /is no baseline of findings/);
    assert.equal((await run(folder, ['check', '--no-baseline'])).status, 1);
  });
});
