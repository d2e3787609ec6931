/** Random executions: a run visits the nodes of the shape, with conditions, groups, speculation and cancellation. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Json } from '../../server/src/languages/yaml/node.ts';
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
  for (const condition of ['$s1.output.s1', '$s1.output.s1 or false', 'true if $s1.output.s1 else false'])
    assert.equal(await pathFor(condition), 's0', condition);
  for (const condition of ['not $s1.output.s1', '$s0.output.s0 if $s1.output.s1 is undefined else false'])
    assert.equal(await pathFor(condition), 's0 s2', condition);
  assert.equal(await pathFor('$s1.output.s1 + 1'), 'CONDITION_FAILED');
});

const contract = (name: string, input: string, output: string, more = ''): string =>
  `name: ${name}\ndescription: Does ${name}.\nversion: 1.0.0\ninput_schema: ${input}\noutput_schema: ${output}\n${more}`;

/** Returns the trace of a composite whose step `p` runs only if `go` is true. */
const traceOf = (takes: string, step: string, parameters: Readonly<Record<string, Json>>) => {
  const files = {
    'p.skill.yaml': contract('p', '{a: string}', '{b: string}'),
    'takes.skill.yaml': contract('takes', takes, '{r: string}'),
    'w.skill.yaml': contract(
      'w',
      '{a: string, go: boolean, s: "string?", s2: "string?"}',
      '{r: string?}',
      `level: 2\ncomposes: [p, takes]\nexecution: [{step: p, condition: $input.go}, ${step}]\n`,
    ),
  };
  return dryRun(requestFor(files, 'w.skill.yaml', { parameters }));
};

test('a failed condition names the reference as it is written', async () => {
  const step = '{step: takes, condition: $input.s | length > 1 and $input.s2 | length > 1, inputs: {x: x}}';
  const { end } = await traceOf('{x: string}', step, { a: 'q', go: false, s2: 'x' });
  assert.equal(end.kind === 'failed' && end.code, 'CONDITION_FAILED');
  assert.match(
    end.kind === 'failed' ? end.message : '',
    /`\$input\.s` is undefined\. Give it a value, or write `\$input\.s \| default\(""\)`\.$/,
  );
});

test('a value that needs a missing reference is left out of its list, its map and the inputs', async () => {
  const inputOf = async (takes: string, value: string, go: boolean) => {
    const step = `{step: takes, inputs: {x: ${value}}}`;
    const { events } = await traceOf(takes, step, { a: 'q', go });
    const entered = events.find((event) => event.kind === 'enter' && event.path === 'skill_takes');
    return entered?.kind === 'enter' ? entered.input : undefined;
  };
  assert.deepEqual(await inputOf('{x: "string[]"}', '[y, $p.output.b, "and $p.output.b"]', false), { x: ['y'] });
  assert.deepEqual(await inputOf('{x: "string[]"}', '[y, $p.output.b, "and $p.output.b"]', true), {
    x: ['y', '«b»', 'and «b»'],
  });
  assert.deepEqual(await inputOf('{x: object}', '{k: "see $p.output.b", l: [$p.output.b], m: z}', false), {
    x: { l: [], m: 'z' },
  });
  assert.deepEqual(await inputOf('{x: string?}', '"see $p.output.b"', false), {});
  assert.deepEqual(await inputOf('{x: string?}', '"see $p.output.b"', true), { x: 'see «b»' });
});
