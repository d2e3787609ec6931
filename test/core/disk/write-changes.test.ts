/** Writes either all changes of an agent or none. */
import { strict as assert } from 'node:assert';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { type FileChange, writeChanges } from '../../../server/src/frontends/mcp/write-changes.ts';
import { temporaryFolder } from '../../temporary.mjs';
import { beforeEachStep, restoreSteps } from './steps.ts';

describe('changes to several files', () => {
  const folder = temporaryFolder();

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
    const files = Array.from({ length: 100 }, (_, number) => `${number}.md`);
    for (const file of files) writeFileSync(join(folder, file), 'old\n');
    const changes = files.map((file) => change(file, file === '99.md' ? 'another\n' : 'old\n', 'new\n'));
    const refused = assert.rejects(writeChanges(changes), {
      reason: 'write-failed',
      message:
        '`99.md` has changed since it was read. Apply the change to the current text. The changes in `0.md` could not be undone. Check these files.',
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

  afterEach(restoreSteps);

  it('stay in the folder if a parent folder is exchanged for a link at any step', async () => {
    const kinds = [
      [undefined, 'new\n'],
      ['old\n', 'new\n'],
      ['old\n', undefined],
    ] as const;
    for (const [kind, [old, text]] of kinds.entries()) {
      for (let at = 0; at < 12; at++) {
        const [inner, outside] = [join(folder, `in-${kind}-${at}`), join(folder, `out-${kind}-${at}`)];
        for (const one of [inner, outside]) mkdirSync(join(one, 'deep'), { recursive: true });
        if (old !== undefined) for (const one of [inner, outside]) writeFileSync(join(one, 'deep/a.md'), old);
        const before = readdirSync(join(outside, 'deep'));
        beforeEachStep((step) => {
          if (step !== at) return;
          renameSync(join(inner, 'deep'), join(inner, 'moved'));
          symlinkSync(join(outside, 'deep'), join(inner, 'deep'));
        });
        const change = { path: join(inner, 'deep/a.md'), folder: inner, file: 'deep/a.md', old, text };
        const isDone = await writeChanges([change]).then(
          () => true,
          () => false,
        );
        restoreSteps();
        assert.deepEqual(readdirSync(join(outside, 'deep')), before, `step ${at}`);
        if (old !== undefined) assert.equal(readFileSync(join(outside, 'deep/a.md'), 'utf8'), old);
        // The change is undone in the folder that was moved.
        if (!isDone && old !== undefined) assert.equal(readFileSync(join(inner, 'moved/a.md'), 'utf8'), old);
        if (!isDone && old === undefined) assert.ok(!existsSync(join(inner, 'moved/a.md')));
      }
    }
  });
});
