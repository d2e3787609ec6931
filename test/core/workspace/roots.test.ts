/** Workspaces with several folders: the own folder of a file is searched first (docs/format.md, section 4, "Scope"). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type MatchQuery, matchSkills } from '../../../server/src/analysis/match-skills.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { occurrencesOf, targetAt } from '../../../server/src/features/symbol/occurrences.ts';
import { offeredSkills } from '../../../server/src/planner/offered.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { contract } from './skills.ts';

const ROOTS = ['file:///a', 'file:///b'];

/** A workspace with the folders `roots` and these files, by path. */
function open(files: Readonly<Record<string, string>>, roots: readonly string[] = ROOTS): Workspace {
  const workspace = new Workspace();
  workspace.apply({ kind: 'roots', folders: roots });
  for (const [path, text] of Object.entries(files)) workspace.apply({ kind: 'text', uri: `file:///${path}`, text });
  return workspace;
}

const path = (uri: string | undefined) => uri?.slice('file:///'.length).replace('.skill.yaml', '');

function meant({ analysis }: Workspace, from: string): string | undefined {
  const file = analysis.file(`file:///${from}.skill.yaml`);
  assert.ok(file, from);
  return path(analysis.resolveSkill(file, 'part')?.uri);
}

function messagesIn({ analysis }: Workspace, from: string): readonly string[] {
  const file = analysis.file(`file:///${from}.skill.yaml`);
  assert.ok(file, from);
  return check(file, analysis).map(({ message }) => message);
}

const part = (version: string, ...lines: readonly string[]) => contract('part', `version: ${version}`, ...lines);
const whole = contract('whole', 'level: 2', 'composes: [part]');
const BOTH = {
  'a/part.skill.yaml': part('1.0.0'),
  'b/part.skill.yaml': part('2.0.0'),
  'a/whole.skill.yaml': whole,
  'b/whole.skill.yaml': whole,
};

describe('a skill name resolves to', () => {
  it('the skill in the own folder, even if another folder has a higher version', () => {
    assert.deepEqual(
      ['a/whole', 'b/whole'].map((from) => meant(open(BOTH), from)),
      ['a/part', 'b/part'],
    );
  });

  it('the skill in the first other folder if the own folder has none', () => {
    const three = { ...BOTH, 'c/whole.skill.yaml': whole };
    assert.equal(meant(open(three, ['file:///c', ...ROOTS]), 'c/whole'), 'a/part');
    assert.equal(meant(open(three, ['file:///c', 'file:///b', 'file:///a']), 'c/whole'), 'b/part');
  });

  it('the skill in the innermost folder that contains the file', () => {
    const nested = { 'a/part.skill.yaml': part('1.0.0'), 'a/b/part.skill.yaml': part('1.0.0') };
    const workspace = open({ ...nested, 'a/b/whole.skill.yaml': whole }, ['file:///a', 'file:///a/b']);
    assert.equal(meant(workspace, 'a/b/whole'), 'a/b/part');
  });

  it('a skill of the workspace before one of the account', () => {
    const workspace = open({ ...BOTH, 'home/part.skill.yaml': part('3.0.0'), 'c/whole.skill.yaml': whole }, [
      'file:///c',
      ...ROOTS,
    ]);
    workspace.apply({ kind: 'account', folders: ['file:///home'] });
    assert.equal(meant(workspace, 'c/whole'), 'a/part');
  });

  it('the skills of all folders after the folders were merged', () => {
    const workspace = open(BOTH);
    assert.equal(workspace.apply({ kind: 'roots', folders: ['file:///'] }), 'all');
    assert.equal(meant(workspace, 'a/whole'), 'b/part');
  });
});

describe('the same version in two folders', () => {
  const same = { 'a/part.skill.yaml': part('1.0.0'), 'b/part.skill.yaml': part('1.0.0') };

  it('is not a duplicate, unlike two files of one folder', () => {
    assert.deepEqual(messagesIn(open(same), 'a/part'), []);
    assert.equal(messagesIn(open({ ...same, 'a/x/part.skill.yaml': part('1.0.0') }), 'a/part').length, 1);
    assert.deepEqual(messagesIn(open({ ...same, 'a/x/part.skill.yaml': part('1.0.0') }), 'b/part'), []);
    assert.equal(messagesIn(open(same, ['file:///']), 'a/part').length, 1);
  });
});

it('a range that only a hidden version satisfies names this version', () => {
  const ranged = contract('whole', 'level: 2', 'composes: [part]', 'requires: [{skill: part, version: ^2.0.0}]');
  assert.deepEqual(messagesIn(open({ ...BOTH, 'a/whole.skill.yaml': ranged }), 'a/whole'), [
    'Version 1.0.0 of `part` is below `^2.0.0`; 2.0.0 of another workspace folder matches, but is hidden. Change the range, or add a matching version to this workspace folder.',
  ]);
  assert.deepEqual(messagesIn(open({ ...BOTH, 'b/whole.skill.yaml': ranged }), 'b/whole'), []);
});

it('the occurrences of a name are in the folder that defines it', () => {
  const { analysis } = open({ ...BOTH, 'b/other.skill.yaml': contract('other', 'level: 2', 'composes: [part]') });
  const file = analysis.file('file:///b/part.skill.yaml');
  const target = file && targetAt(analysis, file, file.text.indexOf('part'))?.target;
  assert.ok(target);
  assert.deepEqual(
    occurrencesOf(analysis, target).map((one) => path(one.file.uri)),
    ['b/other', 'b/part', 'b/whole'],
  );
});

describe('a list of skills', () => {
  const ranked = (query: Partial<MatchQuery>) => {
    const found = matchSkills(open(BOTH).analysis, { request: 'part', top: 10, source: 'agent-selected', ...query });
    return {
      matches: found.matches.filter(({ name }) => name === 'part').map(({ id }) => path(id)),
      reasons: found.excluded.filter(({ name }) => name === 'part').map(({ id, reason }) => [path(id), reason]),
    };
  };
  const reason = 'a skill of another workspace folder has the same name';

  it('contains a name once, from the own folder', () => {
    assert.deepEqual(ranked({ from: 'file:///b/whole.skill.yaml' }), {
      matches: ['b/part'],
      reasons: [['a/part', reason]],
    });
  });

  it('contains a name from the first folder if there is no own folder', () => {
    assert.deepEqual(ranked({}), { matches: ['a/part'], reasons: [['b/part', reason]] });
    const { analysis } = open(BOTH);
    assert.deepEqual(
      offeredSkills(analysis, analysis.graph.skills.keys(), undefined).map(({ uri }) => path(uri)),
      ['a/part', 'a/whole'],
    );
  });
});
