/** The quick fix that opens the list of clients, at the findings that exist because of the target clients. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { type ActionCommands, codeActions } from '../../../server/src/features/actions/code-actions.ts';
import { utf16 } from '../../../server/src/features/locate.ts';

const FOLDER = 'file:///w';
const COMMAND = 'editor.chooseClients';

/** Returns the codes of the findings of each action `Choose clients…`, with its command, for a file of a workspace. */
function offered(
  files: Readonly<Record<string, string>>,
  path: string,
  commands: ActionCommands = { chooseClients: COMMAND },
) {
  const workspace = new Workspace();
  for (const [name, text] of Object.entries(files)) workspace.apply({ kind: 'text', uri: `${FOLDER}/${name}`, text });
  const file = workspace.analysis.file(`${FOLDER}/${path}`);
  assert.ok(file);
  const range = utf16.range(file, { start: 0, end: file.text.length });
  const actions = codeActions(workspace.analysis, file, range, undefined, utf16, {}, commands);
  return actions
    .filter(({ title }) => title === 'Choose clients…')
    .map(({ kind, command, diagnostics, isPreferred }) => ({
      kind,
      command: command?.command,
      arguments: command?.arguments,
      codes: [...new Set(diagnostics?.map(({ code }) => code))],
      isPreferred,
    }));
}

const skill = (body: string, keys = ''): string =>
  `---\nname: pdf\ndescription: Merges PDF files. Use it for PDF files.\n${keys}---\n\n${body}\n`;
const catalog = (ids: string): string => `agent_skills: {clients: [${ids}]}\n`;

describe('the action that chooses clients', () => {
  const CASES: readonly (readonly [string, string, string, string, string])[] = [
    ['agent-skill-not-loaded', 'claude-code', '.agents/skills/pdf/SKILL.md', 'Merge them.', ''],
    ['agent-skill-ignored', 'codex', '.agents/skills/pdf/SKILL.md', 'Merge them.', 'user-invocable: false\n'],
    [
      'argument-numbers',
      'claude-code',
      '.claude/skills/pdf/SKILL.md',
      'Merge $1 and $2.',
      'argument-hint: "[first] [second]"\n',
    ],
    ['unfilled-placeholder', 'codex', '.agents/skills/pdf/SKILL.md', 'Merge $ARGUMENTS.', ''],
  ];
  for (const [rule, ids, path, body, keys] of CASES) {
    it(`is offered for ${rule}`, () => {
      const files = { 'skills.config.yaml': catalog(ids), [path]: skill(body, keys) };
      const [action, ...more] = offered(files, path);
      assert.deepEqual(more, []);
      assert.deepEqual(action, {
        kind: 'quickfix',
        command: COMMAND,
        arguments: [{ uri: `${FOLDER}/${path}` }],
        codes: [rule],
        isPreferred: undefined,
      });
    });
  }

  it('is offered once for several findings, and not for findings without a client', () => {
    const path = '.agents/skills/pdf/SKILL.md';
    const text = skill('See [the areas](references/areas.md). Merge $ARGUMENTS.', 'nme: pdf\n');
    const files = { 'skills.config.yaml': catalog('claude-code'), [path]: text };
    assert.deepEqual(
      offered(files, path).map(({ codes }) => codes),
      [['agent-skill-not-loaded']],
    );
    const valid = { '.claude/skills/pdf/SKILL.md': skill('Merge them.', 'nme: pdf\n') };
    assert.deepEqual(offered(valid, '.claude/skills/pdf/SKILL.md'), []);
  });

  it('is not offered in an editor without the command', () => {
    const path = '.agents/skills/pdf/SKILL.md';
    const files = { 'skills.config.yaml': catalog('claude-code'), [path]: skill('Merge them.') };
    assert.equal(offered(files, path).length, 1);
    assert.deepEqual(offered(files, path, {}), []);
  });
});
