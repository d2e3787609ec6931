/** The names of saved prompts and outputs. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSavedPrompt, savedName, savedText, slugOf } from '../../../server/src/testing/saved-files.ts';

test('keeps a name that has only lower-case letters, digits and hyphens', () => {
  assert.equal(slugOf('siege-at-dusk-2'), 'siege-at-dusk-2');
});

test('adds part of a digest to any other name, so that two names never share a file', () => {
  assert.match(slugOf('Siege at dusk'), /^siege-at-dusk-[0-9a-f]{6}$/);
  assert.match(slugOf('包囲戦'), /^[0-9a-f]{6}$/);
  assert.notEqual(slugOf('siege at dusk'), slugOf('Siege at dusk'));
});

test('adds the version to the name if the folder has several versions', () => {
  assert.equal(savedName('outline', '1.2.0', 'dusk'), 'outline@1.2.0.dusk');
  assert.equal(savedName('outline', undefined, 'dusk'), 'outline.dusk');
});

test('no skill or sample name leads to a path outside of the folder', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.string({ unit: 'binary' }), (skill, version, sample) => {
      assert.match(savedName(skill, version, sample), /^[a-z0-9-]*(@[\w.+-]+)?\.[a-z0-9-]*$/);
    }),
  );
});

test('compares a prompt with the saved prompt, regardless of line endings', () => {
  assert.equal(savedText('a\nb'), 'a\nb\n');
  assert.ok(isSavedPrompt('a\nb', 'a\r\nb\r\n'));
  assert.ok(!isSavedPrompt('a\nb', 'a\nb'));
});
