/**
 * Cases of the composition rules that their pages cannot show: related locations, valid skills, and the files that a
 * change affects.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contract, findingOf, findingsOf, openSkills, put, relatedOf, rulesOf, uriOf } from './skills.ts';

const cyclic = () =>
  openSkills({
    'skill-a': ['level: 2', 'composes: [skill-b]'],
    'skill-b': ['level: 2', 'composes: [skill-c]'],
    'skill-c': ['level: 2', 'composes: [skill-a]'],
  });

describe('related locations', () => {
  it('show a cycle edge by edge, from the current file', () => {
    const workspace = cyclic();
    const finding = findingOf(workspace, 'skill-b', 'circular-dependency');
    assert.match(finding.message, /`skill-b` → `skill-c` → `skill-a` → `skill-b`/);
    assert.deepEqual(relatedOf(workspace, finding), [
      'skill-b: skill-c: `skill-b` composes `skill-c`',
      'skill-c: skill-a: `skill-c` composes `skill-a`',
      'skill-a: skill-b: `skill-a` composes `skill-b`',
    ]);
  });

  it('show the skills that cause a diamond', () => {
    const workspace = openSkills({
      workflow: ['level: 3', 'composes: [skill-a, skill-b]'],
      'skill-a': ['level: 2', 'composes: [skill-c]'],
      'skill-b': ['level: 2', 'composes: [{skill: skill-c}]'],
      'skill-c': ['level: 1'],
    });
    assert.deepEqual(relatedOf(workspace, findingOf(workspace, 'workflow', 'diamond-dependency')), [
      'skill-a: skill-c: `skill-a` composes `skill-c`',
      'skill-b: skill-c: `skill-b` composes `skill-c`',
    ]);
  });

  it('show all versions and why each is excluded', () => {
    const workspace = openSkills({ user: ['requires: [{skill: part, version: "~1.2.0"}]'] });
    for (const version of ['1.1.0', '1.3.0', '1.2.1-rc.1']) {
      workspace.apply({ kind: 'text', uri: uriOf(version), text: contract('part', `version: ${version}`) });
    }
    assert.deepEqual(relatedOf(workspace, findingOf(workspace, 'user', 'version-mismatch')), [
      '1.3.0: 1.3.0: 1.3.0 is above `~1.2.0`',
      '1.1.0: 1.1.0: 1.1.0 is below `~1.2.0`',
      '1.2.1-rc.1: 1.2.1-rc.1: 1.2.1-rc.1 is a pre-release, which `~1.2.0` does not include',
    ]);
  });

  it('show both ranges of a conflict', () => {
    const workspace = openSkills({
      whole: ['composes: [a, b]'],
      a: ['requires: [{skill: part, version: ^1.0.0}]'],
      b: ['requires: [{skill: part, version: 2.x}]'],
      part: [],
    });
    assert.deepEqual(relatedOf(workspace, findingOf(workspace, 'whole', 'version-conflict')), [
      'a: ^1.0.0: `a` requires `part` in `^1.0.0`',
      'b: 2.x: `b` requires `part` in `2.x`',
    ]);
  });

  it('show how each step adds to the total latency', () => {
    const workspace = openSkills({
      whole: [
        'composes: [a, b, c]',
        'execution: [{step: a}, {parallel: [{step: b}, {step: c}]}]',
        'policy: {budget: {p95_ms: 500}}',
      ],
      a: ['policy: {budget: {p95_ms: 300}}'],
      b: ['policy: {budget: {p95_ms: 250}}'],
      c: ['composes: [a]'],
    });
    assert.deepEqual(relatedOf(workspace, findingOf(workspace, 'whole', 'budget-exceeded')), [
      'a: 300: `a` adds 300 ms: 300 ms so far',
      'c: c: `c` adds 300 ms, the slowest of the parallel steps: 600 ms so far',
    ]);
  });
});

describe('no finding is reported', () => {
  it('while files are being read', () => {
    const workspace = cyclic();
    put(workspace, 'user', 'level: 2', 'composes: [skill-a]', 'requires: [{skill: skill-a, version: 9.x}]');
    workspace.apply({ kind: 'partial', partial: true });
    for (const name of ['skill-a', 'user']) assert.deepEqual(rulesOf(workspace, name), [], name);
    workspace.apply({ kind: 'partial', partial: false });
    assert.deepEqual(rulesOf(workspace, 'skill-a'), ['circular-dependency']);
    assert.deepEqual(rulesOf(workspace, 'user'), ['broken-composed-skill', 'invalid-l2-compose', 'version-mismatch']);
  });

  it('about an invalid composed skill, except that it is invalid', () => {
    const workspace = openSkills({
      whole: ['level: 2', 'composes: [part]', 'effects: []', 'requires: [{skill: part, version: 2.x}]'],
      part: ['level: 2', 'effects: [Query]', 'composes: [whole]'],
    });
    assert.deepEqual(rulesOf(workspace, 'whole'), ['circular-dependency', 'effects-understated', 'version-mismatch']);
    put(workspace, 'part', 'level: 2', 'effects: [Query]', 'composes: [whole]', 'tags: [x');
    assert.deepEqual(rulesOf(workspace, 'whole'), ['broken-composed-skill']);
  });

  it('about a missing composed skill, except that it is missing', () => {
    const workspace = openSkills({
      whole: ['level: 2', 'composes: [gone]', 'requires: [{skill: gone, version: 2.x}]'],
    });
    assert.deepEqual(rulesOf(workspace, 'whole'), ['skill-not-found']);
  });

  it('has no version in its name', () => {
    const workspace = openSkills({ whole: ['level: 2', 'composes: ["part@^1.0.0", "gone@2"]'], part: [] });
    assert.deepEqual(
      findingsOf(workspace, 'whole').map(({ message, fixes }) => [message, fixes[0]?.title]),
      [
        [
          'Unknown skill `part@^1.0.0`. Write `part` here, and its version range under `requires`.',
          'Replace with `part`',
        ],
        ['Unknown skill `gone@2`. Create it, or remove its name here.', 'Remove `gone@2` from `composes`'],
      ],
    );
  });

  it('about an invalid range, except that it is invalid', () => {
    const workspace = openSkills({ whole: ['requires: [{skill: part, version: newest}]'], part: [] });
    assert.deepEqual(rulesOf(workspace, 'whole'), ['invalid-value']);
  });
});

describe('files that a change affects', () => {
  const files = (names: readonly string[]) => new Set(names.map(uriOf));
  const open = () =>
    openSkills({
      top: ['composes: [middle]'],
      middle: ['composes: [bottom]'],
      bottom: ['effects: [Query]'],
      other: [],
    });

  it('are only the changed file if its summary does not change', () => {
    assert.deepEqual(put(open(), 'bottom', 'effects: [Query]', 'tags: [new]'), files(['bottom']));
  });

  it('include only direct composites if no other skills depend on the changed fact', () => {
    assert.deepEqual(
      put(open(), 'bottom', 'effects: [Query]', 'output_schema: {x: string}'),
      files(['bottom', 'middle']),
    );
  });

  it('include direct and indirect composites if both depend on the changed fact', () => {
    const all = files(['bottom', 'middle', 'top']);
    assert.deepEqual(put(open(), 'bottom', 'effects: [Query, Mutate]'), all);
    assert.deepEqual(put(open(), 'bottom', 'effects: [Query]', 'policy: {timeout_ms: 3}'), all);
    assert.deepEqual(open().apply({ kind: 'delete', uri: uriOf('bottom') }), all);
  });

  it('include skills that name an unknown skill if a skill with a similar name is added or removed', () => {
    const workspace = openSkills({ whole: ['composes: [bottom]'], stranger: ['composes: [elsewhere]'], other: [] });
    const call = (name: string) => workspace.apply({ kind: 'text', uri: uriOf('other'), text: contract(name) });
    const meant = () => /Did you mean (.*)\?/.exec(findingOf(workspace, 'whole', 'skill-not-found').message)?.[1];
    assert.equal(meant(), undefined);
    assert.deepEqual(call('bottoms'), files(['other', 'whole']));
    assert.equal(meant(), '`bottoms`');
    assert.deepEqual(call('bottom-up'), files(['other', 'whole']));
    assert.equal(meant(), '`bottom-up`');
    assert.deepEqual(call('harbour'), files(['other', 'whole']));
    assert.equal(meant(), undefined);
    assert.deepEqual(call('tide'), files(['other']));
  });

  it('include the skills that narrow or stub a tool, if the schema of the tool changes', () => {
    const tool = (schema: string) => ['backing_service: {endpoint: https://example.org}', `output_schema: ${schema}`];
    const workspace = openSkills({
      top: ['level: 2', 'composes: [user]', 'samples: {usual: {stubs: {search: {returns: {hits: 1}}}}}'],
      user: ['tools: [search]'],
      search: tool('{hits: integer}'),
      other: [],
    });
    assert.deepEqual(rulesOf(workspace, 'top'), []);
    assert.deepEqual(put(workspace, 'search', ...tool('{hits: "string[]"}')), files(['search', 'top', 'user']));
    assert.deepEqual(rulesOf(workspace, 'top'), ['invalid-sample']);
  });

  it('receive new findings', () => {
    const workspace = openSkills({
      top: ['effects: []', 'level: 3', 'composes: [middle]'],
      middle: ['level: 2', 'composes: [bottom]'],
      bottom: [],
    });
    assert.deepEqual(rulesOf(workspace, 'top'), []);
    put(workspace, 'bottom', 'effects: [Mutate]');
    assert.equal(findingOf(workspace, 'top', 'effects-understated').fixes[0]?.title, 'Add `Mutate`');
    assert.deepEqual(findingsOf(workspace, 'middle'), []);
  });
});
