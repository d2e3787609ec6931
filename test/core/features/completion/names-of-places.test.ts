/** Names that only some places of a skill take: inputs in a key, flags, tiers, fallbacks, nodes, values of references. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { composed } from '../../composer/composing.ts';
import { complete } from '../cursor.ts';

const CATALOG = `tools: [{name: read_page, input_schema: {slug: string}}, {name: list_pages}]
profiles:
  - {name: reader, tier: adult, feature_flags: [maps, notes]}
  - {name: guest, tier: child}
interrupts: [{name: on_clash, node: call_tools}, {name: on_doubt, node: check_exit}]
`;
const PART = `---
name: read-page
description: Reads a page.
version: 1.0.0
output_schema: {state: [draft, done], pages: integer}
capabilities_required: [{feature_flag: beta}, {tier: teen}]
---
`;

const inSkill = (frontmatter: string, body = '') => ({
  'skills.config.yaml': CATALOG,
  'skills/read-page.skill.md': PART,
  'skills/test.skill.md': `---\nname: test\ninput_schema: {mode: [fast, slow], locale: string?}\noutput_schema: {title: {enum: [none, some]}}\n${frontmatter}\n---\n${body}`,
});
const offered = (frontmatter: string, body?: string) => complete(inSkill(frontmatter, body));
const accepted = (frontmatter: string, label: string) => {
  const line = frontmatter.slice(0, frontmatter.indexOf('$0')).split('\n').length + 4;
  return offered(frontmatter).accept(label).split('\n')[line - 1];
};

test('offers the inputs in braces in an idempotency key', () => {
  assert.deepEqual(offered('policy: {idempotency_key: "{$0}"}').labels, ['{mode}', '{locale}']);
  assert.equal(accepted('policy: {idempotency_key: "{$0}"}', '{mode}'), 'policy: {idempotency_key: "{mode}"}');
  assert.equal(
    accepted('policy: {idempotency_key: "{mode}:{lo$0"}', '{locale}'),
    'policy: {idempotency_key: "{mode}:{locale}"}',
  );
  assert.equal(
    accepted('policy: {idempotency_key: "{m$0ode}:x"}', '{locale}'),
    'policy: {idempotency_key: "{locale}:x"}',
  );
  assert.equal(
    accepted('policy: {idempotency_key: "{mode}:$0"}', '{locale}'),
    'policy: {idempotency_key: "{mode}:{locale}"}',
  );
  // Outside quotes, an open brace would start a map.
  assert.equal(accepted('policy:\n  idempotency_key: $0', '{mode}'), '  idempotency_key: "{mode}"');
});

test('offers the flags and tiers of callers and of other skills', () => {
  assert.deepEqual(offered('capabilities_required: [{feature_flag: $0}]').labels, ['maps', 'notes', 'beta']);
  assert.deepEqual(offered('capabilities_required:\n  - tier: $0').labels, ['adult', 'child', 'teen', 'any']);
  const profile = complete({
    'skills/read-page.skill.md': PART,
    'skills.config.yaml': 'profiles: [{name: a, tier: $0}]\n',
  });
  assert.deepEqual(profile.labels, ['teen', 'any']);
});

test('offers constants, inputs and skills as the fallback of an error', () => {
  const { labels } = offered('errors: [{code: LOST, fallback: $0}]');
  assert.deepEqual(labels, ['none', 'some', '$input.mode', '$input.locale', 'read-page']);
  assert.deepEqual(offered('errors: [{code: LOST, fallback: {$0}}]').labels, ['title']);
  assert.deepEqual(offered('errors: [{code: LOST, fallback: {title: $0}}]').labels, [
    'none',
    'some',
    '$input.mode',
    '$input.locale',
  ]);
  assert.equal(
    accepted('errors:\n  - code: LOST\n    fallback: {title: "Not $input.l$0 now"}', '$input.locale'),
    '    fallback: {title: "Not $input.locale now"}',
  );
});

test('offers the nodes that the graph of the skill may have', () => {
  const expect = 'samples: {a: {expect: {nodes: [validate_input, $0]}}}';
  assert.deepEqual(offered(expect).labels, ['plan', 'check_exit']);
  assert.deepEqual(offered(`tools: [read_page]\n${expect}`).labels, ['plan', 'call_tools', 'check_exit']);
  assert.deepEqual(offered(expect, '\n## Approach\n\n1. **Read** it.\n2. **Write** it.\n').labels.slice(0, 2), [
    'plan_1',
    'plan_2',
  ]);
});

test('offers the nodes of composed skills in the order and with the numbers of the composer', () => {
  const part = (name: string) =>
    `---\nname: ${name}\ndescription: Does ${name}.\nversion: 1.0.0\ninput_schema: {topic: string?}\noutput_schema: {of_${name}: string}\n---\nText.\n`;
  const executions = [
    '',
    'execution: [{parallel: [{step: a}, {step: b}]}, {step: c}]',
    'execution: [{step: a, condition: topic}, {step: b}, {step: c, condition: not topic}]',
    'execution: [{parallel: [{parallel: [{step: a}, {step: b, condition: topic}]}, {step: c}]}]',
    'execution: [{speculate: [{step: a, keep_when: $c.output.of_c == "x"}], until: c}, {step: b}]',
    `execution:
  - when:
      - condition: topic == "x"
        steps: [{step: a}]
      - condition: topic == "y"
        steps: [{parallel: [{step: b}, {step: c}]}]
    else: [{step: c}]`,
  ];
  for (const execution of executions) {
    const files = (samples: string) => ({
      'skills/t.skill.md': `---\nname: t\ndescription: T.\nversion: 1.0.0\nlevel: 2\ninput_schema: {topic: string?}\noutput_schema: {}\ncomposes: [a, b, c]\n${execution}\n${samples}\n---\nDo it.\n`,
      'skills/z-a.skill.md': part('a'),
      'skills/z-b.skill.md': part('b'),
      'skills/z-c.skill.md': part('c'),
    });
    assert.deepEqual(
      complete(files('samples: {a: {expect: {nodes: [$0]}}}')).labels,
      composed(files('')).subgraph.nodes.map(({ id }) => id),
      execution,
    );
  }
});

test('offers the values of an enumeration after a comparison with a reference', () => {
  const steps = (condition: string) =>
    `composes: [read-page]\nexecution:\n  - step: read-page\n  - {step: read-page, condition: '${condition}'}`;
  assert.deepEqual(offered(steps('$input.mode == "$0"')).labels, ['fast', 'slow']);
  assert.deepEqual(offered(steps('$read-page.output.state != "$0"')).labels, ['draft', 'done']);
  assert.deepEqual(offered(steps('$input.mode == $0')).labels.slice(0, 2), ['"fast"', '"slow"']);
  assert.deepEqual(offered(steps('$read-page.output.pages == "$0"')).labels, []);
  assert.deepEqual(
    offered(
      'composes: [read-page]\nexecution:\n  - step: read-page\n    condition: >-\n      locale and\n      $input.mode == "$0"',
    ).labels,
    ['fast', 'slow'],
  );
});

test('writes the values of an enumeration as the YAML scalar around the condition needs them', () => {
  const values = JSON.stringify(['fast', 'a: b', 'x #1', "it's", 'q"q', 'r,s']);
  const completed = (condition: string) =>
    complete(
      `---\nname: test\ninput_schema: {mode: {enum: ${values}}}\ncomposes: [read-page]\nexecution:\n  - step: read-page\n    condition: ${condition}\n---\n`,
    );
  const labels = (condition: string) => completed(condition).labels.filter((label) => label.startsWith('"'));
  const line = (condition: string, label: string) => completed(condition).accept(label).split('\n')[6]?.trim();
  const all = ['"fast"', '"a: b"', '"x #1"', '"it\'s"', '"q\\"q"', '"r,s"'];
  // A plain scalar cannot contain `: ` or ` #`.
  assert.deepEqual(labels('$input.mode == $0'), [all[0], all[3], all[4], all[5]]);
  for (const around of ['"$input.mode == $0"', "'$input.mode == $0'", '>-\n      ($input.mode == $0)'])
    assert.deepEqual(labels(around), all, around);
  assert.equal(line('"$input.mode == $0"', '"q\\"q"'), 'condition: "$input.mode == \\"q\\\\\\"q\\""');
  assert.equal(line("'$input.mode == $0'", '"it\'s"'), "condition: '$input.mode == \"it''s\"'");
});

test('offers the name of the file or folder as the name of the skill', () => {
  assert.deepEqual(complete({ 'skills/find-page.skill.md': '---\nname: $0\n---\n' }).labels, ['find-page']);
  assert.deepEqual(complete({ 'skills/pdf-forms/SKILL.md': '---\nname: pd$0\n---\n' }).labels, ['pdf-forms']);
  // A name that is not allowed in a skill is not offered.
  assert.deepEqual(complete({ 'skills/PDF Forms/SKILL.md': '---\nname: $0\n---\n' }).labels, []);
});

test('offers what the skill declares first', () => {
  const exit = 'interrupts: [on_doubt]\nexit: {on: interrupt, name: $0}';
  assert.equal(offered(exit).labels[0], 'on_doubt');
  assert.equal(offered('tools: [read_page]\nsamples: {a: {expect: {tools: [$0]}}}').labels[0], 'read_page');
  assert.equal(offered('tools: [{name: read_page, constraints: {$0}}]').labels[0], 'properties');
});
