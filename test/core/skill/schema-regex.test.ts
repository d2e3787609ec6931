/** Regular expressions that are slow in other engines or are not run, and the time limit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRegexFaults, parseRegex } from '../../../server/src/languages/schema/regex/regex.ts';

const SLOW = [
  '^((a{1,5}){1,5}){1,5}$',
  '^([a-z]{1,10}-?){1,8}$',
  '(a{1,1000}){1,1000}',
  '(a+)+$',
  '(a|a)*',
  '^(a|aa)+$',
  '^(\\w+\\s?)*$',
  '([a-z]+)*@',
  '^(.*)*x',
  '(x+x+)+y',
  '(?:a|b|ab)*c',
  '^(\\d+|\\w+)*-$',
  '^([a-zA-Z0-9])(([\\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}[a-z]{2,3}$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(a?){30}a{30}',
  '^(a{1,40}){1,40}$',
  '(.*a){20}',
  '(a|\\w){25}$',
  '(x(a*|b*))*$',
];

const SOUND = [
  '^[A-Z]{4}_[0-9]{3,6}$',
  '^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$',
  '^[\\w.+-]+@[\\w-]+(\\.[\\w-]+)+$',
  '^[a-z0-9]+(-[a-z0-9]+)*$',
  '^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?$',
  '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  '^([0-9a-f]{32})+$',
  '^(https?://)?([\\w-]+\\.)+[a-z]{2,6}(/[\\w.-]*)*/?$',
  '^"[^"\\\\]*(\\\\.[^"\\\\]*)*"$',
  '^\\s*\\S+(\\s+\\S+)*\\s*$',
  '^\\p{L}+$',
  '^.{1,1000}$',
  '^\\s+|\\s+$',
  '^[\\w-.]+$',
  '^(\\d{1,3}\\.){3}\\d{1,3}$',
  '^(\\d{1,4}[.,]?){1,3}$',
];

const UNREAD = [
  '^(?=.*[A-Z])(?=.*\\d).{8,}$',
  '^(?:(?!--).)*$',
  '(?<=a)b',
  '(\\w+)\\s\\1',
  '(?<name>a)\\k<name>',
  '(a{1000}){1000}',
  '^.{1,5000}$',
  '\\p{Script_Extensions=Greek}',
  `${'('.repeat(900)}${')'.repeat(900)}`,
  'a'.repeat(1_000_000),
];

test('distinguishes expressions that are slow in other engines from safe ones', () => {
  for (const source of SLOW) assert.equal(findRegexFaults(source)[0]?.kind, 'slow', source);
  for (const source of SOUND) assert.deepEqual(findRegexFaults(source), [], source);
});

test('reports expressions that need backtracking or too much memory, and does not run them', () => {
  for (const source of UNREAD) {
    assert.equal(findRegexFaults(source)[0]?.kind, 'unread', source);
    assert.ok(parseRegex(source).test('anything'), source);
  }
});

test('reports an expression that is slow in other engines and not run here with two problems', () => {
  assert.deepEqual(
    findRegexFaults('^(?=x)(a+)+$').map(({ kind }) => kind),
    ['slow', 'unread'],
  );
});

test('reports invalid expressions and expressions in other dialects', () => {
  for (const source of ['(', '[a', '*a', 'a{2,1}', '(?P<x>a)', '(?i)a', '\\Aa', 'a\\Z', 'a++']) {
    assert.equal(findRegexFaults(source)[0]?.kind, 'invalid', source);
  }
  assert.deepEqual(findRegexFaults('a\\\\Z'), []);
});

test('never uses a backtracking engine', () => {
  const text = 'a'.repeat(30);
  for (const source of SLOW) {
    const regex = parseRegex(source);
    // The cost is proportional to the length of the text.
    assert.equal(regex.cost(2_000) - regex.cost(1_000), regex.cost(3_000) - regex.cost(2_000), source);
    regex.test(`${text}!`);
  }
});

const MEANINGS: readonly (readonly [source: string, text: string])[] = [
  ['^a$', 'a\n'],
  ['^\\s$', '\ufeff'],
  ['^\\w$', 'é'],
  ['^.$', '\u{1F600}'],
  ['^.$', '\u2028'],
  ['^\\d+$', '٣'],
  ['^[\\S\\d]+$', 'ab'],
  ['^[^\\W_]+$', 'a_'],
  ['^\\p{L}+$', 'aéß日'],
  ['^\\p{Script=Greek}$', 'α'],
  ['[]', 'a'],
  ['[^]', '\n'],
  ['^\\u{1F600}$', '\u{1F600}'],
  ['^\\cJ$', '\n'],
  ['^[\\uD800-\\uDFFF]$', '\ud800'],
  ['(?<n>a)b', 'ab'],
  ['^[\\w-.]+$', 'a-.'],
  ['a{0}', 'b'],
  ['\\bfoo\\b', 'éfooé'],
  ['a\\/b', 'a/b'],
  ['^[\\b]$', '\b'],
  ['', ''],
  ['\\Qa', 'Qa'],
  ['[[:alpha:]]', 'a]'],
  ['(?:)*x', 'x'],
];

test('an expression matches the same text as in JavaScript', () => {
  for (const [source, text] of MEANINGS) {
    const native = nativeRegex(source);
    assert.equal(parseRegex(source).test(text), native.test(text), `${source} on ${JSON.stringify(text)}`);
  }
});

/** Parses an expression with the `u` flag, like expressions in schemas, or without the flag if that fails. */
function nativeRegex(source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch {
    return new RegExp(source);
  }
}
