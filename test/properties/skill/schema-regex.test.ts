/**
 * The engine without backtracking and the JavaScript engine match the same strings, for expressions that are safe in
 * both.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findRegexFaults, parseRegex } from '../../../server/src/languages/schema/regex/regex.ts';
import { cases } from '../../random.ts';

const ATOMS = [
  ...[
    'a',
    'b',
    '-',
    '\\.',
    '.',
    '\\d',
    '\\D',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '\\b',
    '\\B',
    '^',
    '$',
    '\\n',
    '\\u00e9',
    '\\u{1F600}',
  ],
  ...[
    '[a-c]',
    '[^a]',
    '[\\w-]',
    '[^\\W\\d]',
    '[\\S\\n]',
    '[^\\s]',
    '[]',
    '[^]',
    '\\p{L}',
    '\\P{L}',
    '\\p{Lu}',
    '[\\p{N}_]',
  ],
  ...['\\x41', '\\cJ', '\\0', '\\/', '[\\b]', '[\\]^]', '日', '\\ud800', '[\\udc00-\\udfff]'],
];
const atom = fc.constantFrom(...ATOMS);
const isRepeatable = (source: string): boolean => !['\\b', '\\B', '^', '$'].includes(source);
const quantifier = fc.constantFrom('', '', '?', '*', '+', '{2}', '{1,3}', '{2,}', '{0}', '*?', '{0,2}?');

/** Expressions without nested repetitions, so that the JavaScript engine also ends. */
const part = fc.tuple(atom, quantifier).map(([source, times]) => (isRepeatable(source) ? source + times : source));
const sequence = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(''));
const group = fc
  .tuple(fc.constantFrom('(', '(?:', '(?<n>'), sequence, sequence)
  .map(([open, one, other]) => `${open}${one}|${other})`);
const pattern = fc
  .array(fc.oneof(sequence, group), { maxLength: 3 })
  .map((parts) => parts.join(''))
  .filter((source) => source.split('(?<n>').length < 3);

const CHARACTERS = [
  'a',
  'b',
  'c',
  'A',
  'Z',
  '0',
  '9',
  '_',
  '-',
  '.',
  ' ',
  '\n',
  '\t',
  '\u2028',
  '\ufeff',
  '\0',
  '\b',
  '\\',
];
const text = fc
  .array(fc.constantFrom(...CHARACTERS, 'é', '日', '٣', '\u{1F600}', '\ud800', '\udc00', '/', '^', ']'), {
    maxLength: 8,
  })
  .map((characters) => characters.join(''));

test('an expression matches the same strings as in JavaScript', () => {
  fc.assert(
    fc.property(pattern, text, (source, written) => {
      if (findRegexFaults(source).some(({ kind }) => kind !== 'slow')) return;
      const expected = new RegExp(source, 'u').test(written);
      assert.equal(parseRegex(source).test(written), expected, `/${source}/u on ${JSON.stringify(written)}`);
    }),
    cases(1_000),
  );
});

test('reading and running any expression never throws', () => {
  const anything = fc.array(
    fc.constantFrom(...ATOMS, '(', ')', '[', '{', '}', '|', '*', '+', '{1000}', '(?=', '\\1', '\\k<a>', '(?i)'),
  );
  fc.assert(
    fc.property(anything, text, (parts, written) => {
      const source = parts.join('');
      findRegexFaults(source);
      parseRegex(source).test(written);
    }),
    cases(1_000),
  );
});
