/** Adapters: a newer version of a skill serves callers that require an older version (docs/format.md, section 4). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { graphView, NO_FINDINGS } from '../../../server/src/features/graph/graph-view.ts';
import { closureWithTools } from '../../../server/src/packing/unit.ts';
import { catalogJson, plannerEntry } from '../../../server/src/planner/entry.ts';
import { registryRow } from '../../../server/src/planner/registry.ts';
import { checkedPackageOf } from '../../../server/src/rules/engine/checked-package.ts';
import { requestFor, shapeFor } from '../composer/shapes.ts';
import { contract, openSkills, put, rulesOf, skillOf, uriOf } from './skills.ts';

const skills = {
  links: [
    'version: 1.0.0',
    'input_schema: {title: string}',
    'output_schema: {graph: object}',
    'adapts: {from: "0.9", with: flatten}',
  ],
  flatten: ['input_schema: {graph: object}', 'output_schema: {links: "string[]"}'],
  caller: [
    'input_schema: {title: string}',
    'output_schema: {links: "string[]"}',
    'level: 2',
    'composes: [links]',
    'requires: [{skill: links, version: ^0.9.0}]',
  ],
};

describe('a caller that requires an older version', () => {
  it('gets the output of the adapter', () => {
    assert.deepEqual(rulesOf(openSkills(skills), 'caller'), []);
  });

  it('has an error if no adapter serves its range', () => {
    const workspace = openSkills({ ...skills, links: skills.links.slice(0, -1) });
    assert.deepEqual(rulesOf(workspace, 'caller'), ['missing-required-field', 'version-mismatch']);
    put(workspace, 'links', ...skills.links.slice(0, -1), 'adapts: {from: "0.8", with: flatten}');
    assert.deepEqual(rulesOf(workspace, 'caller'), ['missing-required-field', 'version-mismatch']);
  });

  it('gets the older version itself if it is still there', () => {
    const workspace = openSkills({
      ...skills,
      old: ['version: 0.9.3', 'input_schema: {title: string}', 'output_schema: {links: "string[]", note: string}'],
    });
    workspace.apply({ kind: 'text', uri: uriOf('old'), text: contract('links', ...OLD) });
    const [entry] = workspace.analysis.graph.composedSkillsOf(skillOf(workspace, 'caller'));
    assert.deepEqual([entry?.skill.uri, entry?.adapter], [uriOf('old'), undefined]);
  });

  it('gets a release before a pre-release with an adapter', () => {
    const workspace = openSkills({ ...skills, next: ['version: 1.1.0'] });
    for (const version of ['2.0.0-beta.1', '1.1.0']) {
      const text = contract('links', `version: ${version}`, ...skills.links.slice(1));
      workspace.apply({ kind: 'text', uri: uriOf(`links-${version}`), text });
    }
    const [entry] = workspace.analysis.graph.composedSkillsOf(skillOf(workspace, 'caller'));
    assert.equal(entry?.skill.summary.version, '1.1.0');
  });

  it('has no finding if the adapter does not exist, but cannot be composed', () => {
    const workspace = openSkills({ links: skills.links, caller: skills.caller });
    assert.deepEqual(rulesOf(workspace, 'caller'), []);
    assert.deepEqual(rulesOf(workspace, 'links'), ['skill-not-found']);
    const [entry] = checkedPackageOf(workspace.analysis, uriOf('caller'))?.composes ?? [];
    const composed = typeof entry?.package === 'string' ? undefined : entry?.package;
    assert.deepEqual(
      composed?.composes.map(({ name, package: own }) => `${name} ${typeof own === 'string' ? own : 'exists'}`),
      ['links exists', 'flatten missing'],
    );
  });

  it('may be composed together with a caller of the newer version', () => {
    const workspace = openSkills({
      ...skills,
      newer: [
        'level: 2',
        'input_schema: {title: string}',
        'composes: [links]',
        `requires: [${'{skill: links, version: ^1.0.0}'}]`,
      ],
      both: ['level: 3', 'input_schema: {title: string}', 'composes: [caller, newer]'],
    });
    assert.ok(!rulesOf(workspace, 'both').includes('version-conflict'));
  });

  it('has new findings after a change to the adapter', () => {
    const workspace = openSkills(skills);
    const affected = put(workspace, 'flatten', 'input_schema: {graph: object}', 'output_schema: {links: integer}');
    assert.ok(affected === 'all' || affected.has(uriOf('caller')));
    assert.deepEqual(rulesOf(workspace, 'caller'), ['type-mismatch']);
  });
});

const OLD = ['version: 0.9.3', 'input_schema: {title: string}', 'output_schema: {links: "string[]"}'];

it('a skill cannot be adapted in a circle', () => {
  const workspace = openSkills({
    links: ['version: 1.0.0', 'adapts: {from: "0.9", with: links}', 'requires: [{skill: links, version: ^0.9.0}]'],
  });
  assert.ok(rulesOf(workspace, 'links').includes('invalid-adapter'));
});

it('a skill that is its own adapter has the only finding, and its callers cannot be composed', () => {
  const workspace = openSkills({
    links: skills.links.map((line) => line.replace('with: flatten', 'with: links')),
    caller: skills.caller,
  });
  assert.deepEqual([rulesOf(workspace, 'links'), rulesOf(workspace, 'caller')], [['invalid-adapter'], []]);
  const [entry] = checkedPackageOf(workspace.analysis, uriOf('caller'))?.composes ?? [];
  const composed = typeof entry?.package === 'string' ? undefined : entry?.package;
  assert.deepEqual(composed?.composes[1]?.package, 'cycle');
});

it('the step of an adapted skill runs the skill and then its adapter', () => {
  const files = Object.fromEntries(
    Object.entries(skills).map(([name, lines]) => [`${name}.skill.yaml`, contract(name, ...lines)]),
  );
  const { shape, errors } = shapeFor(requestFor(files, 'caller.skill.yaml'));
  assert.deepEqual(errors, []);
  const [step] = shape.nodes.filter(({ kind }) => kind === 'skill');
  assert.deepEqual(
    step?.subgraph?.nodes.map(({ id }) => id),
    ['validate_input', 'skill_links', 'skill_flatten', 'check_exit'],
  );
});

it('the package of a caller contains the adapter', () => {
  const found = checkedPackageOf(openSkills(skills).analysis, uriOf('caller'));
  const [entry] = found?.composes ?? [];
  const composed = typeof entry?.package === 'string' ? undefined : entry?.package;
  assert.deepEqual(
    composed?.outputSchema?.fields.map(({ name }) => name),
    ['links'],
  );
});

it('the graph shows the adapter and the use of it', () => {
  const { edges } = graphView(openSkills(skills).analysis, { countFindings: () => NO_FINDINGS });
  assert.deepEqual(
    edges.map(({ kind, step, requires, adapter, isAllowed }) => ({ kind, step, requires, adapter, isAllowed })),
    [
      { kind: 'composes', step: 'links', requires: '^0.9.0', adapter: 'flatten', isAllowed: true },
      { kind: 'adapts', step: 'flatten', requires: '0.9', adapter: null, isAllowed: true },
    ],
  );
});

it('the planner catalog lists the older versions that a skill serves', () => {
  const file = openSkills(skills).analysis.file(uriOf('links'));
  assert.ok(file);
  const { skills: entries } = catalogJson([{ file: 'links', entry: plannerEntry(file) }]) as {
    skills: readonly { adapts: unknown }[];
  };
  assert.deepEqual(entries[0]?.adapts, [{ from: '0.9', with: 'flatten' }]);
  assert.equal(registryRow(openSkills(skills).analysis, file).version, '1.0.0, serves 0.9');
});

it('a packed skill contains its adapter', () => {
  const workspace = openSkills(skills);
  const packed = (name: string) => closureWithTools(workspace.analysis, skillOf(workspace, name)).map(({ uri }) => uri);
  assert.deepEqual(packed('caller'), [uriOf('links'), uriOf('flatten')]);
  assert.deepEqual(packed('links'), [uriOf('flatten')]);
});
