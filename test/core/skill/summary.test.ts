/** What other files may depend on is compared whole: a field that nobody compares would leave findings behind. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { type SkillSummary, sameForIndirectComposers, sameSummary } from '../../../server/src/skill/summary.ts';

const { summary } = new SkillFile('file:///w/tell.skill.md', '---\nname: tell\n---\n').entry;

test('two summaries that differ in any field are not the same', () => {
  for (const field of Object.keys(summary)) {
    const other = { ...summary, [field]: 'something else' } as unknown as SkillSummary;
    assert.ok(!sameSummary(summary, other), `\`sameSummary\` compares \`${field}\``);
  }
});

test('whoever composes a skill indirectly depends on neither its schemas nor its successor', () => {
  const unseen = Object.keys(summary).filter((field) => {
    const other = { ...summary, [field]: 'something else' } as unknown as SkillSummary;
    return sameForIndirectComposers(summary, other);
  });
  const expected = ['agentSkill', 'hasUnknownKeys', 'inputs', 'mentions', 'outputs', 'successor', 'sunset'];
  assert.deepEqual(unseen.sort(), expected);
});
