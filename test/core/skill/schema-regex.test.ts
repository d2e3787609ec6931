/** Regular expressions: which can take exponential time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRegexFault, parseRegex } from '../../../server/src/languages/schema/regex/regex.ts';

const CATASTROPHIC = [
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
  '^(?=.*[A-Z])(?=.*\\d).{8,}$',
  '^"[^"\\\\]*(\\\\.[^"\\\\]*)*"$',
  '^\\s*\\S+(\\s+\\S+)*\\s*$',
  '^(?:(?!--).)*$',
  '^\\p{L}+$',
  '^.{1,1000}$',
  '^\\s+|\\s+$',
  '(\\w+)\\s\\1',
  '^[\\w-.]+$',
];

test('catastrophic and sound expressions are told apart', () => {
  for (const source of CATASTROPHIC) assert.equal(findRegexFault(source)?.kind, 'catastrophic', source);
  for (const source of SOUND) assert.equal(findRegexFault(source), undefined, source);
});

test('invalid ones, and those of other dialects', () => {
  for (const source of ['(', '[a', '*a', 'a{2,1}', '(?P<x>a)', '(?i)a', '\\Aa', 'a\\Z', 'a++']) {
    assert.equal(findRegexFault(source)?.kind, 'invalid', source);
  }
  assert.equal(findRegexFault('a\\\\Z'), undefined);
});

test('running one ends, whatever the expression and the text', () => {
  const text = `${'a'.repeat(100_000)}!`;
  for (const source of [
    ...CATASTROPHIC,
    ...SOUND,
    '((?!x)\\w+)*$',
    'a*a*a*a*a*a*b',
    '.*.*.*=.*',
    '('.repeat(900) + ')'.repeat(900),
  ]) {
    const start = process.cpuUsage().user;
    parseRegex(source).test(text);
    // Far more than any needs, in processor time: what this catches does not end.
    assert.ok(process.cpuUsage().user - start < 5_000_000, source);
  }
});
