import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { invocationContextOf } from '../../../server/src/analysis/package-of.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { prepareRequest } from '../../../server/src/composer/prepare.ts';
import type { Converted } from '../../../server/src/exchange/conversion.ts';
import { inferSchema } from '../../../server/src/exchange/infer-schema.ts';
import { packageToSkill } from '../../../server/src/exchange/package-to-skill.ts';
import { skillToPackage } from '../../../server/src/exchange/skill-to-package.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { checkedPackageOf } from '../../../server/src/rules/engine/checked-package.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { sliceOf } from '../../../server/src/text.ts';
import { compose } from '../composer/composing.ts';
import { CONSISTENCY_CHECKER } from './consistency-checker.ts';

const toSkill = (json: string): Converted & { readonly text: string } => {
  const made = packageToSkill(new SkillFile('file:///skills/consistency-checker.skill.json', json));
  assert.ok('files' in made, JSON.stringify(made));
  return { ...made, text: made.files[0]?.text ?? '' };
};

const toPackage = (text: string): Converted & { readonly json: unknown } => {
  const made = skillToPackage(new SkillFile('file:///skills/x.skill.md', text), 'x');
  assert.ok('files' in made, JSON.stringify(made));
  return { ...made, json: JSON.parse(made.files[0]?.text ?? '') };
};

const URI = 'file:///skills/consistency-checker.skill.md';

function workspaceWith(text: string, uri = URI): Workspace {
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri, text });
  return workspace;
}

test('converts a package, keeps its names, and reports losses with their locations', () => {
  const { text, losses, files } = toSkill(CONSISTENCY_CHECKER);
  assert.equal(files[0]?.path, 'consistency-checker.skill.md');
  assert.match(text, /^name: consistency-checker$/m);
  assert.match(text, /^title: Consistency Checker$/m);
  assert.match(text, /^# Inferred from the templates/m);
  assert.deepEqual(
    losses.map(({ what, why }) => `${what}: ${why}`),
    [
      'code_template `Cross-Reference Script`: Skills cannot contain code. Describe the steps in an Approach, and use a tool for the work.',
      'dspy_module `DSPy Checker`: Skills cannot contain DSPy modules. The fallback `Check Prompt` replaces it.',
    ],
  );
  for (const { span } of losses)
    assert.match(sliceOf(CONSISTENCY_CHECKER, span), /^\{\s*"kind": "(code_template|dspy_module)"/);
});

test('the skill lists lost artifacts in a comment', () => {
  const [comment] = toSkill(CONSISTENCY_CHECKER).text.match(/^#.*$/m) ?? [];
  assert.equal(
    comment,
    '# Converted from a package. Artifacts of retired kinds were omitted: code_template `Cross-Reference Script` and dspy_module `DSPy Checker`.',
  );
});

test('the converted package has no finding', () => {
  const { analysis } = workspaceWith(toSkill(CONSISTENCY_CHECKER).text);
  const file = analysis.file(URI);
  assert.ok(file);
  assert.deepEqual(
    check(file, analysis).map(({ rule, message }) => `${rule}: ${message}`),
    [],
  );
});

test('composes the converted package with the schema that is inferred from its templates', () => {
  const { analysis } = workspaceWith(toSkill(CONSISTENCY_CHECKER).text);
  const skill = checkedPackageOf(analysis, URI);
  assert.ok(skill);
  const claims = [{ page_name: 'Gate', text: 'The gate is oak.' }];
  const { request } = prepareRequest(skill, invocationContextOf(analysis, URI), undefined, {
    parameters: { entity_name: 'the gate', claims },
  });
  const result = compose(request);
  assert.ok(result.ok, JSON.stringify(result));
  assert.match(result.composition.prompt, /^Given the following claims about "the gate":/);
  assert.match(result.composition.prompt, /Claim 1 \(from \[\[Gate\]\]\): The gate is oak\./);
});

test('infers the type of each name from its uses', () => {
  const schema = inferSchema([
    '{{ name }} {% for claim in claims %}{{ claim.page }}{% for tag in claim.tags %}{{ tag }}{% endfor %}{% endfor %}',
    '{% if count > 3 %}{{ count }}{% endif %}{% if loud %}!{% endif %}{{ tone | default("grim") }}{{ user.type }}',
    '{% set own = 1 %}{{ own }}{{ user_request }}{{ range(3) }}',
  ]);
  assert.deepEqual(schema, {
    name: 'string',
    claims: { type: 'array', items: { page: 'string', tags: 'string[]' } },
    count: 'number',
    loud: 'boolean',
    tone: 'string?',
    user: { type: 'object', properties: { type: 'string' } },
  });
});

test('infers the types that filters and unpacked names require', () => {
  const templates = [
    '{% for key, value in rules | items %}{{ key }}: {{ value }}{% endfor %}{{ order | dictsort }}',
    '{% for x, y in points %}{{ x }}{{ y }}{% endfor %}{{ cast | map(attribute="name") | join }}',
    '{% for city, all in posts | groupby("place.city") %}{{ city }}{{ all | length }}{% endfor %}',
    '{{ moods | selectattr("grade.value") | sort(attribute="name") | first }}',
  ];
  const schema = inferSchema(templates);
  assert.deepEqual(schema, {
    rules: 'object',
    order: 'object',
    points: 'any[]',
    cast: { type: 'array', items: { name: 'string' } },
    posts: 'any[]',
    moods: { type: 'array', items: { grade: { value: 'string' }, name: 'string' } },
  });
});

test('keeps values for which a skill has no key, and restores them in a package', () => {
  const values = {
    id: 'a',
    name: 'Über Checker',
    description: 'It checks.',
    version: '2.0.0',
    source: 'community',
    marketplace_id: 'm-1',
    artifacts: [
      { kind: 'prompt_template', name: 'P', ordinal: 7, content: 'a\n\n', created_at: 'then' },
      { kind: 'description', name: 'D', ordinal: 2, content: '# Top\n\n## Notes: x\n\nText', model_variant: null },
      { kind: 'prompt_template', name: 'P', ordinal: 8, content: '```\n{{ a }}', model_variant: 'default' },
      {
        ...{ kind: 'prompt_template', name: 'Q', ordinal: 9, content: '{{ a }}' },
        metadata: { assertions: [{ type: 'length', check: 'char_range', min: 1, max: 5 }], own: 1 },
      },
    ],
  };
  const json = JSON.stringify(values);
  const { text, losses } = toSkill(json);
  assert.deepEqual(
    losses.map(({ what, span }) => [what, sliceOf(json, span)]),
    [
      ['content of `D`', JSON.stringify(values.artifacts[1]?.content)],
      ['name `P`', '"P"'],
    ],
  );
  const back = toPackage(text);
  assert.deepEqual(back.json, values);
  assert.deepEqual(back.losses, []);
});

test('keeps a description that was edited after the conversion', () => {
  const values = {
    ...{ name: 'a', description: 'It checks.', version: '1.0.0' },
    artifacts: [{ kind: 'description', name: 'D', ordinal: 0, content: '## Top\n\nText' }],
  };
  const { text } = toSkill(JSON.stringify(values));
  const { json } = toPackage(text.replace(/Text\n$/, 'Another\n'));
  assert.equal((json as typeof values).artifacts[0]?.content, '### Top\n\nAnother');
});

test('reports the location of content that a package cannot express', () => {
  const text =
    '---\nname: a\ndescription: It does.\nversion: 1.0.0\ntools: [read_page]\ninput_schema: {a: string}\n---\n\nDo it.\n';
  const { losses, json } = toPackage(text);
  assert.deepEqual(
    losses.map(({ what, span }) => [what, sliceOf(text, span)]),
    [
      ['tools', 'tools: [read_page]'],
      ['input_schema', 'input_schema: {a: string}'],
      ['framing', 'Do it.'],
    ],
  );
  assert.deepEqual(json, {
    ...{ name: 'a', description: 'It does.', version: '1.0.0' },
    artifacts: [{ kind: 'description', name: 'Framing', ordinal: 0, content: 'Do it.' }],
  });
});

test('refuses an invalid package, and reports the location of the fault', () => {
  const json = '{"name": "a" "artifacts": []}';
  const made = packageToSkill(new SkillFile('file:///a.skill.json', json));
  assert.ok('problem' in made && made.span);
  const none = packageToSkill(new SkillFile('file:///a.skill.json', '[]'));
  assert.deepEqual('problem' in none && none.problem, 'It is not a package: it has no `artifacts` list.');
});

const bad = (change: (values: Record<string, unknown>) => void): readonly string[] => {
  const values = JSON.parse(CONSISTENCY_CHECKER);
  change(values);
  const uri = 'file:///skills/a.skill.json';
  const text = JSON.stringify(values);
  const { analysis } = workspaceWith(text, uri);
  const file = analysis.file(uri);
  assert.ok(file);
  return check(file, analysis)
    .filter(({ severity }) => severity === 'error')
    .map(({ span }) => sliceOf(text, span));
};

type Artifacts = { artifacts: Record<string, unknown>[] };

test('reports each fault of a package once, at its location in the JSON', () => {
  const artifact = (at: number, more: object) => (values: object) =>
    void Object.assign((values as Artifacts).artifacts[at] as object, more);
  assert.deepEqual(
    bad(() => {}),
    [],
  );
  assert.deepEqual(bad(artifact(0, { kind: 'skript' })), ['"skript"']);
  assert.deepEqual(
    bad((values) => void (values as unknown as { artifacts: unknown[] }).artifacts.push(null)),
    ['null'],
  );
  assert.deepEqual(bad(artifact(0, { name: 'Check Prompt' })), ['"Check Prompt"']);
  assert.deepEqual(bad(artifact(3, { metadata: {} })), ['"dspy_module"']);
  assert.deepEqual(bad(artifact(3, { metadata: { fallback_artifact: 'Overview' } })), ['"Overview"']);
  assert.deepEqual(bad(artifact(1, { content: 'x {% if %}' })).length, 1);
  const assertion = (one: object) => bad(artifact(1, { metadata: { assertions: [one] } }));
  assert.deepEqual(assertion({ type: 'strukturell' }), ['"strukturell"']);
  assert.deepEqual(assertion({ type: 'structural', schema: 1 }), ['1']);
  assert.deepEqual(assertion({ type: 'structural', schema: { type: 'strnig' } }), ['"strnig"']);
  const semantic = { type: 'semantic', prompt: 'Is it?' };
  assert.deepEqual(assertion({ ...semantic, severity: 'maybe' }), ['"maybe"']);
  assert.deepEqual(assertion({ ...semantic, severity: 'Soft' }), []);
  assert.deepEqual(assertion({ type: 'length', min: 9, max: 5 }), ['9']);
  assert.deepEqual(assertion({ type: 'length', min: -1 }), ['-1']);
  assert.deepEqual(assertion({ type: 'pattern', pattern: '(' }).length, 1);
  assert.deepEqual(assertion({ type: 'semantic' }), ['"semantic"']);
  assert.deepEqual(assertion({ type: 'semantic', prompt: 'Is it?', expected: 'yes' }), []);
});

test('rejects comments, single quotes and trailing commas in a package', () => {
  const problems = (text: string): readonly string[] => {
    const { frontmatter } = new SkillFile('file:///a.skill.json', text);
    return frontmatter.tree.problems.map(({ span }) => sliceOf(text, span));
  };
  assert.deepEqual(problems('{"a": 1,\n # no\n "b": 2}'), ['# no']);
  assert.deepEqual(problems("{'a': yes}"), ["'a'", 'yes']);
  assert.deepEqual(problems('{"a": [1, 2,],}'), [',', ',']);
  assert.deepEqual(problems('{\n\t"a": [true, null, -1.5e3, "x\\u00e9"]\n}'), []);
});
