/** The long form of `differential.test.ts` and of the hostile texts, for a release or a change of the grammar. */
import { test } from 'node:test';
import { compareExpressions, compareTemplates } from './differential.ts';
import { checkHostile } from './hostile.ts';

test('200,000 random templates', () => {
  for (let seed = 100; seed < 120; seed++) compareTemplates(10_000, seed);
});

test('50,000 random conditions', () => {
  compareExpressions(50_000, 99);
});

test('long hostile texts', () => {
  checkHostile(300_000, 2000);
});
