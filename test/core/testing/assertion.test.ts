/** The result of an assertion about a string. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { parseYaml } from '../../../server/src/languages/yaml/parse.ts';
import { checkAssertion, nameOf, readAssertions } from '../../../server/src/testing/assertion.ts';
import { withoutHang } from '../../hang.ts';

const countTokens = (text: string): number => text.split(' ').length;

function read(written: string) {
  const text = `[${written}]`;
  return readAssertions(parseYaml(text, { start: 0, end: text.length }).root);
}

const cases = [
  ['{type: contains, value: Ada}', 'Greet Ada.', 'passed'],
  ['{type: contains, value: Ada}', 'Greet them.', 'failed'],
  ['{type: contains, value: 12}', 'There are 12.', 'passed'],
  ['{type: equals, value: "yes"}', 'yes\n', 'passed'],
  ['{type: equals, value: "yes"}', 'yes, but', 'failed'],
  ['{type: equals, value: {b: 1, a: [2]}}', '{"a": [2], "b": 1}', 'passed'],
  ['{type: equals, value: {a: 1}}', 'a is 1', 'failed'],
  ['{type: length, min: 2, max: 3, unit: words}', 'one two', 'passed'],
  ['{type: length, max: 3, unit: words}', 'one two three four', 'failed'],
  ['{type: length, max: 3}', 'äöü', 'passed'],
  ['{type: length, max: 1}', '\u{1f600}', 'passed'],
  ['{type: length, min: 2, unit: lines}', 'one\ntwo\n', 'passed'],
  ['{type: length, max: 1, unit: lines}', 'one\ntwo', 'failed'],
  ['{type: length, max: 2, unit: tokens}', 'a b c', 'failed'],
  ['{type: pattern, match: "^## "}', '## Head', 'passed'],
  ['{type: pattern, not_match: "```"}', 'A ``` fence', 'failed'],
  ['{type: pattern, match: "a", not_match: "b"}', 'ab', 'failed'],
  // The engine does not support look-aheads. The expression is also slow in other engines.
  ['{type: pattern, match: "^(?=x)(a+)+$"}', 'b', 'skipped'],
  ['{type: structural, schema: {title: string}}', '{"title": "x"}', 'passed'],
  ['{type: structural, schema: {title: string}}', 'Here it is:\n\n```json\n{"title": "x"}\n```\n', 'passed'],
  ['{type: structural, schema: {title: string}}', '{"title": 1}', 'failed'],
  ['{type: structural, schema: {title: string}}', 'no JSON', 'failed'],
  ['{type: semantic, prompt: Is it polite?, expected: "yes"}', 'Please.', 'skipped'],
  ['{type: structural, check: json_schema, schema: {title: string}}', '{"title": 1}', 'failed'],
  ['{check: json_schema, schema: {title: string}}', '{"title": 1}', 'failed'],
  ['{check: char_range, max: 3}', 'abcd', 'failed'],
  ['{type: length, check: token_range, max: 2}', 'a b c', 'failed'],
  ['{type: length, check: token_range, max: 2, unit: characters}', 'a', 'passed'],
  ['{check: llm_eval, prompt: Is it polite?, expected: "yes"}', 'Please.', 'skipped'],
  ['{type: pattern, match: "(a"}', 'a', 'failed'],
] as const;

for (const [written, text, status] of cases) {
  test(`${written} returns the status ${status} for ${JSON.stringify(text)}`, () => {
    const [assertion] = read(written);
    assert.ok(assertion);
    const verdict = checkAssertion(assertion, text, countTokens);
    assert.equal(verdict.status, status);
    if (status === 'failed')
      assert.ok(verdict.expected && verdict.actual && verdict.message, 'a failure shows both sides');
    if (status === 'skipped') assert.ok(verdict.message);
  });
}

test('takes linear time for an expression that is slow in other engines', () => {
  const [assertion] = read('{type: pattern, match: "^(a+)+$"}');
  assert.ok(assertion);
  assert.equal(checkAssertion(assertion, `${'a'.repeat(5000)}!`, countTokens).status, 'failed');
});

test('skips a string that is too long for an expression', () => {
  const [assertion] = read('{type: pattern, match: "(a|b|c|d){1,50}x"}');
  assert.ok(assertion);
  assert.equal(checkAssertion(assertion, 'y'.repeat(3_000_000), countTokens).status, 'skipped');
});

test('ignores invalid assertions', () => {
  assert.deepEqual(read('{type: length}, {type: pattern}, {type: contains}, {type: other}, text'), []);
});

test('the name of a test describes its assertion in a few words', () => {
  const names = read(
    '{type: length, min: 2, max: 1200, unit: words}, {type: length, max: 3}, {type: pattern, match: a, not_match: b}, {type: contains, value: "two\\n lines"}',
  ).map(nameOf);
  assert.deepEqual(names, [
    'has 2 to 1,200 words',
    'has at most 3 characters',
    'matches a, does not match b',
    'contains two lines',
  ]);
});

test('reads a string with many unclosed fences only once', () => {
  const [assertion] = read('{type: structural, schema: {title: string}}');
  assert.ok(assertion);
  const result = withoutHang(() => checkAssertion(assertion, '```a\n'.repeat(200_000), countTokens));
  assert.equal(result.status, 'failed');
});
