/** Successive edits, each to the result of the previous one, are combined into edits to the original text. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { type EditedFile, unedited, withEdits } from '../../../server/src/skill/edited-file.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { applyEdits, span } from '../../../server/src/text.ts';
import { cases } from '../../random.ts';

test('keeps edits at different positions separate, and merges edits at the same position', () => {
  const text = 'one two three four';
  let steps: EditedFile | undefined = unedited(new SkillFile('file:///w/a.skill.md', text));
  steps = withEdits(steps, [{ span: span(0, 3), newText: '1' }]);
  steps = withEdits(steps, [{ span: span(6, 11), newText: '3' }]);
  steps = withEdits(steps, [{ span: span(6, 7), newText: 'III' }]);
  assert.deepEqual(steps?.edits, [
    { span: span(0, 3), newText: '1' },
    { span: span(8, 13), newText: 'III' },
  ]);
  assert.equal(steps?.file.text, '1 two III four');
});

test('the combined edits turn the first text into the last text', () => {
  const step = fc.array(fc.tuple(fc.nat(40), fc.nat(6), fc.string({ maxLength: 5 })), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.string({ maxLength: 40 }), fc.array(step, { maxLength: 5 }), (text, all) => {
      let steps: EditedFile = unedited(new SkillFile('file:///w/a.skill.md', text));
      for (const wanted of all) {
        let from = 0;
        const edits = wanted.flatMap(([at, length, newText]) => {
          const start = from + at;
          if (start > steps.file.text.length) return [];
          from = Math.min(start + length, steps.file.text.length) + 1;
          return [{ span: span(start, from - 1), newText }];
        });
        const after = applyEdits(steps.file.text, edits);
        steps = withEdits(steps, edits) ?? steps;
        assert.equal(steps.file.text, after);
        assert.equal(applyEdits(text, steps.edits), after);
        for (const [i, { span: place }] of steps.edits.entries()) {
          assert.ok(i === 0 || (steps.edits[i - 1]?.span.end ?? 0) < place.start, 'edits do not touch');
        }
      }
    }),
    cases(300),
  );
});
