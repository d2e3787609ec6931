/** Saves a request as a routing case, by the smallest edit to a skill or by an item in the `evals/` of a `SKILL.md`. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { routingCases } from '../../../server/src/analysis/routing.ts';
import { keepRoutingCase } from '../../../server/src/features/keep-routing-case.ts';
import { SkillFile } from '../../../server/src/skill/skill-file.ts';
import { type AddedTrigger, addTrigger } from '../../../server/src/testing/add-trigger.ts';
import { readEvals } from '../../../server/src/testing/evals.ts';
import { applyEdits } from '../../../server/src/text.ts';

const fileOf = (...lines: readonly string[]): SkillFile =>
  new SkillFile('file:///plan.skill.md', ['---', 'name: plan', ...lines, '---', '', 'Do it.', ''].join('\n'));

/** The frontmatter after the edit, or the reason for a refusal. */
function kept(file: SkillFile, request: string, should = true): string {
  const found = keepRoutingCase(file, request, should);
  if ('problem' in found) return found.problem;
  return applyEdits(file.text, found.edits).split('---\n')[1] ?? '';
}

test('adds the first routing case of a skill', () => {
  assert.equal(kept(fileOf(), 'plan the siege'), 'name: plan\nrouting:\n  should:\n    - plan the siege\n');
});

test('adds a case below existing cases, and keeps comments and order', () => {
  const file = fileOf('routing: # who asks', '  should:', '    - plan a scene', 'tags: [a]');
  assert.equal(
    kept(file, 'plan: the siege'),
    'name: plan\nrouting: # who asks\n  should:\n    - plan a scene\n    - "plan: the siege"\ntags: [a]\n',
  );
});

test('keeps lists in brackets', () => {
  const file = fileOf('routing: {should: [plan a scene]}');
  assert.equal(
    kept(file, 'fix grammar', false),
    'name: plan\nrouting: {should: [plan a scene], should_not: [fix grammar]}\n',
  );
});

test('does not add an existing case, and reports a contradictory case', () => {
  const file = fileOf('routing: {should: [plan a scene]}');
  assert.deepEqual(keepRoutingCase(file, 'plan a scene', true), { edits: [] });
  assert.match(kept(file, 'plan a scene', false), /opposite routing case/);
});

test('reports a skill that cannot have a case', () => {
  assert.match(kept(fileOf('routing: none'), 'plan a scene'), /cannot be added automatically/);
  assert.match(
    kept(fileOf('routing: &r {should: [a]}', 'x: *r'), 'plan a scene'),
    /cannot be added automatically|should: \[a, plan a scene\]/,
  );
  assert.match(kept(fileOf('tags: [a'), 'plan a scene'), /frontmatter is invalid/);
});

test('writes any request without loss', () => {
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

const textOf = (found: AddedTrigger): string => (found === 'there' || 'problem' in found ? '' : found.text);

test('creates a file for the requests of a SKILL.md', () => {
  const found = addTrigger([{ name: 'evals.json', text: '{"evals": [{"prompt": "Do it."}]}' }], 'tidy my notes', true);
  assert.deepEqual(found, {
    name: 'triggers.json',
    text: '[\n  {"query": "tidy my notes", "should_trigger": true}\n]\n',
  });
});

test('adds a request with the key and the indentation of the existing requests', () => {
  const text = '[\n    {"prompt": "tidy",\n     "should_trigger": true}\n]\n';
  assert.deepEqual(addTrigger([{ name: 'asked.json', text }], 'say "no"', false), {
    name: 'asked.json',
    text: '[\n    {"prompt": "tidy",\n     "should_trigger": true},\n    {"prompt": "say \\"no\\"", "should_trigger": false}\n]\n',
  });
  const inLine = '{"evals": [{"query": "tidy", "should_trigger": true}]}';
  assert.equal(
    textOf(addTrigger([{ name: 'evals.json', text: inLine }], 'sort', true)),
    '{"evals": [{"query": "tidy", "should_trigger": true}, {"query": "sort", "should_trigger": true}]}',
  );
});

test('does not add an existing request, and reports a contradictory request', () => {
  const files = [{ name: 'a.json', text: '[{"query": "tidy", "should_trigger": true}]' }];
  assert.equal(addTrigger(files, 'tidy', true), 'there');
  assert.match(JSON.stringify(addTrigger(files, 'tidy', false)), /the opposite/);
});

test('adds the first request to an empty list, and refuses a file with other content', () => {
  assert.equal(
    textOf(addTrigger([{ name: 'triggers.json', text: '[]\n' }], 'tidy', true)),
    '[\n  {"query": "tidy", "should_trigger": true}\n]\n',
  );
  for (const text of ['{"version": 1}', 'not json', '']) {
    const found = addTrigger([{ name: 'triggers.json', text }], 'tidy', true);
    assert.match(JSON.stringify(found), /cannot be added/, text);
  }
});

/** Empty requests are refused before they are written. */
const isFilled = (request: string): boolean => request.trim() !== '';

test('writes any request to the file without loss', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }).filter(isFilled), fc.boolean(), (request, should) => {
      const text = textOf(
        addTrigger([{ name: 'a.json', text: '[{"query": "tidy", "should_trigger": true}]' }], request, should),
      );
      if (request.trim() === 'tidy') return;
      assert.deepEqual(
        readEvals(text, false).triggers.map(({ shouldTrigger, ...one }) => [one.request, shouldTrigger])[1],
        [request, should],
      );
    }),
  );
});
