/** Random executions: a run visits the nodes of the shape, with conditions, groups, speculation and cancellation. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { requestFor, shapeFor } from '../core/composer/shapes.ts';
import { execution, filesOf, namesIn, outcomeOf } from '../properties/composer/random-executions.ts';
import { cases, SCALE } from '../random.ts';
import { threadOf } from './thread.ts';

test('a random execution runs the required steps in order, and cancels speculated steps that are not kept', async () => {
  let cancellations = 0;
  await fc.assert(
    fc.asyncProperty(execution, fc.nat(5), async (trees, n) => {
      const names = namesIn(trees);
      const { shape, errors } = shapeFor(requestFor(filesOf(trees), 'whole.skill.yaml', { parameters: { n } }));
      assert.deepEqual(errors, []);
      const services = Object.fromEntries(names.map((name) => [`${name}/call_service`, () => ({ [name]: 1 })]));
      const { outputs, flow, log } = await threadOf(shape, { says: {}, services }).start({ n });
      const { ran, cancelled } = outcomeOf(trees, n);
      assert.deepEqual(Object.keys(outputs).sort(), [...ran].sort());
      assert.deepEqual(Object.keys(flow).sort(), ['n', ...ran].sort());
      const told = log.flatMap((line) => /^skill_(\w+): cancelled$/.exec(line)?.[1] ?? []);
      assert.deepEqual(told.sort(), [...cancelled].sort());
      cancellations += cancelled.length;
      const ended = new Map(log.map((line, at) => [line, at]));
      for (const { from, to, kind } of shape.edges) {
        const [before, after] = [ended.get(`${from}: ended`), ended.get(`${to}: ended`)];
        if (kind !== 'cancel' && before !== undefined && after !== undefined)
          assert.ok(before < after, `${from} ${to}`);
      }
      assert.equal(log.filter((line) => line === 'check_exit').length, 1);
    }),
    cases(40),
  );
  assert.ok(cancellations > 5 * SCALE, `${cancellations} cancellations`);
});
