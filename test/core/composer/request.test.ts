/** Preparing the request, and the data that a composition contains in addition to the prompt (docs/composer.md). */
import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import { checkedPackageOf } from '../../../server/src/rules/engine/checked-package.ts';
import { composed, FENCE, prepared, skill } from './composing.ts';

test('the artifacts of a file and their digests are read once for all requests', () => {
  const uri = 'file:///skills-here/skills/test.skill.md';
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri, text: skill('', '\n## PromptTemplate: main\n\nDo it.\n') });
  const [first, second] = [1, 2].map(() => checkedPackageOf(workspace.analysis, uri));
  assert.equal(first?.artifacts.length, 1);
  assert.equal(first.artifacts, second?.artifacts);
});

test('a tool has the schemas of the catalog, of the snapshot, or of its contract', () => {
  const schemasOf = (fields: object) => ({
    inputSchema: { properties: { id: {} } },
    outputSchema: { properties: fields },
  });
  const { request } = prepared({
    'skills/test.skill.md': skill('tools: [listed, pulled, served]\n', '\nDo it.\n'),
    'skills.config.yaml':
      'tools: [{name: listed, input_schema: {id: string}, output_schema: {a: string}}, {from: mcp.json}]\n',
    'skills.tools.json': JSON.stringify({ tools: [{ name: 'pulled', server: 'wiki', ...schemasOf({ b: {} }) }] }),
    'served.skill.yaml':
      'name: served\nversion: 1.0.0\ndescription: Serves.\ninput_schema: {id: string}\noutput_schema: {c: string}\nbacking_service: {endpoint: "x:1"}\n',
  });
  const fieldsOf = (schema: unknown) => Object.keys((schema as { properties?: object } | undefined)?.properties ?? {});
  assert.deepEqual(
    request.availableTools.map((tool) => [tool.name, fieldsOf(tool.inputSchema), fieldsOf(tool.outputSchema)]),
    [
      ['listed', ['id'], ['a']],
      ['pulled', ['id'], ['b']],
      ['served', ['id'], ['c']],
    ],
  );
});

test('the composition contains the progress, and the assertions of the used artifacts', () => {
  const asserting = (kind: string, name: string, min: number, rest: string) =>
    `\n## ${kind}: ${name}\n${FENCE}yaml artifact\nassertions: [{type: length, min: ${min}, severity: soft}]\n${FENCE}\n\n${rest}\n`;
  const text = skill(
    'framing: main\nprogress: {unit: beat, total: 5}\n',
    asserting('PromptTemplate', 'main', 3, 'Do it.') +
      asserting('PromptTemplate', 'other', 4, 'Not read.') +
      asserting('Example', 'one', 5, '### Output\n\nDone.'),
  );
  const { progress, assertions } = composed(text);
  assert.deepEqual(progress, { unit: 'beat', total: 5 });
  assert.deepEqual(
    assertions.map(({ artifact, assertion }) => [artifact, assertion]),
    [
      ['PromptTemplate:main', { type: 'length', min: 3, severity: 'soft' }],
      ['Example:one', { type: 'length', min: 5, severity: 'soft' }],
    ],
  );
  assert.deepEqual(
    [composed(skill('', '\nDo it.\n')).progress, composed(skill('', '\nDo it.\n')).assertions],
    [null, []],
  );
});

describe('memory', () => {
  const text = skill(
    'framing: main\n',
    '\n## PromptTemplate: main\n\n{% for item in memory if item.tier == "canon" %}- {{ item.text }}\n{% endfor %}Go.\n',
  );

  test('lists the items that change the prompt', () => {
    const memory = [
      { id: 'a', tier: 'canon', text: 'The chain is down.' },
      { id: 'b', tier: 'session', text: 'Hello.' },
    ];
    assert.deepEqual(composed(text, { memory }).memoryDependencies, ['a']);
  });
});

describe('preparing the request', () => {
  test('reports the gates that deny the skill, and composes the skill nevertheless', () => {
    const files = {
      'skills/test.skill.md': skill(
        'allowed_roles: [writer]\nallowed_contexts: [channel]\nrequired_scopes: [write:pages]\ndeprecated: {use: other}\n',
        '\nDo it.\n',
      ),
      'skills.config.yaml': 'roles: {reader: [read:pages]}\nprofiles: [{name: ann, role: reader}]\n',
    };
    assert.deepEqual(
      prepared(files, { profile: 'ann' }).gates.map(({ gate, reason }) => `${gate}: ${reason}`),
      [
        'role: `ann` has the role `reader`, but the skill requires the role `writer`',
        'scope: `ann` lacks the scope `write:pages`',
        "context: this invocation's context is `workspace`, but the skill may be invoked only in the context `channel`",
        'deprecation: the skill is deprecated; use `other`',
      ],
    );
    assert.match(composed(files, { profile: 'ann' }).prompt, /^Do it\./);
  });
});

test('an interrupt in `exit` ends the skill', () => {
  const text = skill('interrupts: [before_exit]\nexit: {on: interrupt, name: before_exit}\n', 'Do it.\n');
  assert.deepEqual(composed(text).exitCondition, { on: 'interrupt', name: 'before_exit' });
  assert.deepEqual(composed(text, { maxToolCalls: 2 }).exitCondition, {
    on: 'interrupt',
    name: 'before_exit',
    maxToolCalls: 2,
  });
});
