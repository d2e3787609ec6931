/** The published schemas accept real files without errors, and refuse the mistakes that a schema can express. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { invocationContextOf } from '../../../server/src/analysis/package-of.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import type { ExitCondition, Subgraph } from '../../../server/src/composer/composition.ts';
import { prepareRequest } from '../../../server/src/composer/prepare.ts';
import { jsonOf } from '../../../server/src/languages/yaml/node.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { checkedPackageOf } from '../../../server/src/rules/engine/checked-package.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { samples, soundSamples } from '../../properties/corpus.ts';
import { findingsAt, open, ROOT } from '../../properties/opened.ts';
import { shapeFor } from '../composer/shapes.ts';
import { assertSubgraph, validatorFor, validatorOf } from './validators.ts';

const frontmatterOf = (path: string, text: string) =>
  jsonOf(new SkillFile(`file:///w/${path}`, text).frontmatter.tree.root);

/** The skills and catalogs among the samples, without their reference files. */
const skills = [...samples].filter(([path]) => !path.includes('/references/'));
const soundSkills = skills.filter(([path]) => soundSamples.has(path));

function errorsIn(path: string, text: string): readonly ErrorObject[] {
  const validate = validatorFor(path);
  return validate(frontmatterOf(path, text)) ? [] : (validate.errors ?? []);
}

test('the frontmatter of every sample, and the catalog, match their schemas', () => {
  assert.ok(soundSkills.length > 20);
  for (const [path, text] of soundSkills) assert.deepEqual(errorsIn(path, text), [], path);
});

for (const text of ['', '\n', '# Only a comment.\n', '---\n', 'null\n', '{}\n', '[]\n', '5\n']) {
  test(`the catalog ${JSON.stringify(text)} matches its schema if it has no findings`, () => {
    const path = 'skills.config.yaml';
    const workspace = new Workspace();
    workspace.apply({ kind: 'text', uri: `file:///w/${path}`, text });
    const file = workspace.analysis.file(`file:///w/${path}`);
    assert.ok(file);
    // `jsonOf` has no value for an empty file, and other parsers return null.
    const value = jsonOf(file.frontmatter.tree.root) ?? null;
    assert.equal(validatorFor(path)(value), check(file, workspace.analysis).length === 0);
  });
}

test('the expectations of every sample match their schema', () => {
  const validate = validatorOf('expect');
  const expected = soundSkills.flatMap(([path, text]) => {
    const { samples: own = {} } = frontmatterOf(path, text) as { samples?: Record<string, { expect?: unknown }> };
    return Object.values(own).flatMap(({ expect }) => (expect === undefined ? [] : [expect]));
  });
  assert.ok(expected.length > 10);
  for (const expect of expected) assert.ok(validate(expect), JSON.stringify(validate.errors));
});

test('the subgraph of every sample matches its schema', () => {
  const { analysis } = open(Object.fromEntries(soundSamples));
  const shapes = soundSkills.flatMap(([path]) => {
    const uri = `${ROOT}/${path}`;
    const skillPackage = checkedPackageOf(analysis, uri);
    if (!skillPackage) return [];
    return skillPackage.samples.map(
      ({ name }) => shapeFor(prepareRequest(skillPackage, invocationContextOf(analysis, uri), name).request).shape,
    );
  });
  assert.ok(shapes.length > 20, `${shapes.length} samples`);
  for (const shape of shapes) assertSubgraph(shape);
  const [shape] = shapes as [Subgraph];
  const wrong = shape.nodes.map((node) => ({ ...node, join: 'check_exit' }));
  assert.throws(() => assertSubgraph({ ...shape, nodes: wrong }));
  assert.throws(() => assertSubgraph({ ...shape, exitCondition: { on: 'tool_budget' } as ExitCondition }));
});

/** The locations of mistakes that a schema can find in one file's frontmatter, and the rules that report them. */
const SEEN: Readonly<Record<string, readonly (readonly [place: string, rule: string])[]>> = {
  'mistakes/agent-skills/tidy-notes/SKILL.md': [['/name', 'agent-skill-name']],
  'mistakes/bad-schema.skill.md': [
    ['/input_schema', 'invalid-schema'],
    ['/input_schema/season', 'invalid-schema'],
  ],
  'mistakes/half-a-contract.skill.yaml': [
    ['/errors', 'incomplete-contract'],
    ['/policy/budget', 'incomplete-contract'],
  ],
  'mistakes/missing-keys.skill.md': [
    ['/input', 'missing-key'],
    ['/input_schema', 'missing-key'],
    ['/parameter_schema', 'missing-key'],
    ['/version', 'missing-key'],
  ],
  'mistakes/misspelt-key.skill.md': [['/trigger_phrase', 'unknown-key']],
  'mistakes/no-frontmatter.skill.md': [['', 'missing-frontmatter']],
  'mistakes/wrong-policy.skill.yaml': [['/policy/circuit_breaker/error_rate_threshold', 'invalid-policy']],
  'mistakes/wrong-values.skill.md': [
    ['/allowed_contexts/1', 'invalid-value'],
    ['/level', 'invalid-level'],
    ['/operation', 'invalid-value'],
    ['/version', 'invalid-value'],
  ],
};

test('the schemas reject the mistakes that they can detect, and no others', () => {
  const mistakes = skills.filter(([path]) => path.startsWith('mistakes/'));
  const workspace = open(Object.fromEntries(mistakes));
  const seen = mistakes.flatMap(([path, text]) => {
    const errors = errorsIn(path, text);
    return errors.length > 0 ? [[path, placesOf(errors)] as const] : [];
  });
  assert.deepEqual(
    Object.fromEntries(seen),
    Object.fromEntries(Object.entries(SEEN).map(([path, all]) => [path, all.map(([place]) => place).sort()])),
  );
  for (const [path, all] of Object.entries(SEEN)) {
    const rules = new Set(findingsAt(workspace, path).map(({ rule }) => rule));
    for (const [, rule] of all) assert.ok(rules.has(rule), `${path}: ${rule}`);
  }
});

test('the schema of an exit requires its key, and rejects keys of other exits', () => {
  const fits = (exit: string): boolean =>
    errorsIn('a.skill.yaml', `name: a\ndescription: Does a.\nversion: 1.0.0\ninput_schema: {}\nexit: ${exit}\n`)
      .length === 0;
  for (const exit of [
    '',
    '{on: caller}',
    '{on: tool_budget, max_tool_calls: 8}',
    '{on: interrupt, name: before_write}',
  ])
    assert.ok(fits(exit), exit);
  for (const exit of ['{on: tool_budget}', '{on: interrupt}', '{on: caller, name: before_write}', '{}'])
    assert.ok(!fits(exit), exit);
});

/** The paths of the errors, with the missing or unknown key; excludes errors of keywords that only combine schemas. */
function placesOf(errors: readonly ErrorObject[]): readonly string[] {
  const leaves = errors.filter(({ keyword }) => !['anyOf', 'oneOf', 'if', 'not'].includes(keyword));
  return [
    ...new Set(
      leaves.map(({ instancePath, params }) => {
        const key: unknown = params.missingProperty ?? params.additionalProperty;
        return key === undefined ? instancePath : `${instancePath}/${key}`;
      }),
    ),
  ].sort();
}
