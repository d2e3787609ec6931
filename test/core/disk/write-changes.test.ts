/** Writes either all changes of an agent or none. */
import { strict as assert } from 'node:assert';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type FileChange, writeChanges } from '../../../server/src/hosts/mcp/write-changes.ts';

describe('changes to several files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'changes-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const change = (file: string, old: string | undefined, text: string | undefined): FileChange => ({
    ...{ path: join(folder, file), folder, file, old, text },
  });
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8');

  it('are reverted if one change is refused', async () => {
    writeFileSync(join(folder, 'a.md'), 'a\n');
    writeFileSync(join(folder, 'b.md'), 'somebody was faster\n');
    const refused = writeChanges([change('a.md', 'a\n', 'A\n'), change('b.md', 'b\n', 'B\n')]);
    await assert.rejects(refused, { reason: 'changed' });
    assert.deepEqual([read('a.md'), read('b.md')], ['a\n', 'somebody was faster\n']);
  });

  it('that cannot be reverted are reported, and the others are reverted', async () => {
    const files = Array.from({ length: 300 }, (_, number) => `${number}.md`);
    for (const file of files) writeFileSync(join(folder, file), 'old\n');
    const changes = files.map((file) => change(file, file === '299.md' ? 'another\n' : 'old\n', 'new\n'));
    const refused = assert.rejects(writeChanges(changes), {
      reason: 'write-failed',
      message:
        '`299.md` has changed since it was read. Apply the change to the current text. The changes in `0.md` could not be undone. Check these files.',
    });
    // Another process writes the first file while the remaining files are being written.
    while (read('0.md') !== 'new\n') await new Promise((resolve) => setImmediate(resolve));
    writeFileSync(join(folder, '0.md'), 'theirs\n');
    await refused;
    assert.deepEqual(
      files.map(read),
      files.map((file) => (file === '0.md' ? 'theirs\n' : 'old\n')),
    );
  });
});
