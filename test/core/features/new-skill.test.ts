/** The quick fix that creates a missing skill: its path, and its text, which has no findings. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { CreateFile, type TextDocumentEdit } from 'vscode-languageserver-types';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { initialText } from '../../../server/src/authoring/new-skill.ts';
import { codeActions } from '../../../server/src/features/actions/code-actions.ts';
import { utf16 } from '../../../server/src/features/locate.ts';
import { check } from '../../../server/src/rules/engine/check.ts';

const ROOT = 'file:///w/';

const part = (name: string) =>
  `name: ${name}\ndescription: Does ${name}. Use it for that.\nversion: 1.0.0\nlevel: 1\ninput_schema: {}\noutput_schema: {}\n`;
const whole = (more: string) =>
  `---\nname: whole\ndescription: Does it all. Use it for that.\nversion: 1.0.0\nlevel: 2\ninput_schema: {topic: string}\noutput_schema: {}\n${more}---\n\nDo it.\n`;

function workspaceOf(files: Readonly<Record<string, string>>): Workspace {
  const workspace = new Workspace();
  for (const [path, text] of Object.entries(files)) workspace.apply({ kind: 'text', uri: ROOT + path, text });
  return workspace;
}

/** The path and text of the new file after the fix "Create" for a missing skill. */
function created(workspace: Workspace, path: string): { readonly path: string; readonly text: string } | undefined {
  const { analysis } = workspace;
  const file = analysis.file(ROOT + path);
  assert.ok(file);
  const everywhere = utf16.range(file, { start: 0, end: file.text.length });
  const actions = codeActions(analysis, file, everywhere, undefined, utf16, { textOfNew: initialText });
  const [make, fill] = actions.find(({ title }) => /^Create ‘/.test(title))?.edit?.documentChanges ?? [];
  if (!CreateFile.is(make)) return undefined;
  const { textDocument, edits } = fill as TextDocumentEdit;
  assert.equal(textDocument.uri, make.uri);
  return {
    path: make.uri.slice(ROOT.length),
    text: edits.map((edit) => ('newText' in edit ? edit.newText : '')).join(''),
  };
}

const rulesIn = ({ analysis }: Workspace, path: string): readonly string[] => {
  const file = analysis.file(ROOT + path);
  return file ? check(file, analysis).map(({ rule }) => rule) : [];
};

const agentSkill = '---\nname: fetch\ndescription: Fetches. Use it for that.\n---\n\n# Fetch\n';

for (const [where, files, expected] of [
  [
    'beside a skill that composes no other skill',
    { 'a/whole.skill.md': whole('composes: [judge]\n') },
    'a/judge.skill.md',
  ],
  [
    'in the folder and the format of the other composed skills',
    { 'a/whole.skill.md': whole('composes: [fetch, judge]\n'), 'parts/fetch.skill.yaml': part('fetch') },
    'parts/judge.skill.yaml',
  ],
  [
    'in a separate folder, like the other composed skills',
    { 'a/whole.skill.md': whole('composes: [fetch, judge]\n'), 'parts/fetch/SKILL.md': agentSkill },
    'parts/judge/SKILL.md',
  ],
  [
    'beside a plain Markdown file, as a plain Markdown file',
    { 'skills/whole.md': whole('composes: [judge]\n') },
    'skills/judge.md',
  ],
] as const) {
  test(`creates a missing skill ${where}`, () => {
    const workspace = workspaceOf(files);
    const [path = ''] = Object.keys(files);
    const made = created(workspace, path);
    assert.equal(made?.path, expected);
    workspace.apply({ kind: 'text', uri: ROOT + expected, text: made?.text ?? '' });
    assert.deepEqual(rulesIn(workspace, expected), expected.endsWith('SKILL.md') ? ['unclear-description'] : []);
    assert.ok(!rulesIn(workspace, path).includes('skill-not-found'));
  });
}

test('creates a composed skill with level 1, and a mentioned skill without a level', () => {
  const composed = created(workspaceOf({ 'whole.skill.md': whole('composes: [judge]\n') }), 'whole.skill.md');
  assert.match(composed?.text ?? '', /^level: 1$/m);
  const told = created(workspaceOf({ 'a.skill.md': whole('').replace('Do it.', 'See #skill:judge.') }), 'a.skill.md');
  assert.doesNotMatch(told?.text ?? '', /^level:/m);
});

test('creates the skill with the required version', () => {
  const requiring = (range: string) =>
    workspaceOf({ 'a.skill.md': whole(`composes: [judge]\nrequires: [{skill: judge, version: "${range}"}]\n`) });
  assert.match(created(requiring('^2.1.0'), 'a.skill.md')?.text ?? '', /^version: 2\.1\.0$/m);
  assert.match(created(requiring('>=0.5'), 'a.skill.md')?.text ?? '', /^version: 1\.0\.0$/m);
  assert.match(created(requiring('nonsense'), 'a.skill.md')?.text ?? '', /^version: 0\.1\.0$/m);
});

test('creates nothing for an invalid name or for a file without a folder', () => {
  for (const name of ['Not/A/Name', 'aux']) {
    assert.equal(created(workspaceOf({ 'a.skill.md': whole(`composes: [${name}]\n`) }), 'a.skill.md'), undefined);
  }
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri: 'untitled:Untitled-1', text: whole('composes: [judge]\n') });
  const file = workspace.analysis.file('untitled:Untitled-1');
  assert.ok(file);
  assert.ok(check(file, workspace.analysis).every(({ fixes }) => fixes.every(({ creates }) => !creates)));
});

test('offers only other fixes to a client that cannot create files', () => {
  const workspace = workspaceOf({ 'a.skill.md': whole('composes: [judge]\n') });
  const file = workspace.analysis.file(`${ROOT}a.skill.md`);
  assert.ok(file);
  const everywhere = utf16.range(file, { start: 0, end: file.text.length });
  const titles = codeActions(workspace.analysis, file, everywhere, undefined, utf16).map(({ title }) => title);
  assert.ok(
    titles.some((title) => title.startsWith('Remove ‘judge’ from ‘composes’')),
    `${titles}`,
  );
  assert.ok(titles.every((title) => !title.startsWith('Create')));
});
