/** Keeping a request as a routing case: the smallest edit of a skill, or an item in the `evals/` of a `SKILL.md`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { routingCases } from '../../../server/src/analysis/routing.ts';
import { keepRoutingCase } from '../../../server/src/features/keep-routing-case.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { readEvals } from '../../../server/src/testing/evals.ts';
import { type KeptTrigger, keepTrigger } from '../../../server/src/testing/keep-trigger.ts';
import { applyEdits } from '../../../server/src/text.ts';

const fileOf = (...lines: readonly string[]): SkillFile =>
  new SkillFile('file:///plan.skill.md', ['---', 'name: plan', ...lines, '---', '', 'Do it.', ''].join('\n'));

/** The frontmatter after the edit, or why there is none. */
function kept(file: SkillFile, request: string, should = true): string {
  const found = keepRoutingCase(file, request, should);
  if ('problem' in found) return found.problem;
  return applyEdits(file.text, found.edits).split('---\n')[1] ?? '';
}

test('a skill without routing cases gets its first one', () => {
  assert.equal(kept(fileOf(), 'plan the siege'), 'name: plan\nrouting:\n  should:\n    - plan the siege\n');
});

test('a further case goes below the others, comments and order stay', () => {
  const file = fileOf('routing: # who asks', '  should:', '    - plan a scene', 'tags: [a]');
  assert.equal(
    kept(file, 'plan: the siege'),
    'name: plan\nrouting: # who asks\n  should:\n    - plan a scene\n    - "plan: the siege"\ntags: [a]\n',
  );
});

test('lists in brackets stay in brackets', () => {
  const file = fileOf('routing: {should: [plan a scene]}');
  assert.equal(
    kept(file, 'fix grammar', false),
    'name: plan\nrouting: {should: [plan a scene], should_not: [fix grammar]}\n',
  );
});

test('a case that is there is not written twice, and one that says the opposite is told', () => {
  const file = fileOf('routing: {should: [plan a scene]}');
  assert.deepEqual(keepRoutingCase(file, 'plan a scene', true), { edits: [] });
  assert.match(kept(file, 'plan a scene', false), /says the opposite/);
});

test('what leaves no place for a case is told', () => {
  assert.match(kept(fileOf('routing: none'), 'plan a scene'), /leaves no place/);
  assert.match(
    kept(fileOf('routing: &r {should: [a]}', 'x: *r'), 'plan a scene'),
    /leaves no place|should: \[a, plan a scene\]/,
  );
  assert.match(kept(fileOf('tags: [a'), 'plan a scene'), /fix its YAML/);
});

test('any request is read back as it was asked', () => {
  const files = [
    fileOf(),
    fileOf('routing: {should: [a]}'),
    fileOf('routing:', '  should_not:', '  - a'),
    fileOf('routing:'),
  ];
  const request = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
    .map((text) => text.replace(/[\s\p{C}]+/gu, ' ').trim())
    .filter((text) => text !== '' && text !== 'a');
  fc.assert(
    fc.property(fc.constantFrom(...files), request, fc.boolean(), (file, text, should) => {
      const found = keepRoutingCase(file, text, should);
      assert.ok('edits' in found, JSON.stringify(found));
      const after = new SkillFile(file.uri, applyEdits(file.text, found.edits));
      assert.ok(
        routingCases(after).some((one) => one.request === text && one.should === should),
        after.text,
      );
    }),
  );
});

const textOf = (found: KeptTrigger): string => (found === 'there' || 'problem' in found ? '' : found.text);

test('a SKILL.md without requests gets a file of its own for them', () => {
  const found = keepTrigger([{ name: 'evals.json', text: '{"evals": [{"prompt": "Do it."}]}' }], 'tidy my notes', true);
  assert.deepEqual(found, {
    name: 'triggers.json',
    text: '[\n  {"query": "tidy my notes", "should_trigger": true}\n]\n',
  });
});

test('a request goes to the others, by the key and at the indent that they have', () => {
  const text = '[\n    {"prompt": "tidy",\n     "should_trigger": true}\n]\n';
  assert.deepEqual(keepTrigger([{ name: 'asked.json', text }], 'say "no"', false), {
    name: 'asked.json',
    text: '[\n    {"prompt": "tidy",\n     "should_trigger": true},\n    {"prompt": "say \\"no\\"", "should_trigger": false}\n]\n',
  });
  const inLine = '{"evals": [{"query": "tidy", "should_trigger": true}]}';
  assert.equal(
    textOf(keepTrigger([{ name: 'evals.json', text: inLine }], 'sort', true)),
    '{"evals": [{"query": "tidy", "should_trigger": true}, {"query": "sort", "should_trigger": true}]}',
  );
});

test('a request that is there is not written twice, and one that says the opposite is told', () => {
  const files = [{ name: 'a.json', text: '[{"query": "tidy", "should_trigger": true}]' }];
  assert.equal(keepTrigger(files, 'tidy', true), 'there');
  assert.match(JSON.stringify(keepTrigger(files, 'tidy', false)), /the opposite/);
});

test('an own file that is empty is filled, and one that is something else is left alone', () => {
  assert.equal(
    textOf(keepTrigger([{ name: 'triggers.json', text: '[]\n' }], 'tidy', true)),
    '[\n  {"query": "tidy", "should_trigger": true}\n]\n',
  );
  for (const text of ['{"version": 1}', 'not json', '']) {
    const found = keepTrigger([{ name: 'triggers.json', text }], 'tidy', true);
    assert.match(JSON.stringify(found), /leaves no place/, text);
  }
});

test('any request is read back from the file as it was asked', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.boolean(), (request, should) => {
      const text = textOf(
        keepTrigger([{ name: 'a.json', text: '[{"query": "tidy", "should_trigger": true}]' }], request, should),
      );
      if (request.trim() === 'tidy') return;
      assert.deepEqual(
        readEvals(text, false).triggers.map(({ shouldTrigger, ...one }) => [one.request, shouldTrigger])[1],
        [request, should],
      );
    }),
  );
});
