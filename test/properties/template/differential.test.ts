/** Whether the parser and the engine accept the same random templates and conditions. */
import { test } from 'node:test';
import { compareExpressions, compareTemplates } from './differential.ts';

test('12,000 random templates, most of them damaged', () => {
  compareTemplates(12_000, 2);
});

test('5,000 random conditions', () => {
  compareExpressions(5_000, 2);
});
