/** Watching the disk: the last write is always read, even if it immediately follows another write. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { watchDisk } from '../../../server/src/hosts/cli/watching/watch-disk.ts';

test('reads the last written text, regardless of the time between two writes', async () => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'skill-composer-watch-'));
  const path = join(folder, 'a.skill.md');
  writeFileSync(path, 'start');
  const disk = await watchDisk([folder], false);
  try {
    for (const gap of [0, 1, 5, 10, 20, 30, 40, 50, 60, 80]) {
      writeFileSync(path, `first ${gap}`);
      await wait(gap);
      writeFileSync(path, `last ${gap}`);
      let read = '';
      while (read !== `last ${gap}`) {
        assert.deepEqual(await disk.next(), [path]);
        read = readFileSync(path, 'utf8');
      }
    }
  } finally {
    disk.end();
    rmSync(folder, { recursive: true, force: true });
  }
});
