/** Watching the disk: every file is seen, and its last write is read. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type DiskWatch, watchDisk } from '../../../server/src/frontends/cli/watching/watch-disk.ts';
import { temporaryFolder } from '../../temporary.mjs';

test('reads the last written text, regardless of the time between two writes', async () => {
  const folder = temporaryFolder();
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
  }
});

/** Waits for a batch with a path. */
async function changed(disk: DiskWatch, path: string): Promise<void> {
  while (!(await disk.next())?.includes(path));
}

for (const [how, leave, comeBack] of [
  ['deleted and made again', (root: string) => rmSync(root, { recursive: true }), (root: string) => mkdirSync(root)],
  [
    'moved and moved back',
    (root: string) => renameSync(root, `${root}-away`),
    (root: string) => renameSync(`${root}-away`, root),
  ],
  [
    'exchanged for another folder',
    () => undefined,
    (root: string) => {
      mkdirSync(`${root}-new`);
      renameSync(root, `${root}-old`);
      renameSync(`${root}-new`, root);
    },
  ],
] as const) {
  test(`follows a folder that is ${how}`, async () => {
    const folder = temporaryFolder();
    const root = join(folder, 'skills');
    const path = join(root, 'a.skill.md');
    mkdirSync(root);
    writeFileSync(path, 'start');
    const disk = await watchDisk([root], false);
    try {
      leave(root);
      if (how !== 'exchanged for another folder') await changed(disk, path);
      comeBack(root);
      writeFileSync(path, 'back');
      await changed(disk, path);
      const other = join(root, 'b.skill.md');
      writeFileSync(other, 'later');
      await changed(disk, other);
    } finally {
      disk.end();
    }
  });
}

test('ends a batch although changes continue', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'a.skill.md');
  writeFileSync(path, 'start');
  const disk = await watchDisk([folder], false);
  let count = 0;
  const saving = setInterval(() => writeFileSync(path, `${count++}`), 20);
  try {
    assert.deepEqual(await disk.next(), [path]);
    assert.deepEqual(await disk.next(), [path]);
  } finally {
    clearInterval(saving);
    disk.end();
  }
});

test('sees the files of new folders, regardless of the time between folder and file', async () => {
  const folder = temporaryFolder();
  const disk = await watchDisk([folder], false);
  const expected = new Set<string>();
  try {
    for (let turns = 0; turns < 60; turns++) {
      const deep = join(folder, `${turns}`, 'skills');
      mkdirSync(deep, { recursive: true });
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
      const path = join(deep, 'a.skill.md');
      writeFileSync(path, 'new');
      expected.add(path);
    }
    while (expected.size > 0) for (const path of (await disk.next()) ?? []) expected.delete(path);
  } finally {
    disk.end();
  }
});
