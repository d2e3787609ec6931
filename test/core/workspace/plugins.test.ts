/** The plugins of a workspace, and the skills that they ship. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';

const ROOT = 'file:///w';

/** A workspace with manifests, given as data by path, and with skills, given by their folders. */
function open(manifests: Readonly<Record<string, unknown>>, folders: readonly string[]): Workspace {
  const workspace = new Workspace();
  for (const [path, data] of Object.entries(manifests)) {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    workspace.apply({ kind: 'text', uri: `${ROOT}/${path}`, text });
  }
  for (const folder of folders) {
    const text = '---\nname: a\ndescription: Does it.\n---\n';
    workspace.apply({ kind: 'text', uri: `${ROOT}/${folder === '' ? '' : `${folder}/`}SKILL.md`, text });
  }
  return workspace;
}

/** The folders of the skills that a plugin ships. */
const shipped = ({ analysis }: Workspace, name: string): readonly string[] | undefined =>
  analysis.skillsOfPlugin(name)?.map(({ uri }) => uri.slice(ROOT.length + 1).replace(/\/?SKILL\.md$/, ''));

describe('a plugin ships', () => {
  const folders = ['skills/a', 'skills/b', 'skills/group/c', 'more/d', 'more', 'one', ''];
  const rows: readonly (readonly [
    title: string,
    path: string,
    data: unknown,
    folders: readonly string[] | undefined,
  ])[] = [
    ['the folders in `skills`, and a skill of its own', '.claude-plugin/plugin.json', {}, ['', 'skills/a', 'skills/b']],
    ['a listed skill in addition', '.claude-plugin/plugin.json', { skills: './one' }, ['one', 'skills/a', 'skills/b']],
    [
      'the skills of a listed folder',
      '.codex-plugin/plugin.json',
      { skills: ['./skills/group/'] },
      ['skills/a', 'skills/b', 'skills/group/c'],
    ],
    [
      'a listed folder that is itself a skill',
      '.github/plugin/plugin.json',
      { skills: ['more'] },
      ['more', 'more/d', 'skills/a', 'skills/b'],
    ],
    ['its own folder', '.claude-plugin/plugin.json', { skills: ['.'] }, ['', 'more', 'one', 'skills/a', 'skills/b']],
    [
      'only `skills` in Agent Plugins',
      'plugin.json',
      { $schema: 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json', skills: './one' },
      ['skills/a', 'skills/b'],
    ],
    ['the folders in `skills` as an extension', 'gemini-extension.json', { skills: './one' }, ['skills/a', 'skills/b']],
    ['the same for Qwen Code', 'qwen-extension.json', {}, ['skills/a', 'skills/b']],
    [
      'the same with a manifest of Copilot CLI',
      '.plugin/plugin.json',
      { skills: './one' },
      ['one', 'skills/a', 'skills/b'],
    ],
    ['nothing without a manifest of a plugin', 'plugin.json', {}, undefined],
    ['nothing with a manifest that is not valid JSON', '.claude-plugin/plugin.json', '{"name": "p",}', undefined],
    [
      'nothing with strange values',
      '.claude-plugin/plugin.json',
      { skills: [1, null, {}, ['x'], '', '/skills', 'https://x/y', '$HOME/x'] },
      ['', 'skills/a', 'skills/b'],
    ],
  ];
  for (const [title, path, data, expected] of rows) {
    it(title, () => {
      const manifest = typeof data === 'string' ? data : { name: 'p', ...(data as object) };
      assert.deepEqual(shipped(open({ [path]: manifest }, folders), 'p'), expected);
    });
  }
});

describe('a marketplace', () => {
  const marketplace = (...plugins: readonly unknown[]) => ({
    '.claude-plugin/marketplace.json': { name: 'm', plugins },
  });

  it('declares plugins in folders, which have their own skills', () => {
    const workspace = open(
      marketplace(
        { name: 'p', source: './plugins/p' },
        { name: 'q', source: { source: 'local', path: './plugins/q' }, skills: './x' },
      ),
      ['skills/a', 'plugins/p/skills/b', 'plugins/q/skills/c', 'plugins/q/x'],
    );
    assert.deepEqual(shipped(workspace, 'p'), ['plugins/p/skills/b']);
    assert.deepEqual(shipped(workspace, 'q'), ['plugins/q/skills/c', 'plugins/q/x']);
  });

  it('divides the skills of its folder among plugins that list them', () => {
    const workspace = open(
      marketplace(
        { name: 'p', source: './', skills: ['./skills/a'] },
        { name: 'q', source: '.', skills: ['skills/b/'] },
      ),
      ['skills/a', 'skills/b', 'skills/c'],
    );
    assert.deepEqual(shipped(workspace, 'p'), ['skills/a']);
    assert.deepEqual(shipped(workspace, 'q'), ['skills/b']);
  });

  it('resolves bare names below `metadata.pluginRoot`', () => {
    const workspace = open(
      {
        '.claude-plugin/marketplace.json': {
          metadata: { pluginRoot: './plugins' },
          plugins: [
            { name: 'p', source: 'p' },
            { name: 'q', source: './other/q' },
          ],
        },
      },
      ['plugins/p/skills/a', 'other/q/skills/b'],
    );
    assert.deepEqual(
      [shipped(workspace, 'p'), shipped(workspace, 'q')],
      [['plugins/p/skills/a'], ['other/q/skills/b']],
    );
  });

  it('does not know the skills of plugins in other repositories', () => {
    const workspace = open(
      marketplace(
        { name: 'p', source: { source: 'github', repo: 'a/b' } },
        { name: 'q', source: 'https://x/y' },
        { name: 'r' },
        7,
      ),
      ['skills/a'],
    );
    assert.deepEqual(
      ['p', 'q', 'r'].map((name) => shipped(workspace, name)),
      [undefined, undefined, undefined],
    );
  });
});

it('an edit of a manifest changes what it ships, and removing it forgets the plugin', () => {
  const workspace = open({ '.claude-plugin/plugin.json': { name: 'p' } }, ['skills/a', 'x/b']);
  const uri = `${ROOT}/.claude-plugin/plugin.json`;
  assert.equal(workspace.apply({ kind: 'text', uri, text: '{"name": "p", "skills": "x"}' }), 'all');
  assert.deepEqual(shipped(workspace, 'p'), ['skills/a', 'x/b']);
  assert.notEqual(workspace.apply({ kind: 'text', uri, text: '{"name": "p",  "skills": "x"}' }), 'all');
  workspace.apply({ kind: 'delete', uri });
  assert.equal(shipped(workspace, 'p'), undefined);
});
