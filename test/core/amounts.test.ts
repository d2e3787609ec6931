/** The formats in which numbers are shown to people. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { formatDollars, formatDuration, formatNumber } from '../../server/src/format-amounts.ts';

test('groups digits with commas before the decimal point, but not after it', () => {
  assert.deepEqual([0, 999, 1284, 8_000_000, -1000, 1234.5678, 0.1 + 0.2, 1e21].map(formatNumber), [
    '0',
    '999',
    '1,284',
    '8,000,000',
    '-1,000',
    '1,234.5678',
    '0.3',
    '1e+21',
  ]);
});

test('shows durations in the largest exact units', () => {
  assert.deepEqual(
    [0, 0.5, 850, 1000, 5500, 44_001, 90_000, 120_000, 135_500, 3_600_000, 7_384_000, -135_000].map(formatDuration),
    [
      '0 ms',
      '0.5 ms',
      '850 ms',
      '1 s',
      '5.5 s',
      '44.001 s',
      '90 s',
      '2 min',
      '2 min 15.5 s',
      '1 h',
      '2 h 3 min 4 s',
      '-2 min 15 s',
    ],
  );
  assert.equal(formatDuration(Number.POSITIVE_INFINITY), 'Infinity ms');
});

test('keeps cents and smaller fractions of prices', () => {
  assert.deepEqual([0.039, 0.06, 1234.5, 0.1 + 0.2].map(formatDollars), ['$0.039', '$0.06', '$1,234.5', '$0.3']);
});
