/** All tests of a skill, including those in `evals/` beside it. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { listAll } from '../../../server/src/frontends/lsp/handlers/tests.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { readEvals } from '../../../server/src/testing/evals.ts';
import { sliceOf } from '../../../server/src/text.ts';

const skill = `---
name: greet
description: Greets.
routing: {should: [greet Ada], should_not: [write to Ada, write to Ada]}
samples:
  chosen: {request: greet Eve, source: agent-selected}
---
`;

const evals = JSON.stringify(
  {
    evals: [
      { id: 1, prompt: 'Greet.', assertions: ['Is polite', 'Is short'], files: ['a.txt'] },
      { id: 2 },
      { query: 'greet Ada', should_trigger: true },
      { query: 'greet Bob', should_trigger: true },
    ],
  },
  undefined,
  1,
);

test('lists samples, routing cases, evals and triggers once with their locations', () => {
  const uri = 'file:///greet/evals/evals.json';
  const tests = listAll(new SkillFile('file:///greet/SKILL.md', skill), [
    { uri, text: evals, evals: readEvals(evals, true) },
  ]);
  assert.deepEqual(
    tests.map(({ uri, located, test: { kind, name, span } }) => [
      kind,
      name,
      uri.replace('file:///greet/', ''),
      sliceOf(located.text, span),
    ]),
    [
      ['sample', 'chosen', 'SKILL.md', 'chosen'],
      ['routing', 'should: greet Ada', 'SKILL.md', 'greet Ada'],
      ['routing', 'should not: write to Ada', 'SKILL.md', 'write to Ada'],
      ['routing', 'should: greet Eve', 'SKILL.md', 'greet Eve'],
      ['evals', 'case 1', 'evals/evals.json', '"id"'],
      ['evals', 'case 2', 'evals/evals.json', '"id"'],
      ['routing', 'should: greet Bob', 'evals/evals.json', '"greet Bob"'],
    ],
  );
  assert.deepEqual(
    tests[4]?.test.semantic.map(({ name }) => name),
    ['case 1 › Is polite', 'case 1 › Is short'],
  );
});
