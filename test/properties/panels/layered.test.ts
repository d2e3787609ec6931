/** Laws of the layout that both graphs share. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { layered } from '../../../client/src/panels/kit/graph/layered.ts';
import { cases } from '../../random.ts';

const size = { width: 100, height: 30 };
const label = { width: 40, height: 14 };

test('the targets of a node are placed from left to right in their order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 12 }), fc.boolean(), (count, hasLabels) => {
      const parts = Array.from({ length: count }, (_, at) => `part ${at}`);
      const edges = parts.map((to) => ({ from: 'whole', to, label: hasLabels ? label : { width: 0, height: 0 } }));
      const { boxes } = layered(new Map(['whole', ...parts].map((id) => [id, size])), edges);
      const lefts = parts.map((part) => boxes.get(part)?.x ?? Number.NaN);
      assert.deepEqual(
        lefts,
        [...lefts].sort((a, b) => a - b),
      );
    }),
    cases(30),
  );
});

test('boxes, bends and labels are within the drawing, and no two boxes overlap', () => {
  const edge = fc.record({ from: fc.nat(9), to: fc.nat(9) }).filter(({ from, to }) => from !== to);
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 20 }), (pairs) => {
      const nodes = new Map(Array.from({ length: 10 }, (_, at) => [`${at}`, size]));
      const edges = pairs.map(({ from, to }) => ({ from: `${from}`, to: `${to}`, label }));
      const { boxes, routes, width, height } = layered(nodes, edges);
      const isWithin = ({ x, y }: { x: number; y: number }) => x >= -1 && x <= width + 1 && y >= -1 && y <= height + 1;
      for (const { points, label: middle } of routes) assert.ok([...points, middle].every(isWithin));
      const all = [...boxes.values()];
      for (const [at, a] of all.entries()) {
        assert.ok(isWithin(a) && isWithin({ x: a.x + a.width, y: a.y + a.height }));
        for (const b of all.slice(at + 1)) {
          assert.ok(a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y);
        }
      }
    }),
    cases(60),
  );
});
