/** Random skills: every shape that is built without an error runs and reaches its exit once. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Subgraph } from '../../server/src/composer/composition.ts';
import { shapeFor } from '../core/composer/shapes.ts';
import { request, workspace } from '../properties/composer/random-skills.ts';
import { cases } from '../random.ts';
import { obedientModel } from './obedient-model.ts';
import { threadOf } from './thread.ts';

/** The maximum number of nodes. Larger graphs are slow to run and find no other faults. */
const MOST_NODES = 60;

/** Runs the shapes for which `accept` returns true. Building a shape is cheap, so `accept` may reject many shapes. */
const runShapes = (count: number, accept: (shape: Subgraph) => boolean): Promise<void> =>
  fc.assert(
    fc.asyncProperty(workspace, async (random) => {
      const given = request(random);
      // The composer refuses a package with faults before it builds the shape.
      fc.pre(given.skillPackage.faults.length === 0);
      const { shape, errors } = shapeFor(given);
      fc.pre(errors.length === 0 && countNodes(shape) <= MOST_NODES && accept(shape));
      const thread = threadOf(shape, obedientModel(shape));
      let result = await thread.start({ ...given.parameters });
      for (let pauses = 0; result.__interrupt__ && pauses < 50; pauses++) result = await thread.resume(true);
      assert.equal(result.log.at(-1), 'check_exit');
      assert.equal(result.log.filter((line) => line === 'check_exit').length, 1);
    }),
    { ...cases(count), maxSkipsPerRun: 2000 },
  );

test('random shapes run from input to exit, and end once', () => runShapes(60, () => true));

test('random shapes with a group or a branch run from input to exit, and end once', () => runShapes(8, hasGroup));

const countNodes = ({ nodes }: Subgraph): number =>
  nodes.reduce((sum, { subgraph }) => sum + 1 + (subgraph ? countNodes(subgraph) : 0), 0);

const hasGroup = ({ nodes }: Subgraph): boolean =>
  nodes.some(
    ({ kind, subgraph }) =>
      kind === 'parallel' ||
      kind === 'speculate' ||
      kind === 'branch' ||
      (subgraph !== undefined && hasGroup(subgraph)),
  );
