/** The lines that saving an expected prompt adds to a sample. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { expectSnapshot } from '../../../server/src/testing/expectation.ts';
import { applyEdits } from '../../../server/src/text.ts';

const skill = (...samples: readonly string[]): SkillFile =>
  new SkillFile(
    'file:///greet.skill.md',
    ['---', 'name: greet', 'samples:', ...samples, '---', '', 'Greet.', ''].join('\n'),
  );

/** The lines of the samples after the edits. */
function after(...samples: readonly string[]): readonly string[] | undefined {
  const file = skill(...samples);
  const edits = expectSnapshot(file, 'first');
  return edits && applyEdits(file.text, edits).split('\n').slice(3, -4);
}

test('adds expectations to a sample', () => {
  const block = ['  first:', '    parameters: {guest: Ada} # who comes', '  second: {}'];
  assert.deepEqual(after(...block), [...block.slice(0, 2), '    expect: {snapshot: true}', '  second: {}']);
  assert.deepEqual(after('  first: {request: Hello}'), ['  first: {request: Hello, expect: {snapshot: true}}']);
});

test('keeps other expectations', () => {
  const block = ['  first:', '    expect:', '      tokens: {max: 9} # enough'];
  assert.deepEqual(after(...block), [...block, '      snapshot: true']);
  assert.deepEqual(after('  first: {expect: {tokens: {max: 9}}}'), [
    '  first: {expect: {tokens: {max: 9}, snapshot: true}}',
  ]);
  assert.deepEqual(after('  first:', '    expect: {snapshot: false}'), ['  first:', '    expect: {snapshot: true}']);
});

test('adds the snapshot to an empty sample and to empty expectations', () => {
  assert.deepEqual(after('  first:'), ['  first:', '    expect: {snapshot: true}']);
  assert.deepEqual(after('  first: {}'), ['  first: {expect: {snapshot: true}}']);
  assert.deepEqual(after('  first:', '    expect:'), ['  first:', '    expect:', '      snapshot: true']);
});

test('changes nothing if the sample already expects a snapshot', () => {
  assert.deepEqual(expectSnapshot(skill('  first: {expect: {snapshot: true}}'), 'first'), []);
});

test('refuses a sample to which it cannot add the expectation', () => {
  assert.equal(after('  first: [1, 2]'), undefined);
  assert.equal(after('  first: {expect: nothing}'), undefined);
  assert.equal(after('  first: &values {request: Hello}', '  second: *values'), undefined);
  assert.equal(after('  second: {}'), undefined);
});
