/** Writes either all files of a change or none. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { writeTree } from '../../../server/src/hosts/node/write-tree.ts';

const made: string[] = [];
after(() => {
  for (const folder of made) rmSync(folder, { recursive: true });
});

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'skill-composer-'));
  made.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const textsIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
      .sort()
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  );

const file = (path: string, text: string) => ({ path, bytes: Buffer.from(text), isExecutable: false });
const yes = async () => true;

describe('a tree of files', () => {
  it('is written as a whole, with new, changed and deleted files', async () => {
    const folder = folderWith({ 'a/one.md': 'old', 'a/gone.md': 'x', 'b/only/gone.md': 'x', 'c.md': 'stays' });
    const change = {
      write: [file('a/one.md', 'new'), file('d/e/two.md', '2'), file('d/three.md', '3')],
      remove: ['a/gone.md', 'b/only/gone.md'],
    };
    assert.equal(await writeTree(folder, change, yes), 'written');
    assert.deepEqual(textsIn(folder), { 'a/one.md': 'new', 'c.md': 'stays', 'd/e/two.md': '2', 'd/three.md': '3' });
    assert.deepEqual(readdirSync(folder).sort(), ['a', 'c.md', 'd']);
  });

  it('is unchanged after a failure', async () => {
    const files = { 'a/one.md': 'old', 'a/gone.md': 'x', 'z/file': 'no folder' };
    const folder = folderWith(files);
    const change = {
      write: [file('a/one.md', 'new'), file('b/new.md', '1'), file('z/file/below.md', '2')],
      remove: ['a/gone.md'],
    };
    await assert.rejects(writeTree(folder, change, yes), /`z\/file` is a link or a file/);
    assert.deepEqual(textsIn(folder), files);
    assert.deepEqual(readdirSync(folder).sort(), ['a', 'z']);
  });

  it('is unchanged if a later rename fails', async () => {
    const files = { 'a/one.md': 'old', 'a/gone.md': 'x' };
    const folder = folderWith(files);
    // `b/x.md` is both a file and the folder of another file, so the change fails.
    const change = {
      write: [file('a/one.md', 'new'), file('b/x.md', '1'), file('b/x.md/below.md', '2')],
      remove: ['a/gone.md'],
    };
    await assert.rejects(writeTree(folder, change, yes));
    assert.deepEqual(textsIn(folder), files);
  });

  it('is not written if another program changes it in the meantime', async () => {
    const folder = folderWith({ 'a.md': 'old' });
    assert.equal(await writeTree(folder, { write: [file('a.md', 'new')], remove: [] }, async () => false), 'changed');
    assert.deepEqual(textsIn(folder), { 'a.md': 'old' });
  });

  it('is never written through a link', async () => {
    const [folder, outside] = [folderWith({ 'x.md': 'x' }), folderWith({ 'a.md': 'theirs' })];
    symlinkSync(outside, join(folder, 'out'));
    for (const change of [
      { write: [file('out/new.md', '1')], remove: [] },
      { write: [], remove: ['out/a.md'] },
    ]) {
      await assert.rejects(writeTree(folder, change, yes), /is a link or a file, not a folder/);
    }
    assert.deepEqual(textsIn(outside), { 'a.md': 'theirs' });
  });
});
