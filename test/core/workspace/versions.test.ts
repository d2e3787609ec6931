/** The version that a name refers to, if several files define versions of one skill (docs/format.md, section 4). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { matchSkills } from '../../../server/src/analysis/match-skills.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { plannerEntry } from '../../../server/src/planner/entry.ts';
import { catalogRows, namedSkills, offeredSkills } from '../../../server/src/planner/offered.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import type { SkillFile } from '../../../server/src/skill/skill-file.ts';
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

/** Returns the version of `part` for each surface. */
function resolvedOn(workspace: Workspace, ...surfaces: readonly string[]): readonly (string | undefined)[] {
  return surfaces.map((surface) => {
    workspace.apply({ kind: 'surface', surface });
    return resolved(workspace);
  });
}

describe('a surface', () => {
  const versions = { '1.0.0': ['surfaces: [voice, web]'], '2.0.0': ['surfaces: [web]'], '3.0.0': ['surfaces: [chat]'] };

  it('keeps its version if a newer one is for another surface', () => {
    assert.deepEqual(resolvedOn(open(versions), 'voice', 'web', 'chat'), ['1.0.0', '2.0.0', '3.0.0']);
  });

  it('has the versions without surfaces', () => {
    const workspace = open({ '1.0.0': [], '2.0.0': ['surfaces: [web]'] });
    assert.deepEqual(resolvedOn(workspace, 'voice', 'web'), ['1.0.0', '2.0.0']);
    assert.deepEqual(resolvedOn(open({ '1.0.0': ['surfaces: [web]'], '2.0.0': [] }), 'web'), ['2.0.0']);
  });

  it('is ignored if it has no version, or none in the range', () => {
    assert.deepEqual(resolvedOn(open(versions), 'alerts'), ['3.0.0']);
    assert.deepEqual(resolvedOn(open(versions, requiring('^2.0.0')), 'voice', 'web'), ['2.0.0', '2.0.0']);
    assert.deepEqual(resolvedOn(open(versions, requiring('<3')), 'voice', 'web'), ['1.0.0', '2.0.0']);
  });

  it('of a composite selects the versions of the skills that it composes', () => {
    assert.equal(resolved(open(versions)), '3.0.0');
    assert.equal(resolved(open(versions, 'surfaces: [voice]')), '1.0.0');
    assert.equal(resolved(open(versions, 'surfaces: [voice, {name: web, canary_percent: 5}]')), '1.0.0');
    assert.equal(resolved(open(versions, 'surfaces: [voice, chat]')), '3.0.0');
  });

  it('of a request has precedence over the surfaces of a composite', () => {
    assert.deepEqual(resolvedOn(open(versions, 'surfaces: [voice]'), 'web'), ['2.0.0']);
  });

  it('uses a release before a pre-release', () => {
    const workspace = open({ '1.0.0': [], '2.0.0-beta.1': ['surfaces: [web]'] });
    assert.deepEqual(resolvedOn(workspace, 'web', 'voice'), ['1.0.0', '1.0.0']);
  });

  it('leaves the skills of other surfaces out of a ranking', () => {
    const workspace = open(versions);
    workspace.apply({ kind: 'surface', surface: 'voice' });
    assert.deepEqual(found(workspace), {
      matches: ['1.0.0'],
      reasons: ['it is not offered on the surface `voice`', 'it is not offered on the surface `voice`'],
    });
  });

  it('has only its versions in the planner catalog, with the shares of the canaries', () => {
    const canary = ['surfaces: [{name: web, canary_percent: 5}]'];
    const analysis = open({ ...versions, '2.1.0': canary }).analysis.onSurface('web');
    const skills = [...analysis.graph.skills.keys()];
    assert.deepEqual(
      namedSkills(analysis, skills).map(({ summary }) => summary.version),
      ['1.0.0', '2.0.0', '2.1.0', '1.0.0'],
    );
    const uris = offeredSkills(analysis, skills, undefined).map(({ uri }) => uri);
    const entryOf = (uri: string) => plannerEntry(analysis.file(uri) as SkillFile);
    const rows = catalogRows(analysis, uris, entryOf, (uri) => uri);
    assert.deepEqual(
      rows.map(({ entry, canaries }) => [
        entry.version,
        canaries?.map(({ version, percent }) => `${version} ${percent}`),
      ]),
      [
        ['2.0.0', ['2.1.0 5']],
        ['1.0.0', []],
      ],
    );
  });

  it('of a query does not change the resolution of names', () => {
    const workspace = open(versions);
    const query = { request: 'part', top: 1, source: 'agent-selected', surface: 'web' } as const;
    assert.deepEqual(
      matchSkills(workspace.analysis, query).matches.map(({ version }) => version),
      ['2.0.0'],
    );
    assert.equal(resolved(workspace), '3.0.0');
  });

  it('of one file affects the files that name the skill', () => {
    const workspace = open(versions, 'surfaces: [voice]');
    const text = contract('part', 'version: 3.0.0', 'surfaces: [chat, voice]');
    const affected = workspace.apply({ kind: 'text', uri: 'file:///w/part-3-0-0.skill.yaml', text });
    assert.ok(affected !== 'all' && affected.has('file:///w/whole.skill.yaml'));
    assert.equal(resolved(workspace), '3.0.0');
  });
});

it('a deprecated skill stays on a surface on which its successor is not offered', () => {
  const workspace = open({ '1.0.0': ['surfaces: [web]'] });
  const old = contract('old', 'deprecated: {since: 1.0.0, use: part}');
  workspace.apply({ kind: 'text', uri: 'file:///w/old.skill.yaml', text: old });
  const best = (surface: string) => {
    const { matches } = matchSkills(workspace.analysis, { request: 'old', top: 1, source: 'agent-selected', surface });
    return matches.map(({ name }) => name);
  };
  assert.deepEqual([...best('voice'), ...best('web')], ['old', 'part']);
});

describe('a canary', () => {
  const web = (percent: number) => [`surfaces: [{name: web, canary_percent: ${percent}}]`];

  it('does not replace the version without a share', () => {
    for (const percent of [0, 5, 60, 99]) {
      assert.deepEqual(resolvedOn(open({ '1.0.0': [], '2.0.0': web(percent) }), 'web'), ['1.0.0'], `${percent}`);
    }
    assert.deepEqual(resolvedOn(open({ '1.0.0': [], '2.0.0': web(100) }), 'web'), ['2.0.0']);
  });

  it('with the largest share is the main version if all versions are canaries', () => {
    assert.deepEqual(resolvedOn(open({ '1.0.0': web(95), '2.0.0': web(5) }), 'web'), ['1.0.0']);
    assert.deepEqual(resolvedOn(open({ '1.0.0': web(5), '2.0.0': web(95) }), 'web'), ['2.0.0']);
    assert.deepEqual(resolvedOn(open({ '1.0.0': web(50), '2.0.0': web(50) }), 'web'), ['2.0.0']);
  });

  it('is used if a range asks for it', () => {
    assert.deepEqual(resolvedOn(open({ '1.0.0': [], '2.0.0': web(5) }, requiring('^2.0.0')), 'web'), ['2.0.0']);
  });

  it('does not replace the main version without a surface, either', () => {
    const versions = { '1.0.0': [], '1.1.0': web(5) };
    assert.equal(resolved(open(versions)), '1.0.0');
    assert.equal(resolved(open(versions, requiring('^1.0.0'))), '1.0.0');
    assert.equal(resolved(open(versions, requiring('^1.1.0'))), '1.1.0');
    assert.equal(resolved(open({ '1.0.0': web(5), '1.1.0': ['surfaces: [voice]'], '1.2.0': web(20) })), '1.1.0');
    assert.equal(resolved(open({ '1.0.0': web(95), '1.1.0': web(5) })), '1.0.0');
    assert.deepEqual(found(open(versions)), {
      matches: ['1.0.0'],
      reasons: ['it is a canary, and 1.0.0 is the main version'],
    });
  });

  it('without calls is left out of a ranking', () => {
    const workspace = open({ '1.0.0': [], '2.0.0': web(0) });
    workspace.apply({ kind: 'surface', surface: 'web' });
    assert.deepEqual(found(workspace).reasons, ['it receives 0% of the calls on `web`']);
  });

  it('is left out of a ranking, with its share', () => {
    const workspace = open({ '1.0.0': [], '2.0.0': web(5) });
    workspace.apply({ kind: 'surface', surface: 'web' });
    assert.deepEqual(found(workspace), {
      matches: ['1.0.0'],
      reasons: ['it is a canary with 5% of the calls on `web`, and 1.0.0 is the main version'],
    });
  });

  const totals = (versions: Readonly<Record<string, readonly string[]>>) => {
    const workspace = open(versions);
    return Object.keys(versions).flatMap((version) =>
      findings(workspace, `part-${version.replaceAll(/[.+]/g, '-')}`, 'canary-total').map(
        ({ message, related }) => `${version}: ${message} (${related.length})`,
      ),
    );
  };

  it('may have a share that completes the others to 100', () => {
    assert.deepEqual(totals({ '1.0.0': web(95), '2.0.0': web(5) }), []);
    assert.deepEqual(totals({ '1.0.0': web(33.3), '2.0.0': web(33.3), '3.0.0': web(33.4) }), []);
    assert.deepEqual(totals({ '1.0.0': ['surfaces: [web]'], '2.0.0': web(60), '3.0.0': web(40) }), []);
    assert.deepEqual(totals({ '1.0.0': web(95), '2.0.0': ['surfaces: [{name: voice, canary_percent: 50}]'] }), []);
  });

  it('has an error if the shares on one surface exceed 100, only once', () => {
    assert.deepEqual(totals({ '1.0.0': web(95), '2.0.0': web(50) }), [
      '2.0.0: The shares of `part` on the surface `web` add up to 145% (95% for 1.0.0, 50% for 2.0.0). Lower them to at most 100%. (1)',
    ]);
    assert.deepEqual(totals({ '1.0.0': web(60), '2.0.0': web(60), '3.0.0': web(60), '4.0.0': web(10) }), [
      '2.0.0: The shares of `part` on the surface `web` add up to 190% (60% for 1.0.0, 60% for 2.0.0, 60% for 3.0.0, and 1 more). Lower them to at most 100%. (3)',
    ]);
    assert.equal(totals({ '1.0.0': web(100), '2.0.0': web(5) }).length, 1);
  });

  it('counts a version that two files define once, because this is another error', () => {
    assert.deepEqual(totals({ '1.0.0': web(60), '1.0.0+b2': web(60) }), []);
  });
});
