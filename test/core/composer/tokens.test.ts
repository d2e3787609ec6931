/** Token counts equal the counts of the reference tokenizer, wherever the text is cut. */
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { countTokens as reference } from 'gpt-tokenizer/encoding/o200k_base';
import { Tokenizer } from '../../../server/src/composer/tokens.ts';
import { withoutHang } from '../../hang.ts';

const tokenizer = new Tokenizer();

const TEXTS = [
  '',
  'hello world',
  'Grüße, 漢字 and 💡👩‍👩‍👧!',
  "it's 12345  \r\n\n  x",
  '\ud800a\udc00',
  'a\0b',
  '́'.repeat(20),
  '🫠'.repeat(99),
];

test('counts the same tokens as the reference tokenizer', () => {
  for (const text of TEXTS) assert.equal(tokenizer.count(text), reference(text), JSON.stringify(text));
});

test('treats special tokens as plain text', () => {
  assert.equal(tokenizer.count('<|endoftext|>'), tokenizer.count('<|endoftext') + tokenizer.count('|>'));
});

test('the total is the sum of the counts of all parts', () => {
  for (const text of TEXTS) {
    const everywhere = Array.from(text, (_, i) => i + 1).filter((end) => end < text.length);
    const parts = tokenizer.countBetween(text, [0, ...everywhere, text.length]);
    assert.equal(parts.length, everywhere.length + 2);
    assert.equal(
      parts.reduce((sum, count) => sum + count, 0),
      tokenizer.count(text),
      JSON.stringify(text),
    );
  }
});

test('counts a token in the part where it begins', () => {
  assert.equal(tokenizer.count('hello world'), 2);
  assert.deepEqual(tokenizer.countBetween('hello world', [2, 5, 6, 11]), [1, 0, 1, 0]);
  // A character that consists of several tokens.
  assert.deepEqual(tokenizer.countBetween('a𓀀b', [1, 3, 4]), [1, tokenizer.count('a𓀀b') - 2, 1]);
});

test('splits only the changed line of a long string again', () => {
  const lines = Array.from({ length: 2_000 }, (_, at) => `${at}. Line ${at} of The skill of line.\n`);
  const before = tokenizer.count(lines.join(''));
  lines[1_000] = '7. The skill of line 8.\n';
  const text = lines.join('');
  const splits = mock.method(String.prototype, 'matchAll');
  const after = tokenizer.countBetween(text, [9, text.length]);
  // The string itself, its first line, which the end of a part cuts, and the changed line.
  assert.equal(splits.mock.callCount(), 3);
  splits.mock.restore();
  assert.notEqual(after[1], before);
  assert.equal((after[0] ?? 0) + (after[1] ?? 0), reference(text));
});

test('counts the tokens in hostile strings quickly', () => {
  const letters = Array.from({ length: 100_000 }, (_, i) => String.fromCharCode(97 + ((i * i * 31 + i * 7) % 26))).join(
    '',
  );
  for (const text of ['a'.repeat(1e6), ' '.repeat(2e5), `${' '.repeat(2e5)}x`, '!?'.repeat(1e5), letters]) {
    withoutHang(() => tokenizer.count(text), text.slice(0, 10));
  }
});
