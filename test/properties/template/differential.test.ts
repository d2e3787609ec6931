/** The parser and the engine accept the same random templates and conditions. */
import { test } from 'node:test';
import { scaled } from '../../random.ts';
import { compareExpressions, compareTemplates } from './differential.ts';

test('parser and engine accept the same random templates', () => {
  compareTemplates(scaled(12_000), 2);
});

test('parser and engine accept the same random conditions', () => {
  compareExpressions(scaled(5_000), 2);
});
