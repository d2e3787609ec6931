/** The lock file: written files can be read again, and invalid files are refused. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CAPABILITY_LISTS, type Capabilities, sortedOnce } from '../../../server/src/packing/capabilities.ts';
import { type Lock, printLock, readLock } from '../../../server/src/packing/lock.ts';

const word = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' });
const path = fc
  .array(fc.stringMatching(/^z[a-z]{0,7}$/), { minLength: 1, maxLength: 4 })
  .map((parts) => `x/${parts.join('/')}`);
const digest = fc.stringMatching(/^[0-9a-f]{64}$/);
const list = fc.array(word, { maxLength: 3 }).map(sortedOnce);
const capabilities = fc
  .record({
    operation: fc.option(fc.constantFrom('READ' as const, 'WRITE' as const), { nil: undefined }),
    lists: fc.tuple(...CAPABILITY_LISTS.map(() => list)),
  })
  .map(({ operation, lists }) => ({
    ...(operation ? { operation } : {}),
    ...(Object.fromEntries(CAPABILITY_LISTS.map((key, at) => [key, lists[at]])) as Omit<Capabilities, 'operation'>),
  }));
const locks: fc.Arbitrary<Lock> = fc
  .array(
    fc.tuple(
      word,
      fc.record({ path, origin: word, version: fc.option(word, { nil: undefined }), capabilities, digest }),
    ),
    { maxLength: 3 },
  )
  .map(
    (entries) =>
      new Map(
        entries.map(([name, { digest: own, ...rest }]) => [name, { ...rest, files: new Map([[rest.path, own]]) }]),
      ),
  );

describe('a lock file', () => {
  it('is read exactly as it was written, with any skill names', () => {
    fc.assert(
      fc.property(locks, (lock) => {
        const read = readLock(printLock(lock));
        assert.ok('value' in read, JSON.stringify(read));
        const sorted = (one: Lock) => [...one].sort(([a], [b]) => (a < b ? -1 : 1));
        assert.deepEqual(sorted(read.value), sorted(lock));
      }),
    );
  });

  it('does not depend on the order of the skills', () => {
    fc.assert(
      fc.property(locks, (lock) => {
        assert.equal(printLock(new Map([...lock].reverse())), printLock(lock));
      }),
    );
  });

  it('is read without an exception, whatever the file contains', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.jsonValue().map((json) => JSON.stringify({ version: 1, skills: json })),
        ),
        (text) => {
          readLock(text);
        },
      ),
    );
  });

  it('is refused if a path leaves the folder or a value is invalid', () => {
    const entry = { path: 'a.md', origin: '.', files: { 'a.md': '0'.repeat(64) }, capabilities: {} };
    const problems = (change: object): string => {
      const read = readLock(JSON.stringify({ version: 1, skills: { a: { ...entry, ...change } } }));
      return 'problem' in read ? read.problem : 'none';
    };
    assert.equal(problems({}), 'none');
    assert.match(problems({ path: '/etc/passwd' }), /`path` of `a` is an absolute path/);
    assert.match(problems({ path: 'b.md' }), /does not contain its `path`/);
    assert.match(problems({ files: { 'a.md': '0'.repeat(64), '../b': '0'.repeat(64) } }), /leaves the folder/);
    assert.match(problems({ files: { 'a.md': 'sha' } }), /is not a SHA-256/);
    assert.match(problems({ capabilities: { tools: 'x' } }), /`tools` of `a` is not a list of strings/);
    assert.match(problems({ capabilities: { operation: 'EXPLODE' } }), /is not a known operation/);
    assert.match(problems({ capabilities: { spells: [] } }), /unknown key `spells`/);
    assert.match(problems({ origin: 'x'.repeat(2000) }), /is not a string of at most 1024/);
  });
});
