/** Stages, the drawn graph, budgets and the composed shape have the same order (docs/composer.md, step 5). */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import type { Subgraph } from '../../../server/src/composer/composition.ts';
import { graphView, NO_FINDINGS } from '../../../server/src/features/graph/graph-view.ts';
import { check } from '../../../server/src/rules/engine/check.ts';
import { sliceOf } from '../../../server/src/text.ts';
import { rollUp } from '../../../server/src/workspace/budgets.ts';
import { stagesOf } from '../../../server/src/workspace/order.ts';
import { type Files, requestFor, shapeFor } from '../../core/composer/shapes.ts';
import { cases, SCALE } from '../../random.ts';
import { execution, filesOf, latencyOf, skillWith } from './random-executions.ts';

/**
 * Composed skills without an `execution`: each skill reads some outputs of other skills, and returns a value with one
 * of a few names.
 */
const composes: fc.Arbitrary<Files> = fc
  .array(fc.tuple(fc.subarray(['a', 'b', 'c', 'd']), fc.subarray(['a', 'b', 'c', 'd'], { maxLength: 2 })), {
    minLength: 1,
    maxLength: 7,
  })
  .map((sides) => {
    const parts = sides.map(([takes, gives], at) => [`s${at}.skill.yaml`, skillWith(`s${at}`, takes, gives)] as const);
    const names = sides.map((_, at) => `s${at}`);
    const whole = `name: whole\ndescription: d\nversion: 1.0.0\nlevel: 2\ninput_schema: {n: integer}\noutput_schema: {}\ncomposes: [${names.join(', ')}]\n`;
    return Object.fromEntries([['whole.skill.yaml', whole], ...parts]);
  });

const uri = 'file:///w/whole.skill.yaml';

function opened(files: Files) {
  const workspace = new Workspace();
  for (const [path, text] of Object.entries(files)) workspace.apply({ kind: 'text', uri: `file:///w/${path}`, text });
  const { analysis } = workspace;
  const root = analysis.graph.skills.get(uri);
  const file = analysis.file(uri);
  assert.ok(root && file);
  const names = root.summary.composes.map(({ step }) => step);
  const stages = stagesOf(analysis.graph, root).map((stage) => stage.map((entry) => names[entry] ?? ''));
  return { analysis, root, file, stages };
}

/** For each step, the steps that certainly run after it. */
function followers({ nodes, edges }: Subgraph): ReadonlyMap<string, ReadonlySet<string>> {
  const ids = new Map(nodes.flatMap(({ id, skill }) => (skill ? [[id, skill.step] as const] : [])));
  return new Map(
    [...ids].map(([id, step]) => {
      const reached = new Set([id]);
      for (const at of reached)
        for (const { from, to, kind } of edges) if (from === at && kind !== 'cancel') reached.add(to);
      reached.delete(id);
      return [step, new Set([...reached].flatMap((one) => ids.get(one) ?? []))];
    }),
  );
}

/** The length of the longest path through a shape, whose nodes are in topological order. */
function longestWay({ nodes, edges }: Subgraph): number {
  const ends = new Map<string, number>();
  for (const { id, skill } of nodes) {
    const before = edges.flatMap(({ from, to, kind }) => (to === id && kind !== 'cancel' ? [ends.get(from) ?? 0] : []));
    ends.set(id, Math.max(0, ...before) + (skill ? latencyOf(skill.step) : 0));
  }
  return ends.get('check_exit') ?? 0;
}

function agree(files: Files): Subgraph {
  const { analysis, root, stages } = opened(files);
  const { shape } = shapeFor(requestFor(files, 'whole.skill.yaml', { parameters: { n: 1 } }));
  const after = followers(shape);
  const stageOf = new Map(stages.flatMap((stage, at) => stage.map((step) => [step, at] as const)));
  for (const [step, later] of after) {
    for (const other of later) assert.ok((stageOf.get(step) ?? 0) < (stageOf.get(other) ?? 0), `${step} < ${other}`);
  }
  const { edges } = graphView(analysis, { roots: [uri], countFindings: () => NO_FINDINGS });
  for (const { step, stage } of edges) assert.equal(stage, (stageOf.get(step) ?? -2) + 1, step);
  const { total } = rollUp(analysis.graph, root, 'p95_ms');
  assert.equal(total, longestWay(shape));
  const critical = edges.filter(({ isCritical }) => isCritical).map(({ step }) => latencyOf(step));
  assert.equal(
    critical.reduce((sum, one) => sum + one, 0),
    total,
  );
  return shape;
}

test('without an execution, a step waits for exactly the steps of earlier stages', () => {
  let shared = 0;
  fc.assert(
    fc.property(composes, (files) => {
      const after = followers(agree(files));
      const { stages } = opened(files);
      for (const [at, stage] of stages.entries()) {
        const later = stages.slice(at + 1).flat();
        for (const step of stage) assert.deepEqual([...(after.get(step) ?? [])].sort(), [...later].sort());
        if (stage.length > 1) shared++;
      }
    }),
    cases(100),
  );
  assert.ok(shared > 10 * SCALE, `${shared} shared stages`);
});

test('without an execution, each required value is provided in time, or a cycle of data is reported', () => {
  let moved = 0;
  fc.assert(
    fc.property(composes, (files) => {
      const { analysis, file, stages } = opened(files);
      const order = stages.flat();
      const sides = order.map((step) => analysis.file(`file:///w/${step}.skill.yaml`)?.summary);
      const late = order.filter((_, at) =>
        sides[at]?.inputs?.required.some((name) => {
          const isGiven = (from: number, to: number): boolean =>
            sides.slice(from, to).some((other) => other !== sides[at] && other?.outputs?.fields?.includes(name));
          return !isGiven(0, at) && isGiven(at, order.length);
        }),
      );
      const findings = check(file, analysis).filter(({ message }) => message.startsWith('Circular data'));
      assert.deepEqual(findings.map(({ span }) => sliceOf(file.text, span)).sort(), late.sort());
      const listed = file.contract.composes.map(({ step }) => step);
      if (order.join() !== listed.join()) moved++;
    }),
    cases(100),
  );
  assert.ok(moved > 5 * SCALE, `${moved} moved`);
});

test('with an execution, stages, graph, budget and shape agree', () => {
  const kinds = new Set<string>();
  fc.assert(
    fc.property(execution, (trees) => {
      for (const { kind } of agree(filesOf(trees)).nodes) kinds.add(kind);
    }),
    cases(100),
  );
  for (const kind of ['parallel', 'branch', 'speculate']) assert.ok(kinds.has(kind), kind);
});

test('the composer accepts every execution that check accepts', () => {
  fc.assert(
    fc.property(execution, (trees) => {
      const files = filesOf(trees);
      const { analysis, file } = opened(files);
      const errors = check(file, analysis).filter(({ severity }) => severity === 'error');
      assert.deepEqual(
        errors.map(({ message }) => message),
        [],
      );
      assert.deepEqual(shapeFor(requestFor(files, 'whole.skill.yaml', { parameters: { n: 1 } })).errors, []);
    }),
    cases(60),
  );
});
