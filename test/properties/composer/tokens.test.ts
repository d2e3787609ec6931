/** Token counts of an edited string equal those of the reference tokenizer for the whole string. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import ranks from 'gpt-tokenizer/bpeRanks/o200k_base';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { Tokenizer } from '../../../server/src/composer/tokens.ts';
import { cases } from '../../random.ts';

/** Strings that may join with their neighbours: white space, line breaks, `/`, digits, contractions, marks and emoji. */
const PIECES = [
  ...[
    ' ',
    '  ',
    '\t',
    '\n',
    '\n\n',
    '\r\n',
    '\r',
    '\u00a0',
    '\u2028',
    '\u0085',
    '\ufeff',
    '/',
    '//',
    '.',
    '?!',
    '"',
    '{{',
  ],
  ...[
    'a',
    'The',
    'HELLO',
    "'s",
    "'LL",
    '7',
    '2024',
    '漢字',
    'é',
    '\u0301',
    '🙂',
    '👩‍👩‍👧',
    '\ud83d',
    '\ude42',
    'ǅ',
    '\0',
  ],
];
const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join(''));
const share = fc.double({ min: 0, max: 1, noNaN: true });

/** Returns the number of tokens that begin in each part, from the bytes of the reference tokenizer's tokens. */
function referenceBetween(whole: string, ends: readonly number[]): readonly number[] {
  const stops = ends.map((end) => Buffer.byteLength(whole.slice(0, end)));
  const counts = ends.map(() => 0);
  let byte = 0;
  for (const token of encode(whole)) {
    const at = stops.findIndex((stop) => byte < stop);
    counts[at] = (counts[at] ?? 0) + 1;
    const bytes = ranks[token];
    byte += typeof bytes === 'string' ? Buffer.byteLength(bytes) : (bytes?.length ?? 0);
  }
  return counts;
}

test('the counts after each edit equal the reference, in total and in each part', () => {
  const tokenizer = new Tokenizer();
  const edit = fc.record({ from: share, to: share, added: text, cuts: fc.array(share, { maxLength: 3 }) });
  fc.assert(
    fc.property(text, fc.array(edit, { minLength: 1, maxLength: 4 }), (first, edits) => {
      let whole = first;
      for (const { from, to, added, cuts } of edits) {
        const [start = 0, end = 0] = [from, to].map((one) => Math.round(one * whole.length)).sort((a, b) => a - b);
        whole = whole.slice(0, start) + added + whole.slice(end);
        const isInPair = (at: number): boolean => at > 0 && (whole.codePointAt(at - 1) ?? 0) > 0xffff;
        const ends = cuts.map((one) => Math.round(one * whole.length)).filter((at) => !isInPair(at));
        const all = [...ends.sort((a, b) => a - b), whole.length];
        assert.deepEqual(
          tokenizer.countBetween(whole, all),
          referenceBetween(whole, all),
          JSON.stringify([whole, all]),
        );
        assert.equal(tokenizer.count(whole), encode(whole).length, JSON.stringify(whole));
      }
    }),
    cases(2_000),
  );
});
