/** Summaries are compared completely: a field that is not compared would leave outdated findings in other files. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import {
  isSameForIndirectComposers,
  isSameForOtherFiles,
  isSameSummary,
  type SkillSummary,
} from '../../../server/src/skill/summary.ts';

const { summary } = new SkillFile('file:///w/tell.skill.md', '---\nname: tell\n---\n').entry;

test('two summaries that differ in any field are not equal', () => {
  for (const field of Object.keys(summary)) {
    const other = { ...summary, [field]: 'something else' } as unknown as SkillSummary;
    assert.ok(!isSameSummary(summary, other), `\`sameSummary\` compares \`${field}\``);
  }
});

test('indirect composites do not depend on fields such as schemas and successors', () => {
  const unseen = Object.keys(summary).filter((field) => {
    const other = { ...summary, [field]: 'something else' } as unknown as SkillSummary;
    return isSameForIndirectComposers(summary, other);
  });
  const expected = ['agentSkill', 'inputs', 'mentions', 'outputs', 'successor', 'sunset'];
  assert.deepEqual(unseen.sort(), expected.sort());
});

test('every field except mentions affects other files', () => {
  const unseen = Object.keys(summary).filter((field) =>
    isSameForOtherFiles(summary, { ...summary, [field]: 'something else' } as unknown as SkillSummary),
  );
  assert.deepEqual(unseen, ['mentions']);
});

test('the summary of a `SKILL.md` lists all names in its body, and stays the same until a name is added', () => {
  const head = '---\nname: tell\ndescription: d\n---\n';
  const body = 'Run /one or `$two`, the `three` skill, #skill:four, [five](../five/x.md) and a/SKILL.md.\n';
  const file = new SkillFile('file:///w/tell/SKILL.md', head + body);
  assert.deepEqual(file.summary.mentions, ['five', 'four', 'one', 'three', 'two']);
  assert.equal(file.edited(`${head}${body}More, with /one.\n`).summary, file.summary);
  assert.deepEqual(file.edited(`${head}Run /six.\n`).summary.mentions, ['six']);
  // In a skill in the composer format, only the form `#skill:name` is a reference.
  assert.deepEqual(new SkillFile('file:///w/tell.skill.md', head + body).summary.mentions, ['four']);
});
