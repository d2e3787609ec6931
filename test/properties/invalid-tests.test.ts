/** A test of which `check` reports a part, or in which a key is misspelt or has no value, never passes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Workspace } from '../../server/src/analysis/workspace.ts';
import { mapEntries, type YamlEntry, type YamlNode } from '../../server/src/languages/yaml/node.ts';
import { check } from '../../server/src/rules/engine/check.ts';
import type { Composing } from '../../server/src/services/composing/composing.ts';
import { testSkill, unreadTests } from '../../server/src/services/testing/test-skill.ts';
import { findSkillEntry } from '../../server/src/skill/contract.ts';
import { contains, type Span } from '../../server/src/text.ts';
import { compose } from '../core/composer/composing.ts';
import { cases } from '../random.ts';

const URI = 'file:///w/read-scene.skill.md';

/** A skill whose tests have every key of samples, expectations, assertions, stubs, answers, examples and routing. */
const SKILL = `---
name: read-scene
description: Reads a scene. Use it before a scene is judged.
version: 1.0.0
input_schema: {place: string, lines: "integer?"}
output_schema: {scene: string}
framing: scene
tools: [read_page]
interrupts: [before_exit]
routing:
  should: [read the scene before it is judged]
  should_not: [bake a cake]
samples:
  storm:
    request: Read the scene of the storm.
    parameters: {place: gate, lines: 3}
    source: explicit
    channel: web
    profile: editor
    model: anthropic
    thread_id: one
    stubs:
      read_page: {returns: {text: The gate held.}, fails: TIMEOUT, times: 1}
    answers: {before_exit: true}
    expect:
      prompt:
        - {type: contains, value: gate, severity: hard}
        - {type: length, min: 1, max: 400, unit: words}
        - {type: pattern, match: gate, not_match: cake, severity: soft}
      output:
        - {type: structural, schema: {scene: string}}
        - {type: equals, value: {scene: The gate held.}}
        - {type: semantic, prompt: Is it short?, expected: "yes"}
      tools: [read_page]
      artifacts: {taken: [scene], left_out: [feast]}
      interrupts: [before_exit]
      nodes: [plan_1, call_tools_1, check_exit]
      tokens: {max: 400}
      snapshot: false
      path: [Read, Write]
      exit: output_schema
  wrong:
    parameters: {place: gate, lines: many}
    expect: {fails: ParameterMismatch}
examples:
  - {name: one, input: {place: gate}, output: {scene: The gate held.}}
---

## PromptTemplate: scene

Read the page of {{ place }} in {{ lines | default(3) }} lines with #tool:read_page.

## Approach: two steps

1. **Read** the page of the scene with #tool:read_page.
2. **Write** the scene.

## Example: feast

\`\`\`yaml artifact
tags: [feast]
assertions: [{type: contains, value: gate}]
\`\`\`

### Input

\`\`\`yaml
place: feast
\`\`\`

### Output

\`\`\`yaml
scene: The gate held.
\`\`\`
`;

const CATALOG = `channels: [web]
models: [anthropic]
profiles: [{name: editor, scopes: []}]
tools: [{name: read_page, operation: READ, output_schema: {text: string}}]
`;

const composing: Composing = {
  compose: async (_, request) => ({ result: compose(request), milliseconds: 0 }),
  run: async () => ({
    ...{ ok: true, events: [], path: ['Read', 'Write'], interrupts: ['before_exit'] },
    assertions: { run: 0, passed: 0 },
    end: { kind: 'met', on: 'output_schema', output: null },
  }),
  evaluate: () => assert.fail('no expression is evaluated'),
  count: async (texts) => texts.map(() => 1),
  warm() {},
  dispose() {},
};

const opened = (text: string) => {
  const workspace = new Workspace();
  workspace.apply({ kind: 'text', uri: 'file:///w/skills.config.yaml', text: CATALOG });
  workspace.apply({ kind: 'text', uri: URI, text });
  const file = workspace.analysis.file(URI);
  assert.ok(file);
  return { analysis: workspace.analysis, file };
};

async function failuresOf(text: string): Promise<readonly string[]> {
  const { analysis } = opened(text);
  const tests =
    (await testSkill(analysis, URI, {
      ...{ composing, readKept: async () => undefined, snapshots: false },
      files: { list: async () => [], exists: async () => false },
    })) ?? unreadTests(analysis, URI);
  return (tests?.results ?? []).flatMap(({ status, name, message }) =>
    status === 'failed' ? [`${name}: ${message}`] : [],
  );
}

const keyOf = (text: string) => {
  const { analysis, file } = opened(text);
  return check(file, analysis).map(({ rule, message, severity }) => ({ rule, severity, text: `${rule}: ${message}` }));
};

interface Place {
  readonly entry: YamlEntry;
  /** True if the author chooses the key, so that another name may be valid. */
  readonly isOwnName: boolean;
}

/** The keys of tests in the frontmatter and in the metadata. */
function places(): readonly Place[] {
  const { file } = opened(SKILL);
  const { root } = file.frontmatter.tree;
  const found: Place[] = [];
  const walk = (node: YamlNode, isOwn: boolean): void => {
    if (node.kind === 'list') for (const item of node.items) walk(item, isOwn);
    for (const entry of mapEntries(node)) {
      found.push({ entry, isOwnName: isOwn || OWN.has(String(entry.key.value)) });
      walk(entry.value, isOwn || DATA.has(String(entry.key.value)));
    }
  };
  for (const key of ['samples', 'examples', 'routing']) {
    const entry = findSkillEntry(root, key);
    assert.ok(entry);
    found.push({ entry, isOwnName: false });
    walk(entry.value, false);
  }
  for (const { tree } of file.metadata) if (tree.root) walk(tree.root, false);
  return found;
}

const OWN = new Set(['storm', 'wrong', 'tags']);
/** The keys whose values are data. */
const DATA = new Set(['parameters', 'returns', 'answers', 'value', 'schema', 'input', 'output_schema']);

const PLACES = places();
const replaced = (text: string, { start, end }: Span, by: string): string =>
  text.slice(0, start) + by + text.slice(end);

test('the skill passes its tests without findings', async () => {
  assert.deepEqual([await failuresOf(SKILL), keyOf(SKILL).map(({ text }) => text)], [[], []]);
});

for (const { entry, isOwnName } of PLACES) {
  const key = String(entry.key.value);
  if (isOwnName) continue;
  test(`fails if the key \`${key}\` at ${entry.key.span.start} is misspelt`, async () => {
    for (const wrong of [`${key}x`, `x${key}`, key.slice(0, -1) + key.at(-1)?.repeat(2)]) {
      const failures = await failuresOf(replaced(SKILL, entry.key.span, wrong));
      assert.notDeepEqual(failures, [], `${wrong} passes`);
    }
  });
}

const VALUES = [
  '',
  '[]',
  '{}',
  '7',
  '-1',
  'x',
  'true',
  '""',
  '[x]',
  '[[x]]',
  '[7]',
  '{x: 1}',
  '.inf',
  '~',
  '[~]',
  '*a',
  '{x: , y}',
];

test('fails if `check` reports the value of a key', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...PLACES), fc.constantFrom(...VALUES), async ({ entry: { value } }, other) => {
      const text = replaced(SKILL, value.span, other);
      const reported = keyOf(text).filter(({ severity }) => severity !== 'hint');
      if (reported.length === 0) return;
      assert.notDeepEqual(await failuresOf(text), [], `${reported[0]?.text} is reported, but the tests pass`);
    }),
    { ...cases(1_000), endOnFailure: true },
  );
});

test('fails for each part of a test that is removed or doubled, if `check` reports it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...PLACES), fc.boolean(), async ({ entry: { span } }, isRemoved) => {
      const part = SKILL.slice(span.start, span.end);
      const isFlow = !part.includes('\n');
      const text = replaced(SKILL, span, isRemoved || !isFlow ? 'x-own: 1' : `${part}, ${part}`);
      const reported = keyOf(text).filter(({ severity }) => severity !== 'hint');
      if (reported.length > 0) assert.notDeepEqual(await failuresOf(text), [], reported[0]?.text);
    }),
    { ...cases(300), endOnFailure: true },
  );
  assert.ok(PLACES.every(({ entry }) => contains(entry.span, entry.key.span)));
});
