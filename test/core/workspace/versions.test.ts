/** The version that a name refers to, if several files define versions of one skill (docs/format.md, section 4). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { matchSkills } from '../../../server/src/analysis/match-skills.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { check } from '../../../server/src/rules/check.ts';
import { contract } from './skills.ts';

/** A workspace with the skill `whole`, which composes `part`, and the versions of `part`, each with more lines. */
function open(versions: Readonly<Record<string, readonly string[]>>, ...lines: readonly string[]): Workspace {
  const workspace = new Workspace();
  const put = (name: string, text: string) =>
    workspace.apply({ kind: 'text', uri: `file:///w/${name}.skill.yaml`, text });
  for (const [version, more] of Object.entries(versions)) {
    put(`part-${version.replaceAll(/[.+]/g, '-')}`, contract('part', `version: ${version}`, ...more));
  }
  put('whole', contract('whole', 'level: 2', 'composes: [part]', ...lines));
  return workspace;
}

function resolved(workspace: Workspace): string | undefined {
  const file = workspace.analysis.file('file:///w/whole.skill.yaml');
  return file && workspace.analysis.resolveSkill(file, 'part')?.summary.version;
}

const requiring = (range: string) => `requires: [{skill: part, version: "${range}"}]`;

function found({ analysis }: Workspace) {
  const { matches, excluded } = matchSkills(analysis, { request: 'part', top: 10, source: 'agent-selected' });
  return {
    matches: matches.map(({ version }) => version),
    reasons: excluded.filter(({ name }) => name === 'part').map(({ reason }) => reason),
  };
}

const findings = ({ analysis }: Workspace, name: string, rule: string) => {
  const file = analysis.file(`file:///w/${name}.skill.yaml`);
  assert.ok(file);
  return check(file, analysis).filter((finding) => finding.rule === rule);
};

describe('a pre-release', () => {
  const versions = { '1.0.0': [], '1.1.0': [], '2.0.0-beta.1': [], '2.0.0-beta.2': [] };

  it('is not used without a range', () => {
    assert.equal(resolved(open(versions)), '1.1.0');
    assert.equal(resolved(open({ '1.0.0': ['deprecated: true'], '2.0.0-beta.1': [] })), '1.0.0');
  });

  it('is used without a range if there is no release', () => {
    assert.equal(resolved(open({ '2.0.0-beta.1': [], '2.0.0-beta.2': [], '1.0.0-rc.1': [] })), '2.0.0-beta.2');
    assert.equal(resolved(open({ '2.0.0-beta.1': [], '2.0.0-beta.2': ['deprecated: true'] })), '2.0.0-beta.1');
  });

  for (const [range, version] of [
    ['>=2.0.0-alpha', '2.0.0-beta.2'],
    ['2.0.0-beta.1', '2.0.0-beta.1'],
    ['^2.0.0-beta.1', '2.0.0-beta.2'],
    ['>=1.0.0', '1.1.0'],
    ['*', '1.1.0'],
    ['>=1.0.0-alpha', '1.1.0'],
    ['~1.0.0', '1.0.0'],
    ['^1.0.0 || ^2.0.0-beta.1', '2.0.0-beta.2'],
  ] as const) {
    it(`is used for \`${range}\` only if the range contains a pre-release of the same version`, () =>
      assert.equal(resolved(open(versions, requiring(range))), version));
  }

  it('is not used for a range that allows no version', () => {
    const workspace = open(versions, requiring('^3.0.0'));
    assert.equal(resolved(workspace), '1.1.0');
    assert.match(findings(workspace, 'whole', 'version-mismatch')[0]?.message ?? '', /^No version of `part`/);
  });

  it('is left out of a ranking', () => {
    assert.deepEqual(found(open({ '1.1.0': [], '2.0.0-beta.1': [] })), {
      matches: ['1.1.0'],
      reasons: ['it is a pre-release, and 1.1.0 is the newest release'],
    });
    assert.deepEqual(found(open({ '2.0.0-beta.1': [], '2.0.0-beta.2': [] })).matches, ['2.0.0-beta.2']);
  });
});

describe('build metadata', () => {
  it('does not distinguish two versions', () => {
    const workspace = open({ '1.0.0': [], '1.0.0+b2': [] });
    const messages = ['part-1-0-0', 'part-1-0-0-b2'].map((name) => findings(workspace, name, 'duplicate-skill'));
    assert.deepEqual(
      messages.map(([finding]) => finding?.message),
      [
        '`part` 1.0.0 is the same version as 1.0.0+b2 in another file, because build metadata does not count. Rename one, or change its version.',
        '`part` 1.0.0+b2 is the same version as 1.0.0 in another file, because build metadata does not count. Rename one, or change its version.',
      ],
    );
  });

  it('is ignored in pre-releases and in ranges, too', () => {
    const workspace = open({ '1.0.0-rc.1+a': [], '1.0.0-rc.1+b': [] });
    assert.equal(findings(workspace, 'part-1-0-0-rc-1-a', 'duplicate-skill').length, 1);
    assert.equal(
      findings(open({ '1.0.0-rc.1+a': [], '1.0.0-rc.2': [] }), 'part-1-0-0-rc-2', 'duplicate-skill').length,
      0,
    );
    assert.equal(resolved(open({ '1.0.0+b2': [], '1.1.0': [] }, requiring('1.0.0'))), '1.0.0+b2');
  });
});
