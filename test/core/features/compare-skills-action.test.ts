/** The quick fixes for two skills with similar descriptions: an edit of one description, and a comparison of the files. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { type ActionCommands, codeActions } from '../../../server/src/features/actions/code-actions.ts';
import { utf16 } from '../../../server/src/features/locate.ts';

const COMMANDS: ActionCommands = { compare: 'editor.compare', select: 'editor.select' };

/** The titles of the actions, other than suppressions, with their commands, in the first of these skills. */
function offered(descriptions: Readonly<Record<string, string>>, commands: ActionCommands = COMMANDS) {
  const workspace = new Workspace();
  for (const [name, description] of Object.entries(descriptions)) {
    const text = `---\nname: ${name}\ndescription: ${description}\n---\n\nDo it.\n`;
    workspace.apply({ kind: 'text', uri: `file:///w/${name}/SKILL.md`, text });
  }
  const file = workspace.analysis.file(`file:///w/${Object.keys(descriptions)[0]}/SKILL.md`);
  assert.ok(file);
  const range = utf16.range(file, { start: 0, end: file.text.length });
  return codeActions(workspace.analysis, file, range, undefined, utf16, undefined, commands)
    .filter(({ title }) => !title.startsWith('Suppress'))
    .map(({ title, command }) => ({ title, command: command?.command, given: command?.arguments }));
}

const WRITES = 'Writes release notes from merged pull requests. Use before a release.';
const DRAFTS = 'Drafts release notes from merged pull requests. Use before a release.';

describe('two skills with similar descriptions', () => {
  it('are compared, and one of them says when to use the other one', () => {
    const [say, compare, ...more] = offered({ 'write-notes': WRITES, 'draft-notes': DRAFTS });
    assert.deepEqual([say?.title, say?.command], ['Say when to use ‘draft-notes’ instead', 'editor.select']);
    assert.deepEqual(compare, {
      title: 'Compare with ‘draft-notes’',
      command: 'editor.compare',
      given: [{ left: 'file:///w/write-notes/SKILL.md', right: 'file:///w/draft-notes/SKILL.md' }],
    });
    assert.deepEqual(more, []);
  });

  const only = (descriptions: Readonly<Record<string, string>>) => offered(descriptions).map(({ title }) => title);

  it('are only compared if no example tells them apart, or if a name is an ordinary word', () => {
    assert.deepEqual(only({ 'write-notes': WRITES, 'draft-notes': WRITES }), ['Compare with ‘draft-notes’']);
    assert.deepEqual(only({ 'write-notes': WRITES, draft: DRAFTS }), ['Compare with ‘draft’']);
    const [minutes, records] = [
      'Resume las actas de la reunión semanal cuando termina',
      'Redacta las actas de la reunión semanal cuando termina',
    ];
    assert.deepEqual(only({ 'las-actas': minutes, 'otras-actas': records }), ['Compare with ‘otras-actas’']);
  });

  it('are compared with at most three others', () => {
    const titles = only({
      'a-notes': WRITES,
      'b-notes': WRITES,
      'c-notes': WRITES,
      'd-notes': WRITES,
      'e-notes': WRITES,
    });
    assert.deepEqual(
      titles,
      ['b', 'c', 'd'].map((letter) => `Compare with ‘${letter}-notes’`),
    );
  });

  it('are not compared in an editor without the command', () => {
    assert.deepEqual(
      offered({ 'write-notes': WRITES, 'draft-notes': WRITES }, {}).map(({ title }) => title),
      [],
    );
  });
});
