/** The fix that creates the missing file of a link. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { codeActions, type NewSkillText } from '../../../server/src/features/actions/code-actions.ts';
import { utf16 } from '../../../server/src/features/locate.ts';

const ROOT = 'file:///w/';
const SKILL = `${ROOT}tidy-notes/SKILL.md`;

/** The titles of the fixes for a link to the missing file `path`, and the edits of the fix that creates the file. */
function fixesOf(path: string, makesFiles = true) {
  const workspace = new Workspace();
  const text = `---\nname: tidy-notes\ndescription: Tidies notes. Use it often.\n---\n\nAs the [guide](${path}) says.\n`;
  workspace.apply({ kind: 'text', uri: SKILL, text });
  workspace.apply({ kind: 'exists', uri: new URL(path, SKILL).href, exists: false });
  const file = workspace.analysis.file(SKILL);
  assert.ok(file);
  const everywhere = utf16.range(file, { start: 0, end: text.length });
  const textOfNew: NewSkillText | undefined = makesFiles ? () => undefined : undefined;
  const actions = codeActions(workspace.analysis, file, everywhere, undefined, utf16, { textOfNew });
  const made = actions.find(({ title }) => title.startsWith('Create'));
  return { titles: actions.map(({ title }) => title), changes: made?.edit?.documentChanges };
}

test('creates a missing page with a title from the file name', () => {
  const uri = `${ROOT}tidy-notes/references/house-style.md`;
  const start = { line: 0, character: 0 };
  assert.deepEqual(fixesOf('references/house-style.md').changes, [
    { kind: 'create', uri, options: { overwrite: false, ignoreIfExists: false } },
    { textDocument: { uri, version: null }, edits: [{ range: { start, end: start }, newText: '# House style\n' }] },
  ]);
});

for (const [what, path] of [
  ['outside of the folder of the skill', '../shared/style.md'],
  ['that is not Markdown', 'assets/cover.png'],
  ['that would be another skill', 'more/SKILL.md'],
  ['with the name of a Windows device', 'references/aux.md'],
  ['in a folder whose name Windows changes', 'notes./style.md'],
] as const) {
  test(`offers no file ${what}`, () => {
    assert.equal(fixesOf(path).changes, undefined);
  });
}

test('offers no file to a client that cannot create files', () => {
  const { titles } = fixesOf('references/house-style.md', false);
  assert.ok(titles.length > 0);
  assert.ok(!titles.some((title) => title.startsWith('Create')), titles.join());
});
