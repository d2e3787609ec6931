/** The lock on a file that is being written: when it cannot be created, and when it is lost. */
import assert from 'node:assert/strict';
import { linkSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { removeFile, replaceFile } from '../../../server/src/io/write-file.ts';
import { temporaryFolder } from '../../temporary.mjs';

describe('the lock on a file', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = temporaryFolder();
    path = join(folder, 'a.skill.md');
    writeFileSync(path, 'old');
  });

  afterEach(restore);

  type Opened = Promise<files.FileHandle>;
  type Open = typeof files.open;

  /** Until the test ends, replaces the function that opens files. */
  function opening(as: (open: Open, ...args: Parameters<Open>) => Opened): void {
    const { open } = files;
    mock.method(files, 'open', (...args: Parameters<Open>) => as(open, ...args));
    syncBuiltinESMExports();
  }

  function restore(): void {
    mock.restoreAll();
    syncBuiltinESMExports();
  }

  const isLock = (name: unknown): boolean => /\.skill-composer-lock-/.test(String(name));

  /** All ways to change a file under a lock. */
  const WAYS = {
    'replaced by a rename': () => replaceFile(path, { old: 'old', text: 'new' }),
    'written in place': () => {
      linkSync(path, join(folder, 'b.skill.md'));
      return replaceFile(path, { old: 'old', text: 'new' });
    },
    removed: () => removeFile(path, 'old'),
  };

  for (const [way, change] of Object.entries(WAYS)) {
    for (const code of ['EACCES', 'EPERM', 'ENOSPC', 'EROFS']) {
      test(`a file is not ${way} if its lock cannot be created (${code})`, async () => {
        opening((open, name, ...rest) =>
          isLock(name) ? Promise.reject(Object.assign(new Error(code), { code })) : open(name, ...rest),
        );
        await assert.rejects(change(), { code });
        assert.equal(readFileSync(path, 'utf8'), 'old');
      });
    }

    test(`a file is not ${way} by a process that lost its lock during a pause`, async () => {
      let isPaused = false;
      opening(async (open, name, ...rest) => {
        const file = await open(name, ...rest);
        // Pauses between the comparison of the file's text and the change.
        if (name === path && !isPaused) {
          const { read } = file;
          file.read = (async (...args: Parameters<typeof read>) => {
            const result = await read.apply(file, args);
            if (!isPaused) {
              isPaused = true;
              await anotherWrites();
            }
            return result;
          }) as typeof read;
        }
        return file;
      });
      assert.equal(await change(), 'changed');
      assert.equal(readFileSync(path, 'utf8'), 'theirs');
      assert.ok(!readdirSync(folder).some((name) => name.endsWith('.tmp')));
    });
  }

  /** Simulates another process that finds an expired lock, removes it, and writes the file. */
  async function anotherWrites(): Promise<void> {
    const past = new Date(Date.now() - 3_600_000);
    const lock = readdirSync(folder).find(isLock);
    assert.ok(lock !== undefined);
    utimesSync(join(folder, lock), past, past);
    const theirs = { old: 'old', text: 'theirs' };
    assert.equal(await replaceFile(path, theirs), 'changed');
    assert.equal(await replaceFile(path, theirs), 'written');
  }

  test('is removed if the disk is full', async () => {
    opening(async (open, name, ...rest) => {
      const file = await open(name, ...rest);
      if (isLock(name)) file.writeFile = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
      return file;
    });
    await assert.rejects(replaceFile(path, { old: 'old', text: 'new' }), { code: 'ENOSPC' });
    assert.deepEqual(readdirSync(folder), ['a.skill.md']);
  });

  test('a process that has lost its lock does not remove the lock of another process', async () => {
    let lock = '';
    opening(async (open, name, ...rest) => {
      if (isLock(name)) lock = String(name);
      else if (name === path && lock) writeFileSync(lock, 'of another');
      return open(name, ...rest);
    });
    assert.equal(await replaceFile(path, { old: 'old', text: 'new' }), 'changed');
    assert.equal(readFileSync(lock, 'utf8'), 'of another');
    assert.equal(readFileSync(path, 'utf8'), 'old');
  });
});
