/** What the first defect in a JSON Schema needs is made ready while nobody types, and only where there is a JSON Schema. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { milestone } from '../../../server/src/hosts/milestone.ts';
import { createTyping } from '../../../server/src/hosts/typing.ts';
import { createWarmUp } from '../../../server/src/hosts/warm-up.ts';
import { parseSkill } from '../../../server/src/skill/document.ts';

const skill = (schema: string) =>
  parseSkill('file:///a.skill.md', `---\nname: a\ndescription: What it is.\ninput_schema: ${schema}\n---\n`);
const shorthand = skill('{place: string}');
const jsonSchema = skill('{type: object, properties: {place: {type: string}}}');

/** A clock of its own, and what was made ready by it. */
function begin() {
  let now = 0;
  let prepared = 0;
  let due: { readonly at: number; readonly work: () => void } | undefined;
  const typing = createTyping(() => now);
  const checked = milestone();
  const warmUp = createWarmUp({
    checked: () => checked.promise,
    typing,
    prepare: () => void prepared++,
    later: (work, milliseconds) => {
      due = { at: now + milliseconds, work };
    },
  });
  return {
    typing,
    warmUp,
    prepared: () => prepared,
    /** All is checked, and whoever waits for that has heard of it. */
    check: async () => {
      checked.resolve();
      await new Promise(setImmediate);
    },
    pass: (milliseconds: number) => {
      now += milliseconds;
      if (!due || due.at > now) return;
      const { work } = due;
      due = undefined;
      work();
    },
  };
}

describe('the warm-up', () => {
  test('takes place 400 ms after all is checked, and once', async () => {
    const { warmUp, check, pass, prepared } = begin();
    warmUp(jsonSchema);
    pass(10_000);
    assert.equal(prepared(), 0, 'it is still being checked');
    await check();
    pass(399);
    assert.equal(prepared(), 0);
    pass(1);
    assert.equal(prepared(), 1);
    warmUp(jsonSchema);
    await check();
    pass(10_000);
    assert.equal(prepared(), 1);
  });

  test('waits for the end of the typing, however long it goes on', async () => {
    const { typing, warmUp, check, pass, prepared } = begin();
    warmUp(jsonSchema);
    await check();
    for (let key = 0; key < 50; key++) {
      typing.typed();
      pass(100);
    }
    assert.equal(prepared(), 0);
    pass(99);
    assert.equal(prepared(), 0);
    pass(1);
    assert.equal(prepared(), 1);
  });

  test('is none where no schema is a JSON Schema, until there is one', async () => {
    const { warmUp, check, pass, prepared } = begin();
    warmUp(shorthand);
    warmUp(undefined);
    await check();
    pass(10_000);
    assert.equal(prepared(), 0);
    warmUp(jsonSchema);
    await check();
    pass(400);
    assert.equal(prepared(), 1);
  });
});
