/** Parses git's list of the files in a commit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Git } from '../../../server/src/io/git.ts';
import { Commit } from '../../../server/src/io/git-commit.ts';
import { MAX_FILE_BYTES } from '../../../server/src/protocol.ts';

test('does not read a committed file above the size limit', async () => {
  const [small, large] = ['a'.repeat(40), 'b'.repeat(40)];
  const tree = `100644 blob ${small} 2\ta.skill.md\0` + `100644 blob ${large} ${MAX_FILE_BYTES + 1}\tb.skill.md\0`;
  const answers: Record<string, string> = { 'rev-parse': 'true', 'ls-tree': tree, 'cat-file': 'Hi' };
  const read: (string | undefined)[] = [];
  const git: Git = async (command = '', ...words) => {
    if (command === 'cat-file') read.push(words.at(-1));
    const stdout = words.includes('--show-cdup') ? '' : (answers[command] ?? '');
    return { ok: true, stdout, bytes: Buffer.from(stdout), reason: '' };
  };
  const commit = await Commit.read(git, 'HEAD', '/w', () => {});
  assert.equal(await commit.text('/w/a.skill.md'), 'Hi');
  assert.equal(await commit.text('/w/b.skill.md'), undefined);
  assert.deepEqual(read, [small]);
});
