/** Random executions: a run visits the nodes of the shape, with conditions, groups, speculation and cancellation. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { requestFor, shapeFor } from '../core/composer/shapes.ts';
import { execution, filesOf, namesIn, outcomeOf } from '../properties/composer/random-executions.ts';
import { cases, SCALE } from '../random.ts';
import { dryRun } from './dry.ts';
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

test('a condition of a step reads the inputs, the outputs of steps that have run, and the facts of the invocation', async () => {
  const pathFor = async (condition: string) => {
    const files = filesOf([
      { kind: 'step', name: 's0', above: undefined },
      { kind: 'step', name: 's1', above: 1 },
      { kind: 'step', name: 's2', above: undefined },
    ]);
    const whole = files['whole.skill.yaml']?.replace('{step: s2}', `{step: s2, condition: '${condition}'}`) ?? '';
    const invocation = { parameters: { n: 1 }, source: 'scheduled', channel: 'c', model: 'm' } as const;
    const compose = requestFor({ ...files, 'whole.skill.yaml': whole }, 'whole.skill.yaml', invocation);
    const { path, end } = await dryRun(compose, { stubs: [{ name: 's0', returns: { s0: 7 } }] });
    return end.kind === 'failed' ? end.code : path.join(' ');
  };
  for (const condition of ['scope == "channel"', 'source == "scheduled"', 'model == "m"', 'parameters.n == n'])
    assert.equal(await pathFor(condition), 's0 s2', condition);
  assert.equal(await pathFor('$s0.output.s0 == 7 and $input.n == 1'), 's0 s2');
  assert.equal(await pathFor('scope == "workspace"'), 's0');
  for (const condition of ['$s1.output is defined', '$s1.output.s1 == 1', '$s1.output.s1 is defined'])
    assert.equal(await pathFor(condition), 's0', condition);
  assert.equal(await pathFor('$s1.output.s1'), 'CONDITION_FAILED');
});
