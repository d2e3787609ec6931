/** The account scope: the skills that a name refers to, and the folders that are read to find these skills. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { occurrencesOf } from '../../../server/src/features/symbol/occurrences.ts';
import { skillTarget } from '../../../server/src/features/symbol/target.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { accountFolders } from '../../../server/src/workspace/account.ts';
import { contract } from './skills.ts';

const WHOLE = 'file:///w/whole.skill.yaml';

/** A workspace and an account, with the lines of each file. */
function open(files: Readonly<Record<string, string>>): Workspace {
  const workspace = new Workspace();
  for (const [uri, text] of Object.entries(files)) workspace.apply({ kind: 'text', uri: `file:///${uri}`, text });
  workspace.apply({ kind: 'account', folders: ['file:///home/me/.skills'] });
  return workspace;
}

function meant(workspace: Workspace): string | undefined {
  const file = workspace.analysis.file(WHOLE);
  return file && workspace.analysis.resolveSkill(file, 'part')?.uri;
}

function rulesAt(workspace: Workspace, uri: string): readonly string[] {
  const file = workspace.analysis.file(`file:///${uri}`);
  assert.ok(file);
  return check(file, workspace.analysis).map(({ rule }) => rule);
}

const whole = contract('whole', 'level: 2', 'composes: [part]');

describe('a skill name resolves to', () => {
  const account = { 'home/me/.skills/part.skill.yaml': contract('part', 'version: 2.0.0') };
  const own = { 'w/part.skill.yaml': contract('part') };

  it('the skill in the account if the workspace has no skill with this name', () => {
    const workspace = open({ 'w/whole.skill.yaml': whole, ...account });
    assert.equal(meant(workspace), 'file:///home/me/.skills/part.skill.yaml');
    assert.deepEqual(rulesAt(workspace, 'w/whole.skill.yaml'), []);
  });

  it('the skill in the workspace, regardless of the version in the account', () => {
    const workspace = open({ 'w/whole.skill.yaml': whole, ...account, ...own });
    assert.equal(meant(workspace), 'file:///w/part.skill.yaml');
  });

  it('the skill in the workspace even if only the version in the account is in the range', () => {
    const ranged = contract('whole', 'level: 2', 'composes: [part]', 'requires: [{skill: part, version: ^2.0.0}]');
    const workspace = open({ 'w/whole.skill.yaml': ranged, ...account, ...own });
    assert.equal(meant(workspace), 'file:///w/part.skill.yaml');
    const file = workspace.analysis.file(WHOLE);
    assert.ok(file);
    const [finding, ...others] = check(file, workspace.analysis);
    assert.deepEqual(others, []);
    assert.equal(
      finding?.message,
      'Version 1.0.0 of `part` is below `^2.0.0`; 2.0.0 of the account matches, but is hidden. Change the range, or add a matching version to this workspace folder.',
    );
    assert.deepEqual(
      finding?.related.map(({ uri }) => uri),
      ['file:///w/part.skill.yaml', 'file:///home/me/.skills/part.skill.yaml'],
    );
  });

  it('the hidden skill in the account after the skill in the workspace is deleted', () => {
    const workspace = open({ 'w/whole.skill.yaml': whole, ...account, ...own });
    const affected = workspace.apply({ kind: 'delete', uri: 'file:///w/part.skill.yaml' });
    assert.ok(affected !== 'all' && affected.has(WHOLE));
    assert.equal(meant(workspace), 'file:///home/me/.skills/part.skill.yaml');
  });

  it('a skill in any folder of the workspace', () => {
    const workspace = open({ 'w/whole.skill.yaml': whole, ...account, 'other/part.skill.yaml': contract('part') });
    assert.equal(meant(workspace), 'file:///other/part.skill.yaml');
  });
});

it('a hidden skill is not a duplicate, unlike two account skills with the same name', () => {
  const workspace = open({
    'w/part.skill.yaml': contract('part'),
    'home/me/.skills/part.skill.yaml': contract('part'),
    'home/me/.skills/twin.skill.yaml': contract('twin'),
    'home/me/.skills/more/twin.skill.yaml': contract('twin'),
  });
  assert.deepEqual(rulesAt(workspace, 'w/part.skill.yaml'), []);
  assert.deepEqual(rulesAt(workspace, 'home/me/.skills/part.skill.yaml'), []);
  assert.deepEqual(rulesAt(workspace, 'home/me/.skills/twin.skill.yaml'), ['duplicate-skill']);
});

it('a name remains a tool while any file defines a tool with this name', () => {
  const tool = contract('read-page', 'backing_service: {endpoint: https://example.org}');
  const workspace = open({ 'w/a.skill.yaml': tool, 'w/b.skill.yaml': tool });
  workspace.apply({ kind: 'delete', uri: 'file:///w/a.skill.yaml' });
  assert.ok(workspace.analysis.graph.tools.has('read-page'));
  workspace.apply({ kind: 'delete', uri: 'file:///w/b.skill.yaml' });
  assert.ok(!workspace.analysis.graph.tools.has('read-page'));
});

describe('the account folder', () => {
  const folders = (accountSkills: string, more: object = {}) => {
    const workspace = new Workspace();
    const uri = 'file:///home/me/work/skills.config.yaml';
    workspace.apply({ kind: 'text', uri, text: `account_skills: ${JSON.stringify(accountSkills)}\n` });
    return accountFolders(workspace.index, {
      home: 'file:///home/me',
      roots: ['file:///home/me/work'],
      setting: undefined,
      trustsCatalogs: true,
      ...more,
    });
  };
  for (const [written, meantFolder] of [
    ['~/.skills', 'file:///home/me/.skills'],
    ['~/.skills/', 'file:///home/me/.skills'],
    ['../shared', 'file:///home/me/shared'],
    ['of/the/team', 'file:///home/me/work/of/the/team'],
    ['/srv/my skills', 'file:///srv/my%20skills'],
    ['C:\\Skills', 'file:///c%3A/Skills'],
  ] as const) {
    it(`\`${written}\` resolves to ${meantFolder}`, () => assert.deepEqual(folders(written), [meantFolder]));
  }
  for (const written of ['~', '/', '..', '.', '', '/home']) {
    it(`\`${written}\` is not read, because it contains the home folder or the workspace`, () =>
      assert.deepEqual(folders(written), []));
  }

  it('from the settings is used together with the folder from the catalog', () => {
    const both = ['file:///home/me/.skills', 'file:///home/me/mine'];
    assert.deepEqual(folders('~/.skills', { setting: '~/mine' }), both);
  });

  it('from a catalog is ignored in an untrusted workspace', () => {
    assert.deepEqual(folders('~/.skills', { trustsCatalogs: false }), []);
    assert.deepEqual(folders('~/.skills', { trustsCatalogs: false, setting: '~/mine' }), ['file:///home/me/mine']);
  });

  it('is not read by a host that cannot read files outside of the workspace', () =>
    assert.deepEqual(folders('~/.skills', { home: undefined }), []));
});

it('renaming a skill in the workspace does not rename the skill that it hides', () => {
  const workspace = open({
    'w/whole.skill.yaml': whole,
    'w/part.skill.yaml': contract('part'),
    'home/me/.skills/part.skill.yaml': contract('part'),
  });
  const found = occurrencesOf(workspace.analysis, skillTarget(workspace.analysis, 'part'));
  assert.deepEqual([...new Set(found.map((one) => one.file.uri))], ['file:///w/part.skill.yaml', WHOLE]);
});
