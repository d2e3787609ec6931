/** Skills that are named by their `id` (docs/format.md, section 2, "Short form"). */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { invocationContextOf } from '../../../server/src/analysis/package-of.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { prepareRequest } from '../../../server/src/composer/prepare.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { checkedPackageOf } from '../../../server/src/rules/engine/checked-package.ts';
import type { SkillSummary } from '../../../server/src/skill/summary.ts';
import { composersOf } from '../../../server/src/workspace/composition-lookups.ts';
import { compose } from '../composer/composing.ts';

const uriOf = (name: string): string => `file:///w/${name}.skill.yaml`;

function open(files: Readonly<Record<string, string>>): Workspace {
  const workspace = new Workspace();
  for (const [name, text] of Object.entries(files)) workspace.apply({ kind: 'text', uri: uriOf(name), text });
  return workspace;
}

function findings({ analysis }: Workspace, name: string): readonly string[] {
  const file = analysis.file(uriOf(name));
  assert.ok(file);
  return check(file, analysis).map(({ severity, message }) => `${severity}: ${message}`);
}

function errorsOf({ analysis }: Workspace, name: string): readonly string[] {
  const skillPackage = checkedPackageOf(analysis, uriOf(name));
  assert.ok(skillPackage);
  const context = invocationContextOf(analysis, uriOf(name));
  const result = compose(prepareRequest(skillPackage, context, undefined, { madeUp: true }).request);
  return result.ok ? [] : result.errors.map(({ message }) => message);
}

const LOOKUP = 'id: user-lookup\nlevel: 1\ninput_schema: {user_id: string}\noutput_schema: {user: string}\n';

const WHOLE = `id: whole
level: 2
composes: [user-lookup]
input_schema: {user_id: string}
output_schema: {user: string}
`;

const REVIEW = `id: pr-review-workflow
level: 3
composes:
  - fetch-pr-diff
  - analyze-security
  - analyze-performance
  - generate-review
  - post-comment

execution:
  - step: fetch-pr-diff
  - parallel:
      - step: analyze-security
      - step: analyze-performance
  - step: generate-review
    inputs:
      security: $analyze-security.output
      performance: $analyze-performance.output
  - step: post-comment
    condition: $input.auto_post == true
`;

const atomic = (id: string): string => `id: ${id}\nlevel: 1\ninput_schema: {}\noutput_schema: {}\n`;

describe('a skill with an `id` and without a `name`', () => {
  it('is composed by its `id`, with a hint for each missing key', () => {
    const workspace = open({ whole: WHOLE, 'user-lookup': LOOKUP });
    for (const name of ['whole', 'user-lookup']) {
      assert.deepEqual(findings(workspace, name), [
        'hint: Missing key `name`. Other programs do not use the `id` as the name. Add it.',
        'hint: Missing key `description`. Say what the skill does and when to use it.',
        'hint: Missing key `version`. Add it, for example `version: 1.0.0`.',
      ]);
      assert.deepEqual(errorsOf(workspace, name), []);
    }
  });

  it('needs no schemas', () => {
    const reviewers = ['fetch-pr-diff', 'analyze-security', 'analyze-performance', 'generate-review', 'post-comment'];
    const parts = reviewers.map((name) => [name, atomic(name)] as const);
    const workspace = open({
      'pr-review-workflow': REVIEW,
      ...Object.fromEntries(parts),
      'generate-review': atomic('generate-review').replace('{}', '{security: object, performance: object}'),
    });
    assert.deepEqual(errorsOf(workspace, 'pr-review-workflow'), []);
    const found = findings(workspace, 'pr-review-workflow');
    assert.equal(found.length, 5);
    assert.ok(found.every((text) => text.startsWith('hint: Missing key')));
  });

  it('is unknown if its `id` is not a valid name', () => {
    const workspace = open({ whole: WHOLE, 'user-lookup': LOOKUP.replace('user-lookup', 'User Lookup') });
    assert.ok(
      findings(workspace, 'whole').includes('error: Unknown skill `user-lookup`. Create it, or remove its name here.'),
    );
    assert.ok(findings(workspace, 'user-lookup').some((text) => text.startsWith('error: Missing key `name`.')));
  });

  it('must still have valid values', () => {
    const workspace = open({ whole: WHOLE.replace('level: 2', 'level: 7'), 'user-lookup': LOOKUP });
    assert.ok(findings(workspace, 'whole').some((text) => text.startsWith('error: ')));
  });
});

it('the fix for a missing name keeps the name that references use', () => {
  const { analysis } = open({ lookup: LOOKUP });
  const file = analysis.file(uriOf('lookup'));
  assert.ok(file);
  const titles = check(file, analysis).flatMap(({ fixes }) => fixes.map(({ title }) => title));
  assert.ok(titles.includes('Add `name: user-lookup`'), titles.join());
});

describe('the `id` of a skill with another name', () => {
  const named = LOOKUP.replace('id: user-lookup', 'name: lookup\nid: user-lookup\ndescription: d\nversion: 1.0.0');

  it('refers to the skill, with a hint to use the name', () => {
    const workspace = open({ whole: WHOLE, lookup: named });
    const message = 'hint: `user-lookup` is the `id` of the skill `lookup`. Use its name.';
    assert.deepEqual(
      findings(workspace, 'whole').filter((text) => text.includes('lookup')),
      [message],
    );
    assert.deepEqual(errorsOf(workspace, 'whole'), []);
    const skill = workspace.analysis.graph.skills.get(uriOf('lookup'));
    assert.ok(skill);
    assert.deepEqual(
      composersOf(workspace.analysis.graph, skill).map(({ uri }) => uri),
      [uriOf('whole')],
    );
  });

  it('refers to the same version as the name', () => {
    const later = named.replace('version: 1.0.0', 'version: 2.0.0');
    for (const [composed, required] of [
      ['user-lookup', 'user-lookup'],
      ['user-lookup', 'lookup'],
      ['lookup', 'user-lookup'],
    ]) {
      const requires = `requires: [{skill: ${required}, version: ^1.0.0}]\n`;
      const workspace = open({
        whole: WHOLE.replace('[user-lookup]', `[${composed}]`) + requires,
        lookup: named,
        later,
      });
      const [entry] = workspace.analysis.graph.composedSkillsOf({
        uri: uriOf('whole'),
        summary: workspace.analysis.graph.skills.get(uriOf('whole'))?.summary as SkillSummary,
      });
      assert.equal(entry?.skill.uri, uriOf('lookup'), `${composed}, ${required}`);
    }
    const newest = open({ whole: WHOLE, lookup: named, later });
    assert.equal(newest.analysis.skillsNamed('user-lookup').length, 2);
    assert.deepEqual(errorsOf(newest, 'whole'), []);
  });

  it('is an error if it is also the `id` of a skill with another name', () => {
    const message =
      'error: `user-lookup` is also the `id` of `search`, so a reference to it is ambiguous. Change one of them.';
    const workspace = open({ lookup: named, search: named.replace('name: lookup', 'name: search') });
    assert.ok(findings(workspace, 'lookup').includes(message));
    const text = named.replace('name: lookup', 'name: search').replace('id: user-lookup', 'id: search-1');
    const affected = workspace.apply({ kind: 'text', uri: uriOf('search'), text });
    assert.ok(affected !== 'all' && affected.has(uriOf('lookup')));
    assert.ok(!findings(workspace, 'lookup').includes(message));
  });

  it('is not used if another skill has this name', () => {
    const workspace = open({ whole: WHOLE, 'user-lookup': LOOKUP, lookup: named });
    assert.equal(workspace.analysis.skillsNamed('user-lookup')[0]?.uri, uriOf('user-lookup'));
  });

  it('affects the callers when it changes', () => {
    const workspace = open({ whole: WHOLE, lookup: named });
    const affected = workspace.apply({
      kind: 'text',
      uri: uriOf('lookup'),
      text: named.replace('id: user', 'id: users'),
    });
    assert.ok(affected !== 'all' && affected.has(uriOf('whole')));
    assert.ok(findings(workspace, 'whole').some((text) => text.startsWith('error: Unknown skill `user-lookup`')));
  });
});
