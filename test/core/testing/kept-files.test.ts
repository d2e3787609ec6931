/** The names of kept prompts and outputs. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { asKept, isKept, keptName, slugOf } from '../../../server/src/testing/kept-files.ts';

test('a name of small letters, digits and hyphens is its own slug', () => {
  assert.equal(slugOf('siege-at-dusk-2'), 'siege-at-dusk-2');
});

test('another name gets a part of its digest, so that two names never share a file', () => {
  assert.match(slugOf('Siege at dusk'), /^siege-at-dusk-[0-9a-f]{6}$/);
  assert.match(slugOf('包囲戦'), /^[0-9a-f]{6}$/);
  assert.notEqual(slugOf('siege at dusk'), slugOf('Siege at dusk'));
});

test('a file of versions side by side has the version in its name', () => {
  assert.equal(keptName('outline', '1.2.0', 'dusk'), 'outline@1.2.0.dusk');
  assert.equal(keptName('outline', undefined, 'dusk'), 'outline.dusk');
});

test('no name of a skill or a sample leads out of the folder', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.string({ unit: 'binary' }), (skill, version, sample) => {
      assert.match(keptName(skill, version, sample), /^[a-z0-9-]*(@[\w.+-]+)?\.[a-z0-9-]*$/);
    }),
  );
});

test('a prompt is the kept one, whatever the line ends of the file', () => {
  assert.equal(asKept('a\nb'), 'a\nb\n');
  assert.ok(isKept('a\nb', 'a\r\nb\r\n'));
  assert.ok(!isKept('a\nb', 'a\nb'));
});
