/** The layout of the composition graph: rows, their order, and distances. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fitPositions } from '../../../client/src/panels/graph/webview/fit-positions.ts';
import { layoutGraph } from '../../../client/src/panels/graph/webview/layout.ts';
import { type LayoutEdge, type LayoutNode, rowsOf } from '../../../client/src/panels/graph/webview/rows.ts';
import { overlaps } from '../../../client/src/panels/kit/geometry.ts';

const node = (id: string, level: number | null, rank: number): LayoutNode => ({ id, level, rank });
const edge = (from: string, to: string, isInCycle = false): LayoutEdge => ({ from, to, isInCycle });

test('the rows of the graph are levels from the top down, with skills without edges last', () => {
  const nodes = [node('flow', 3, 0), node('alone', 1, 0), node('mid', 2, 1), node('leaf', 1, 2)];
  const { rows } = rowsOf(nodes, [edge('flow', 'mid'), edge('mid', 'leaf')]);
  assert.deepEqual(rows, [
    { level: 3, ids: ['flow'] },
    { level: 2, ids: ['mid'] },
    { level: 1, ids: ['leaf'] },
    { level: null, ids: ['alone'] },
  ]);
});

test('a part of the same level has a row below its composer', () => {
  const { rows } = rowsOf([node('a', 2, 0), node('b', 2, 1)], [edge('a', 'b')]);
  assert.deepEqual(rows, [
    { level: 2, ids: ['a'] },
    { level: 2, ids: ['b'] },
  ]);
});

test('the skills of a cycle share a row', () => {
  const { rows } = rowsOf([node('a', 2, 0), node('b', 2, 0)], [edge('a', 'b', true), edge('b', 'a', true)]);
  assert.deepEqual(rows, [{ level: 2, ids: ['a', 'b'] }]);
});

test('the level of a skill that declares none follows from its parts', () => {
  const { rows } = rowsOf([node('whole', null, 0), node('part', null, 1)], [edge('whole', 'part')]);
  assert.deepEqual(
    rows.map(({ level }) => level),
    [2, 1],
  );
});

test('an edge has a waypoint in every row between its ends', () => {
  const nodes = [node('flow', 3, 0), node('mid', 2, 1), node('leaf', 1, 2)];
  const { rows, waypoints } = rowsOf(nodes, [edge('flow', 'mid'), edge('mid', 'leaf'), edge('flow', 'leaf')]);
  assert.deepEqual(
    waypoints.map(({ length }) => length),
    [0, 0, 1],
  );
  assert.equal(rows[1]?.ids.length, 2);
});

test('rows are ordered so that edges do not cross without need', () => {
  const nodes = [node('a', 2, 0), node('b', 2, 0), node('x', 1, 1), node('y', 1, 1), node('z', 1, 1)];
  const { rows } = rowsOf(nodes, [edge('a', 'z'), edge('a', 'y'), edge('b', 'y'), edge('b', 'x')]);
  const [above = [], below = []] = rows.map(({ ids }) => ids);
  assert.deepEqual(above[0] === 'a' ? below : [...below].reverse(), ['z', 'y', 'x']);
});

/** Graphs of any levels whose edges go downward by rank. */
const graphs = fc
  .tuple(
    fc.array(fc.tuple(fc.option(fc.integer({ min: 1, max: 3 })), fc.integer({ min: 120, max: 260 })), {
      minLength: 1,
      maxLength: 40,
    }),
    fc.array(fc.tuple(fc.nat(39), fc.nat(39)), { maxLength: 80 }),
  )
  .map(([cards, pairs]) => ({
    nodes: cards.map(([level, width], rank) => ({ id: `n${rank}`, level, rank, width, height: 60 })),
    edges: pairs.flatMap(([from, to]) => (from < to && to < cards.length ? [edge(`n${from}`, `n${to}`)] : [])),
  }));

test('a layout has every card once, and no two cards overlap', () => {
  fc.assert(
    fc.property(graphs, ({ nodes, edges }) => {
      const { boxes, width, height } = layoutGraph(nodes, edges, 900);
      assert.deepEqual([...boxes.keys()].sort(), nodes.map(({ id }) => id).sort());
      const all = [...boxes.values()];
      for (const box of all) {
        assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height);
      }
      assert.equal(all.filter((a, at) => all.slice(at + 1).some((b) => overlaps(a, b))).length, 0);
    }),
    { numRuns: 60 },
  );
});

test('no waypoint of an edge is on a card', () => {
  fc.assert(
    fc.property(graphs, ({ nodes, edges }) => {
      const { boxes, waypoints } = layoutGraph(nodes, edges, 900);
      for (const { x, top, bottom } of waypoints.flat()) {
        const waypoint = { x, y: top, width: 0, height: bottom - top };
        for (const box of boxes.values()) assert.ok(!overlaps(waypoint, box));
      }
    }),
    { numRuns: 60 },
  );
});

test('positions along a row are the preferred ones if there is room', () => {
  assert.deepEqual(
    fitPositions(
      [
        { preferred: 0, width: 10 },
        { preferred: 100, width: 10 },
      ],
      4,
    ),
    [0, 100],
  );
});

test('two items that prefer the same position share it', () => {
  assert.deepEqual(
    fitPositions(
      [
        { preferred: 50, width: 10 },
        { preferred: 50, width: 10 },
      ],
      4,
    ),
    [43, 57],
  );
});

test('positions along a row keep the order and the gap', () => {
  const items = fc.array(
    fc.record({ preferred: fc.integer({ min: -500, max: 500 }), width: fc.integer({ min: 1, max: 90 }) }),
  );
  fc.assert(
    fc.property(items, (all) => {
      const middles = fitPositions(all, 8);
      for (const [at, middle] of middles.slice(1).entries()) {
        const apart = ((all[at]?.width ?? 0) + (all[at + 1]?.width ?? 0)) / 2 + 8;
        assert.ok(middle - (middles[at] ?? 0) >= apart - 1e-6);
      }
    }),
  );
});
