/** The files that share the name of a skill (docs/clients.md, "Equal names"). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sameNames } from '../../../server/src/analysis/same-names.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { clientsView } from '../../../server/src/features/clients/clients-view.ts';
import { skillText } from './fixtures.ts';

test('files with equal names are listed with their scope, over the workspace, the user, plugins and commands', () => {
  const workspace = new Workspace();
  const tidy = skillText('name: tidy', 'description: Tidies.');
  const files: Readonly<Record<string, string>> = {
    'file:///w/.claude/skills/tidy/SKILL.md': tidy,
    'file:///w/.claude/commands/tidy.md': 'Tidy up.',
    'file:///w/p/.claude-plugin/plugin.json': '{"name": "p"}',
    'file:///w/p/skills/tidy/SKILL.md': tidy,
    'file:///w/p/commands/tidy.md': 'Tidy up.',
    'file:///w/docs/commands/tidy.md': 'Tidy up.',
    'file:///account/.claude/skills/tidy/SKILL.md': tidy,
    'file:///w/.claude/skills/other/SKILL.md': skillText('name: other', 'description: Does it.'),
  };
  for (const [uri, text] of Object.entries(files)) workspace.apply({ kind: 'text', uri, text });
  workspace.apply({ kind: 'account', folders: ['file:///account/.claude/skills'] });
  const { analysis } = workspace;
  const found = sameNames(analysis, 'file:///w/.claude/skills/tidy/SKILL.md');
  assert.deepEqual(
    found.map(({ uri, scope, plugins }) => [uri.slice('file:///'.length), scope, plugins.join()]),
    [
      ['w/.claude/skills/tidy/SKILL.md', 'project', ''],
      ['account/.claude/skills/tidy/SKILL.md', 'user', ''],
      ['w/p/skills/tidy/SKILL.md', 'plugin', 'p'],
      ['w/.claude/commands/tidy.md', 'command', ''],
      ['w/p/commands/tidy.md', 'command', 'p'],
    ],
  );
  const file = analysis.file('file:///w/p/skills/tidy/SKILL.md');
  const paths = file && clientsView(analysis, file)?.sameNames.map(({ path }) => path);
  assert.deepEqual(paths?.slice(0, 2), ['p/skills/tidy/SKILL.md', '.claude/skills/tidy/SKILL.md']);
  assert.deepEqual(sameNames(analysis, 'file:///w/.claude/skills/other/SKILL.md'), []);
});

test('the packages of a repository are no rivals, but the folder above them is', () => {
  const workspace = new Workspace();
  const uriIn = (project: string) => `file:///w/${project}.claude/skills/tidy/SKILL.md`;
  const projects = ['', 'packages/web/', 'packages/api/'];
  const text = skillText('name: tidy', 'description: Tidies.');
  for (const project of projects) workspace.apply({ kind: 'text', uri: uriIn(project), text });
  workspace.apply({ kind: 'text', uri: 'file:///w/packages/api/.claude/commands/tidy.md', text: 'Tidy up.' });
  const found = sameNames(workspace.analysis, uriIn('packages/web/')).map(({ uri }) => uri);
  assert.deepEqual(found, [uriIn('packages/web/'), uriIn('')]);
});

test('skills without a name, or with an empty one, share no name', () => {
  const workspace = new Workspace();
  const texts = [
    skillText('description: Tidies.'),
    skillText('name:', 'description: Tidies.'),
    'Tidy up.',
    '',
    '---\nname: " "\n---\n',
  ];
  const uris = texts.map((_, index) => `file:///w/.claude/skills/tidy-${index}/SKILL.md`);
  for (const [index, text] of texts.entries()) workspace.apply({ kind: 'text', uri: uris[index] ?? '', text });
  assert.deepEqual(
    uris.map((uri) => sameNames(workspace.analysis, uri)),
    texts.map(() => []),
  );
});
