/** Dry runs of random compositions take the path that an independent oracle computes from the shape (docs/run.md). */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { requestFor, shapeFor } from '../core/composer/shapes.ts';
import { cases } from '../random.ts';
import { composition } from './compositions.ts';
import { dryRun } from './dry.ts';
import { expectedRun } from './oracle.ts';

const ANSWERED = [
  'before_stage',
  'before_tool_call',
  'before_write',
  'on_tool_error',
  'before_exit',
  'on_budget_exhausted',
];

test('a random composition takes the path of the oracle, and the same request gives the same trace', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(composition, async ({ files, ...situation }) => {
      const compose = requestFor(files, 'whole.skill.yaml', { parameters: { n: situation.n } });
      const { shape, errors } = shapeFor(compose);
      fc.pre(compose.skillPackage.faults.length === 0 && errors.length === 0);
      const answers = ANSWERED.map((name) => ({ name, value: !situation.declines.includes(name) }));
      const request = { stubs: situation.stubs, answers };
      const { events, end } = await dryRun(compose, request);
      const expected = expectedRun(shape, situation);
      const fired = events.flatMap((one) => (one.kind === 'interrupt' ? [`${one.name} at ${one.path}`] : []));
      assert.deepEqual(
        {
          entered: events.flatMap((one) => (one.kind === 'enter' ? [one.path] : [])),
          fired,
          retries: events.filter(({ kind }) => kind === 'retry').length,
          cancelled: events.flatMap((one) => (one.kind === 'cancel' ? [one.step] : [])),
          end: end.kind === 'failed' ? end.code : end.kind,
        },
        expected,
      );
      if (situation.n === 0) assert.deepEqual((await dryRun(compose, request)).events, events);
      for (const name of [...fired, `ends: ${expected.end}`]) seen.add(name.split(' at ')[0] ?? '');
      for (const { kind } of shape.nodes) seen.add(kind);
      if (expected.retries > 0) seen.add('retry');
      if (expected.cancelled.length > 0) seen.add('cancel');
    }),
    { ...cases(1000), maxSkipsPerRun: 1000 },
  );
  const patterns = ['branch', 'join', 'parallel', 'retry', 'cancel', 'before_write', 'ends: BUSY', 'ends: met'];
  assert.deepEqual(
    patterns.filter((one) => !seen.has(one)),
    [],
  );
});
