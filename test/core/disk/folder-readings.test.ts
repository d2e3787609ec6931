/** Two who ask for one folder at the same time share one reading of it. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { Files } from '../../../server/src/hosts/files/files.ts';
import { FolderReadings } from '../../../server/src/hosts/files/read-folder.ts';

const ROOT = 'file:///w/tidy';

/** A folder of one file, whose text may change, and how often it is read. */
function disk() {
  const made = { text: 'old', reads: 0 };
  const files: Files = {
    find: async () => [],
    exists: async () => true,
    async read() {
      made.reads++;
      return { kind: 'text', text: made.text };
    },
    list: async () => [{ name: 'a.md', isFolder: false }],
  };
  return { made, readings: new FolderReadings(files) };
}

test('while one reads a folder and uses what it read, another gets the same files', async () => {
  const { made, readings } = disk();
  const shared = await readings.read(ROOT, undefined, () => readings.share(ROOT));
  assert.deepEqual(shared, [{ path: 'a.md', text: 'old' }]);
  assert.equal(made.reads, 1);
});

test('who reads anew never gets what somebody else has begun to read before', async () => {
  const { made, readings } = disk();
  await readings.read(ROOT, undefined, async () => {
    made.text = 'new';
    const [file] = await readings.read(ROOT, undefined, async (files) => files);
    assert.equal(file?.text, 'new');
  });
});

test('once its use has ended, also by an error, a reading is not shared any more', async () => {
  const { made, readings } = disk();
  await assert.rejects(readings.read(ROOT, undefined, () => Promise.reject(new Error('no'))));
  made.text = 'new';
  assert.deepEqual(await readings.share(ROOT), [{ path: 'a.md', text: 'new' }]);
});

test('of a folder that is read in part nothing is shared', async () => {
  const { readings } = disk();
  const shared = await readings.read(
    ROOT,
    () => false,
    () => readings.share(ROOT),
  );
  assert.deepEqual(shared, [{ path: 'a.md', text: 'old' }]);
});
