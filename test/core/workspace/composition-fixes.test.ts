/** Fixes of the composition rules, where a page would not show what they leave alone. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyEdits } from '../../../server/src/text.ts';
import { contract, findingOf, openSkills, uriOf } from './skills.ts';

describe('removing the part that closes a cycle', () => {
  /** The lines of the skill behind `composes`, before and after the first fix. */
  function mended(...lines: readonly string[]): readonly string[] {
    const workspace = openSkills({ whole: ['level: 3', ...lines], part: ['level: 1'] });
    const [fix] = findingOf(workspace, 'whole', 'circular-dependency').fixes;
    const text = workspace.index().documents.get(uriOf('whole'))?.text ?? '';
    const after = applyEdits(text, fix?.edits[0]?.edits ?? []);
    return after.slice(contract('whole', 'level: 3').length).split('\n').slice(0, -1);
  }

  it('removes its steps, in groups and arms too', () => {
    assert.deepEqual(
      mended(
        'composes: [part, whole]',
        'execution:',
        '  - {step: part}',
        '  - speculate: [{step: whole}, {step: part}]',
      ),
      ['composes: [part]', 'execution:', '  - {step: part}', '  - speculate: [{step: part}]'],
    );
    assert.deepEqual(
      mended(
        'composes: [part, whole]',
        'execution:',
        '  - {step: part}',
        '  - parallel: [{step: whole}]',
        '  - {step: part}',
      ),
      ['composes: [part]', 'execution:', '  - {step: part}', '  - {step: part}'],
    );
  });

  it('removes an execution that would run nothing', () => {
    assert.deepEqual(mended('composes: [part, whole]', 'execution: [{step: whole}]'), ['composes: [part]']);
  });

  it('leaves the steps alone where two entries share their name', () => {
    const lines = ['composes: [part, {skill: whole, as: part}]', 'execution: [{step: part}]'];
    assert.deepEqual(mended(...lines), ['composes: [part]', 'execution: [{step: part}]']);
  });

  it('leaves the steps alone where their edits would meet', () => {
    const lines = ['composes: [part, whole]', 'execution: [{step: whole}, {step: whole}, {step: part}]'];
    assert.deepEqual(mended(...lines), ['composes: [part]', lines[1]]);
  });
});

describe('widening one of two ranges', () => {
  const titles = (...more: readonly string[]) => {
    const workspace = openSkills({
      whole: ['composes: [a, b, c]'],
      a: ['requires: [{skill: part, version: ^1.0.0}]'],
      b: ['requires: [{skill: part, version: "~2.0.0"}]'],
      c: more,
      part: ['version: 2.0.3'],
    });
    return findingOf(workspace, 'whole', 'version-conflict').fixes.map(({ title }) => title);
  };

  it('is offered for the range that alone keeps a version of the workspace out', () => {
    assert.deepEqual(titles(), ['Widen `^1.0.0` in `a` to `^1.0.0 || ^2.0.3`']);
    assert.deepEqual(titles('requires: [{skill: part, version: ">=1"}]'), [
      'Widen `^1.0.0` in `a` to `^1.0.0 || ^2.0.3`',
    ]);
  });

  it('is not offered where a third range keeps it out as well', () => {
    assert.deepEqual(titles('requires: [{skill: part, version: "<2"}]'), []);
  });
});
