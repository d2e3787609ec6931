import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { codeLenses } from '../../../server/src/features/code-lens.ts';
import { utf16 } from '../../../server/src/features/locate.ts';
import { parseSkill } from '../../../server/src/skill/document.ts';

const URI = 'file:///work/skills/test.skill.md';

/** The lenses of a frontmatter: line, title and what the command gets. */
const lensesOf = (frontmatter: string) =>
  codeLenses(parseSkill(URI, `---\n${frontmatter}---\n`), 'open', utf16).map(({ range, command }) => [
    range.start.line,
    command?.title,
    command?.arguments,
  ]);

test('a lens stands over the name, and one over each sample', () => {
  const lenses = lensesOf('name: test\ndescription: It tests.\nsamples:\n  at dusk:\n    request: Go.\n  late: {}\n');
  assert.deepEqual(lenses, [
    [1, 'Preview', [{ uri: URI }]],
    [4, 'Preview this sample', [{ uri: URI, sample: 'at dusk' }]],
    [6, 'Preview this sample', [{ uri: URI, sample: 'late' }]],
  ]);
});

test('a skill without a name has no lens of its own', () => {
  assert.deepEqual(lensesOf('description: It tests.\n'), []);
});
