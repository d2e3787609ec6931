/** Replacing a file that other processes also replace. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { removeFile, replaceFile } from '../../../server/src/io/write-file.ts';
import { temporaryFolder } from '../../temporary.mjs';

const folder = temporaryFolder();
const path = join(folder, 'a.skill.md');

test('only one of several writers succeeds, and the others fail because the file has changed', async () => {
  writeFileSync(path, 'old');
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, at) => replaceFile(path, { old: 'old', text: `new ${at}` })),
  );
  assert.deepEqual(
    results.filter((result) => result === 'written'),
    ['written'],
  );
  assert.equal(readFileSync(path, 'utf8'), `new ${results.indexOf('written')}`);
  assert.deepEqual(readdirSync(folder), ['a.skill.md']);
});

test('the lock of a killed process delays only one writer', async () => {
  writeFileSync(path, 'old');
  const name = createHash('sha256').update('a.skill.md').digest('hex').slice(0, 12);
  const lock = join(folder, `.skill-composer-lock-${name}.tmp`);
  writeFileSync(lock, '');
  const change = { old: 'old', text: 'new' };
  assert.deepEqual([await replaceFile(path, change), await removeFile(path, 'old')], ['changed', 'changed']);
  const past = new Date(Date.now() - 60_000);
  utimesSync(lock, past, past);
  assert.equal(await replaceFile(path, change), 'changed');
  assert.equal(await replaceFile(path, change), 'written');
  assert.equal(await removeFile(path, 'new'), 'removed');
  assert.deepEqual(readdirSync(folder), []);
});

test('no lock blocks writers forever, even if it has a future date or is a folder', async () => {
  const name = createHash('sha256').update('a.skill.md').digest('hex').slice(0, 12);
  const lock = join(folder, `.skill-composer-lock-${name}.tmp`);
  const change = { old: 'old', text: 'new' };
  for (const [make, offset] of [
    [() => writeFileSync(lock, ''), 60_000],
    [() => mkdirSync(join(lock, 'x'), { recursive: true }), -60_000],
  ] as const) {
    writeFileSync(path, 'old');
    make();
    const time = new Date(Date.now() + offset);
    utimesSync(lock, time, time);
    assert.equal(await replaceFile(path, change), 'changed');
    assert.equal(await replaceFile(path, change), 'written');
    assert.deepEqual(readdirSync(folder), ['a.skill.md']);
  }
});
