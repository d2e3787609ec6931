/** The estimated number of tokens that views show beside the exact one. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Tokenizer } from '../../../server/src/composer/tokens.ts';
import { estimateTokens } from '../../../server/src/composer/tokens-estimate.ts';

test('differs from the exact number by less than 10 %, and is rounded to one digit below 100', () => {
  for (const page of ['docs/matching.md', 'docs/sharing.md']) {
    const text = readFileSync(page, 'utf8');
    const exact = new Tokenizer().count(text);
    assert.ok(Math.abs(estimateTokens(text) - exact) < exact / 10, `${page}: ${estimateTokens(text)} for ${exact}`);
  }
  const words = (count: number): string => Array.from({ length: count }, () => 'plain').join(' ');
  assert.deepEqual(
    [0, 3, 40, 200].map((count) => estimateTokens(words(count))),
    [0, 3, 40, 220],
  );
});
