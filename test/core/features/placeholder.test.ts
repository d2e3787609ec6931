/** The placeholder of a fix: it is selected after the fix, and reported until the author replaces it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { codeActions } from '../../../server/src/features/actions/code-actions.ts';
import { utf16 } from '../../../server/src/features/locate.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { applyEdits } from '../../../server/src/text.ts';

const PLACEHOLDER = 'What this skill does, and when to use it.';

/** Applies the first action, and returns the text, the selected text and the findings after it. */
function afterFirstAction(path: string, before: string, selectCommand?: string) {
  const workspace = new Workspace();
  const uri = `file:///w/${path}`;
  workspace.apply({ kind: 'text', uri, text: before });
  const file = workspace.analysis.file(uri);
  assert.ok(file);
  const range = utf16.range(file, { start: 0, end: before.length });
  const [action] = codeActions(workspace.analysis, file, range, undefined, utf16, {}, { select: selectCommand });
  const edits = (action?.edit?.changes?.[uri] ?? []).map(({ range: { start, end }, newText }) => ({
    span: { start: utf16.offset(file, start), end: utf16.offset(file, end) },
    newText,
  }));
  const text = applyEdits(before, edits);
  workspace.apply({ kind: 'text', uri, text });
  const changed = workspace.analysis.file(uri);
  assert.ok(changed);
  const place = action?.command?.arguments?.[0]?.range;
  const selected = place && text.slice(utf16.offset(changed, place.start), utf16.offset(changed, place.end));
  const found = check(changed, workspace.analysis);
  const findings = found.map(({ severity, span }) => `${severity}: ${text.slice(span.start, span.end)}`);
  return { title: action?.title, command: action?.command?.command, selected, findings };
}

const CASES = [
  ['tidy/SKILL.md', '# Tidy\n\nTidy the notes.\n', 'Add the frontmatter'],
  ['tidy/SKILL.md', '\uFEFF# Tidy\r\n\r\nTidy the notes.\r\n', 'Add the frontmatter'],
  ['tidy/SKILL.md', '---\nname: tidy\n---\n\nTidy.\n', 'Add a ‘description’ to fill in'],
  ['tidy.skill.md', 'Tidy the notes.\n', 'Add the frontmatter'],
  ['tidy.skill.yaml', '# nothing yet\n', 'Add the mandatory keys'],
] as const;

describe('the placeholder of a fix', () => {
  for (const [path, text, title] of CASES)
    it(`is selected and reported in \`${path}\`: ${JSON.stringify(text)}`, () => {
      const done = afterFirstAction(path, text, 'client.select');
      assert.deepEqual(done, {
        ...{ title, command: 'client.select', selected: PLACEHOLDER },
        findings: [`warning: ${PLACEHOLDER}`],
      });
    });

  it('is not selected if the client has no command for this', () => {
    assert.equal(afterFirstAction('tidy/SKILL.md', 'Tidy.\n').command, undefined);
  });
});
