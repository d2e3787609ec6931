/** `check --watch`: the findings after each change on disk. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertUsageError, CATALOG, folderWith, misspelt, run, skill } from './cli.ts';
import { watching } from './watched.ts';

test('prints the findings of all files after an edit, and exits with the status of the last check', async () => {
  const files = { 'a.skill.md': misspelt('a'), 'b.skill.md': skill('b'), 'skills.config.yaml': CATALOG };
  await watching('check', files, async ({ stdoutMatched, write, stdin, ended }) => {
    assert.match(await stdoutMatched(/1 error.* in 1 of 3 files\./), /a\.skill\.md:6:9 error unknown-tool/);
    write('b.skill.md', misspelt('b'));
    assert.match(await stdoutMatched(/2 errors.* in 2 of 3 files\./), /a\.skill\.md:6:9[\s\S]*b\.skill\.md:6:9/);
    write('a.skill.md', skill('a'));
    assert.doesNotMatch(await stdoutMatched(/1 error.* in 1 of 3 files\./), /a\.skill\.md/);
    stdin.write('q');
    assert.equal(await ended, 1);
  });
});

test('prints the same findings as a single run', async () => {
  const sample = skill('a', 'samples: {one: {parameters: {}, expect: {prompt: [{type: contains, value: nothing}]}}}');
  const files = {
    'a.skill.md': sample.replace('Read the page', 'Read [the page](gone.md)'),
    'b/SKILL.md': '---\nname: b\ndescription: Does b.\n---\n\nRun [it](run.sh), then read [this](no.md).\n',
    'b/run.sh': 'echo\n',
    'skills.config.yaml': CATALOG,
  };
  const once = await run(folderWith(files), ['check']);
  assert.match(once.stdout, /gone\.md[\s\S]*no\.md/);
  await watching('check', files, async ({ stdoutMatched, stdin, ended }) => {
    assert.equal(await stdoutMatched(/ in (\d+ of )?\d+ files\./), once.stdout);
    stdin.write('q');
    assert.equal(await ended, once.status);
  });
});

test('follows new and deleted files, the catalog, and linked files', async () => {
  const linking = skill('a').replace('Read the page', 'Read [the page](notes/page.md)');
  await watching('check', { 'a.skill.md': linking }, async ({ folder, stdoutMatched, write, stdin, ended }) => {
    await stdoutMatched(/broken-link[\s\S]* in 1 file\./);
    write('notes/page.md', '# Page\n');
    assert.doesNotMatch(await stdoutMatched(/ in 1 file\./), /broken-link/);
    write('b.skill.md', misspelt('b'));
    await stdoutMatched(/ in (\d of )?2 files\./);
    write('skills.config.yaml', CATALOG);
    await stdoutMatched(/unknown-tool/);
    rmSync(join(folder, 'b.skill.md'));
    // The findings for the catalog may be printed twice, because writing it is several changes on a slow machine.
    await stdoutMatched(/^No findings in \d files?\.$/m);
    stdin.write('q');
    assert.equal(await ended, 0);
  });
});

test('`f` applies the safe fixes', async () => {
  const unquoted = skill('a').replace(/^description: .*$/m, 'description: Finds a page: the last one.');
  await watching(
    'check',
    { 'a.skill.md': unquoted },
    async ({ folder, stdoutMatched, stderrMatched, stdin, ended }) => {
      assert.match(
        await stdoutMatched(/invalid-yaml[\s\S]* in 1 file\..*\n/),
        /\(f applies it\)[\s\S]* `f` fixes 1\.\n$/,
      );
      stdin.write('f');
      assert.equal(await stdoutMatched(/ in 1 file\./), 'No findings in 1 file.\n');
      assert.match(readFileSync(join(folder, 'a.skill.md'), 'utf8'), /^description: "Finds a page: the last one\."$/m);
      stdin.write('f');
      await stderrMatched(/No safe fixes to apply\./);
      stdin.write('q');
      assert.equal(await ended, 0);
    },
  );
});

/** Returns the files of a folder with one finding, and the baseline that contains this finding. */
async function withBaseline(): Promise<Readonly<Record<string, string>>> {
  const files = { 'a.skill.md': misspelt('a'), 'skills.config.yaml': CATALOG };
  const folder = folderWith(files);
  await run(folder, ['check', '--write-baseline']);
  return { ...files, 'skills.baseline.json': readFileSync(join(folder, 'skills.baseline.json'), 'utf8') };
}

test('leaves out the findings in the baseline, and reports an invalid baseline', async () => {
  await watching('check', await withBaseline(), async ({ stdoutMatched, stderrMatched, write, stdin, ended }) => {
    assert.doesNotMatch(await stdoutMatched(/ in (\d of )?\d files\./), /unknown-tool/);
    write('b.skill.md', misspelt('b'));
    assert.doesNotMatch(await stdoutMatched(/unknown-tool[\s\S]* in (\d of )?\d files\./), /a\.skill\.md/);
    write('skills.baseline.json', '{');
    await stdoutMatched(/a\.skill\.md[\s\S]* in (\d of )?\d files\./);
    await stderrMatched(/`skills\.baseline\.json` is not a valid baseline/);
    stdin.write('q');
    assert.equal(await ended, 1);
  });
});

test('reports the unused entries of the baseline, and follows the baseline', async () => {
  await watching('check', await withBaseline(), async ({ stdoutMatched, stderrMatched, write, stdin, ended }) => {
    await stdoutMatched(/No findings in \d files\./);
    write('a.skill.md', skill('a'));
    await stdoutMatched(/No findings in \d files\./);
    await stderrMatched(/`skills\.baseline\.json` has 1 unused entry\./);
    // The findings do not change, but the note about the unused entry disappears.
    write('skills.baseline.json', '{"version": 1, "findings": []}');
    await stdoutMatched(/No findings in \d files\./);
    stdin.write('q');
    assert.equal(await ended, 0);
  });
});

test('refuses options that apply only to a single run', async () => {
  const folder = folderWith({ 'a.skill.md': skill('a') });
  const single = [['--format', 'json'], ['--fix'], ['--out', 'json=x'], ['--changed'], ['--rule', 'unknown-tool=off']];
  for (const words of [...single, ['--shard', '1/2'], ['--write-baseline'], ['--today', '2031-06-30']]) {
    assertUsageError(
      await run(folder, ['check', '--watch', ...words]),
      /cannot be used with `--[\w-]+`, which applies to a single run/,
    );
  }
});
