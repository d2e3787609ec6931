/** Two simultaneous requests for a folder share one read of that folder. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { Files } from '../../../server/src/io/files.ts';
import { FolderReadings } from '../../../server/src/io/read-folder.ts';

const ROOT = 'file:///w/tidy';

/** A folder with one file, whose text may change, and the number of times that the file was read. */
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

test('shares the files of a folder while another reader uses them', async () => {
  const { made, readings } = disk();
  const shared = await readings.read(ROOT, undefined, () => readings.current(ROOT));
  assert.deepEqual(shared, [{ path: 'a.md', text: 'old' }]);
  assert.equal(made.reads, 1);
});

test('a new reading of a folder does not return files from an earlier reading', async () => {
  const { made, readings } = disk();
  await readings.read(ROOT, undefined, async () => {
    made.text = 'new';
    const [file] = await readings.read(ROOT, undefined, async (files) => files);
    assert.equal(file?.text, 'new');
  });
});

test('reads a folder again after the previous reader has finished or failed', async () => {
  const { made, readings } = disk();
  await assert.rejects(readings.read(ROOT, undefined, () => Promise.reject(new Error('no'))));
  made.text = 'new';
  assert.deepEqual(await readings.current(ROOT), [{ path: 'a.md', text: 'new' }]);
});

test('does not share a partial reading', async () => {
  const { readings } = disk();
  const shared = await readings.read(
    ROOT,
    () => false,
    () => readings.current(ROOT),
  );
  assert.deepEqual(shared, [{ path: 'a.md', text: 'old' }]);
});
