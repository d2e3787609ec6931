/** `check --fix` on the command line. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { applyFixes, writeFixes } from '../../server/src/frontends/cli/commands/fix.ts';
import { toUri } from '../../server/src/io/paths.ts';
import { openProject } from '../../server/src/io/project.ts';
import { NO_PROGRESS } from '../../server/src/io/stderr.ts';
import { CATALOG, CLI, checkJson, folderWith, misspelt, rulesOf, run, skill } from './cli.ts';
import { onFullDisk } from './full-disk.ts';

/** An unquoted colon, for which quotes are a safe fix. */
const unquoted = (name: string): string =>
  skill(name).replace(/^description: .*$/m, 'description: Finds a page: the last one.');
const quoted = (name: string): string =>
  skill(name).replace(/^description: .*$/m, 'description: "Finds a page: the last one."');

describe('check --fix', () => {
  it('applies safe fixes, reports the remaining findings, and writes only changed files', async () => {
    const folder = folderWith({
      'skills.config.yaml': CATALOG,
      'a.skill.md': unquoted('a'),
      'b.skill.md': skill('b', 'tools: [read_page, no_such_tool_at_all]'),
    });
    const past = new Date(2001, 1, 1);
    utimesSync(join(folder, 'b.skill.md'), past, past);
    assert.deepEqual(rulesOf(await checkJson(folder), 'invalid-yaml'), ['a.skill.md invalid-yaml']);
    const report = await checkJson(folder, '--fix');
    assert.deepEqual(rulesOf(report, 'invalid-yaml', 'unknown-tool'), ['b.skill.md unknown-tool']);
    assert.equal(report.status, 1);
    assert.equal(readFileSync(join(folder, 'a.skill.md'), 'utf8'), quoted('a'));
    assert.equal(statSync(join(folder, 'b.skill.md')).mtimeMs, past.getTime());
  });

  it('reports the number of changed files', async () => {
    const folder = folderWith({ 'a.skill.md': unquoted('a') });
    assert.match((await run(folder, ['check', '--fix'])).stdout, /^Fixed 1 file\. No findings in 1 file\.\n$/m);
  });

  it('keeps the byte order mark and the line breaks', async () => {
    const windows = (text: string) => `\ufeff${text.replaceAll('\n', '\r\n')}`;
    const folder = folderWith({ 'a.skill.md': windows(unquoted('a')) });
    await checkJson(folder, '--fix');
    assert.equal(readFileSync(join(folder, 'a.skill.md'), 'utf8'), windows(quoted('a')));
  });

  it('keeps the permissions of a file', { skip: process.platform === 'win32' }, async () => {
    const folder = folderWith({ 'a.skill.md': unquoted('a') });
    chmodSync(join(folder, 'a.skill.md'), 0o640);
    await checkJson(folder, '--fix');
    assert.equal(readFileSync(join(folder, 'a.skill.md'), 'utf8'), quoted('a'));
    assert.equal(statSync(join(folder, 'a.skill.md')).mode & 0o777, 0o640);
  });

  it('fixes only the named paths', async () => {
    const folder = folderWith({ 'a/a.skill.md': unquoted('a'), 'b/b.skill.md': unquoted('b') });
    await checkJson(folder, '--fix', 'b');
    assert.equal(readFileSync(join(folder, 'a/a.skill.md'), 'utf8'), unquoted('a'));
    assert.equal(readFileSync(join(folder, 'b/b.skill.md'), 'utf8'), quoted('b'));
  });

  it('applies no fixes from a rule that is off', async () => {
    const folder = folderWith({ 'skills.config.yaml': CATALOG, 'a.skill.md': misspelt('a') });
    await checkJson(folder, '--fix', '--rule', 'unknown-tool=off');
    assert.equal(readFileSync(join(folder, 'a.skill.md'), 'utf8'), misspelt('a'));
  });

  it('fixes a catalog before the catalog is used', async () => {
    const text = 'tools:\n  - name: read_page\n    description: Reads a page: the last one.\n';
    const folder = folderWith({ 'skills.config.yaml': text, 'a.skill.md': skill('a', 'tools: [read_page]') });
    assert.equal((await run(folder, ['check'])).status, 2);
    assert.equal((await run(folder, ['check', '--fix'])).status, 0);
    assert.match(
      readFileSync(join(folder, 'skills.config.yaml'), 'utf8'),
      /description: "Reads a page: the last one\."\n/,
    );
  });

  it('does not rewrite bytes that are not UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from(unquoted('a')), Buffer.from([0xff, 0x0a])]);
    const folder = folderWith({ 'a.skill.md': bytes });
    const { stderr, stdout } = await run(folder, ['check', '--fix']);
    assert.equal(stderr, '');
    assert.match(stdout, /unreadable-file[\s\S]*it is not valid UTF-8/);
    assert.deepEqual(readFileSync(join(folder, 'a.skill.md')), bytes);
  });

  it('does not write through a symbolic link', { skip: process.platform === 'win32' }, async () => {
    const outside = folderWith({ 'a.skill.md': unquoted('a'), 'sub/b.skill.md': unquoted('b') });
    const folder = folderWith({ 'c.skill.md': skill('c'), 'docs/d.txt': unquoted('d') });
    symlinkSync('docs/d.txt', join(folder, 'd.skill.md'));
    symlinkSync(join(outside, 'a.skill.md'), join(folder, 'a.skill.md'));
    symlinkSync(join(outside, 'sub'), join(folder, 'sub'));
    const { stderr } = await run(folder, ['check', '--fix', '.', 'a.skill.md', 'sub']);
    assert.match(stderr, /Not fixed: `d\.skill\.md`, because it is a symbolic link or in a linked folder/);
    assert.equal(readFileSync(join(folder, 'docs/d.txt'), 'utf8'), unquoted('d'));
    assert.match(stderr, /Not fixed: `sub\/b\.skill\.md`, because it is a symbolic link or in a linked folder/);
    assert.equal(readFileSync(join(outside, 'a.skill.md'), 'utf8'), unquoted('a'));
    assert.equal(readFileSync(join(outside, 'sub/b.skill.md'), 'utf8'), unquoted('b'));
  });

  it('does not write a file that has changed in the meantime, and reports the findings in the new text', async () => {
    const folder = folderWith({
      'skills.config.yaml': CATALOG,
      'a.skill.md': unquoted('a'),
      'b.skill.md': unquoted('b'),
    });
    const project = await openProject({ cwd: folder, paths: [], config: undefined, progress: NO_PROGRESS });
    const fixed = await applyFixes(project);
    const theirs = `${unquoted('a')}Their line.\n`;
    writeFileSync(join(folder, 'a.skill.md'), theirs);
    const { count, changed } = await writeFixes(project, fixed);
    assert.deepEqual([count, changed], [1, [toUri(join(folder, 'a.skill.md'))]]);
    assert.equal(readFileSync(join(folder, 'a.skill.md'), 'utf8'), theirs);
    assert.equal(readFileSync(join(folder, 'b.skill.md'), 'utf8'), quoted('b'));
    assert.equal(project.workspace.index.files.get(changed[0] ?? '')?.text, theirs);
    assert.deepEqual(readdirSync(folder).sort(), ['a.skill.md', 'b.skill.md', 'skills.config.yaml']);
  });

  it('keeps the hard links of a file', { skip: process.platform === 'win32' }, async () => {
    const folder = folderWith({ 'a.skill.md': unquoted('a') });
    linkSync(join(folder, 'a.skill.md'), join(folder, 'same.txt'));
    await checkJson(folder, '--fix');
    assert.equal(readFileSync(join(folder, 'same.txt'), 'utf8'), quoted('a'));
    assert.equal(statSync(join(folder, 'a.skill.md')).nlink, 2);
  });

  it('does not truncate a file with a hard link if the disk is full', {
    skip: process.platform === 'win32',
  }, async () => {
    const long = `${unquoted('a')}\n${'A line of prose that fills the file.\n'.repeat(500)}`;
    const folder = folderWith({ 'a.skill.md': long });
    linkSync(join(folder, 'a.skill.md'), join(folder, 'same.txt'));
    const { stderr } = spawnSync(...onFullDisk(process.execPath, CLI, 'check', '--fix'), { cwd: folder });
    assert.match(String(stderr), /^skill-composer: `a\.skill\.md` cannot be written: .+\.\n$/);
    assert.equal(readFileSync(join(folder, 'same.txt'), 'utf8'), long);
  });

  it('removes only the temporary file of a killed run', async () => {
    const { pid = 0 } = spawnSync(process.execPath, ['--version']);
    const left = `.skill-composer-${pid}-0123456789ab.tmp`;
    const others = [`.skill-composer-${process.pid}-0123456789ab.tmp`, '.skill-composer.tmp', 'a.skill.md'];
    const folder = folderWith({ [left]: '', [others[0] ?? '']: '', [others[1] ?? '']: '', 'a.skill.md': skill('a') });
    await run(folder, ['check']);
    assert.equal(readdirSync(folder).length, 4);
    await run(folder, ['check', '--fix']);
    assert.deepEqual(readdirSync(folder).sort(), others.sort());
  });

  it('does not truncate a file if the disk is full', { skip: process.platform === 'win32' }, async () => {
    const long = `${unquoted('a')}\n${'A line of prose that fills the file.\n'.repeat(500)}`;
    const folder = folderWith({ 'a.skill.md': long });
    const { status, stderr } = spawnSync(...onFullDisk(process.execPath, CLI, 'check', '--fix'), { cwd: folder });
    assert.equal(readFileSync(join(folder, 'a.skill.md'), 'utf8'), long);
    assert.deepEqual(readdirSync(folder), ['a.skill.md']);
    assert.match(String(stderr), /^skill-composer: `a\.skill\.md` cannot be written: .+\.\n$/);
    assert.equal(status, 2);
  });
});
