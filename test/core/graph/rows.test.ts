/** How the composition graph is laid out: who stands in which row, in which order, and how far apart. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { spread } from '../../../client/src/panels/graph/webview/fit-positions.ts';
import { arrange } from '../../../client/src/panels/graph/webview/layout.ts';
import type { Rect } from '../../../client/src/panels/graph/webview/layout-shelf.ts';
import { rowsOf, type Wanted, type Way } from '../../../client/src/panels/graph/webview/rows.ts';

const node = (id: string, level: number | null, rank: number): Wanted => ({ id, level, rank });
const way = (from: string, to: string, isInCycle = false): Way => ({ from, to, isInCycle });

describe('rows', () => {
  it('are levels from the top down, with those that stand alone last', () => {
    const nodes = [node('flow', 3, 0), node('alone', 1, 0), node('mid', 2, 1), node('leaf', 1, 2)];
    const { rows } = rowsOf(nodes, [way('flow', 'mid'), way('mid', 'leaf')]);
    assert.deepEqual(rows, [
      { level: 3, ids: ['flow'] },
      { level: 2, ids: ['mid'] },
      { level: 1, ids: ['leaf'] },
      { level: null, ids: ['alone'] },
    ]);
  });

  it('have a part of the same level below who composes it', () => {
    const { rows } = rowsOf([node('a', 2, 0), node('b', 2, 1)], [way('a', 'b')]);
    assert.deepEqual(rows, [
      { level: 2, ids: ['a'] },
      { level: 2, ids: ['b'] },
    ]);
  });

  it('have the skills of a cycle side by side', () => {
    const { rows } = rowsOf([node('a', 2, 0), node('b', 2, 0)], [way('a', 'b', true), way('b', 'a', true)]);
    assert.deepEqual(rows, [{ level: 2, ids: ['a', 'b'] }]);
  });

  it('take a skill without a level for what it composes', () => {
    const { rows } = rowsOf([node('whole', null, 0), node('part', null, 1)], [way('whole', 'part')]);
    assert.deepEqual(
      rows.map(({ level }) => level),
      [2, 1],
    );
  });

  it('give an edge a stop in every row that it passes', () => {
    const nodes = [node('flow', 3, 0), node('mid', 2, 1), node('leaf', 1, 2)];
    const { rows, passes } = rowsOf(nodes, [way('flow', 'mid'), way('mid', 'leaf'), way('flow', 'leaf')]);
    assert.deepEqual(
      passes.map(({ length }) => length),
      [0, 0, 1],
    );
    assert.equal(rows[1]?.ids.length, 2);
  });

  it('are ordered so that edges do not cross where they need not', () => {
    const nodes = [node('a', 2, 0), node('b', 2, 0), node('x', 1, 1), node('y', 1, 1), node('z', 1, 1)];
    const { rows } = rowsOf(nodes, [way('a', 'z'), way('a', 'y'), way('b', 'y'), way('b', 'x')]);
    const [above = [], below = []] = rows.map(({ ids }) => ids);
    assert.deepEqual(above[0] === 'a' ? below : [...below].reverse(), ['z', 'y', 'x']);
  });
});

/** Graphs whose edges go downward by rank, of any levels. */
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
    ways: pairs.flatMap(([from, to]) => (from < to && to < cards.length ? [way(`n${from}`, `n${to}`)] : [])),
  }));

const crosses = (a: Rect, b: Rect): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

describe('an arrangement', () => {
  it('has every card once, and none upon another', () => {
    fc.assert(
      fc.property(graphs, ({ nodes, ways }) => {
        const { boxes, width, height } = arrange(nodes, ways, 900);
        assert.deepEqual([...boxes.keys()].sort(), nodes.map(({ id }) => id).sort());
        const all = [...boxes.values()];
        for (const box of all) {
          assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height);
        }
        assert.equal(all.filter((a, at) => all.slice(at + 1).some((b) => crosses(a, b))).length, 0);
      }),
      { numRuns: 60 },
    );
  });

  it('lets no stop of an edge lie upon a card', () => {
    fc.assert(
      fc.property(graphs, ({ nodes, ways }) => {
        const { boxes, stops } = arrange(nodes, ways, 900);
        for (const { x, top, bottom } of stops.flat()) {
          const stop = { x, y: top, width: 0, height: bottom - top };
          for (const box of boxes.values()) assert.ok(!crosses(stop, box));
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('places along a row', () => {
  it('are the wishes where there is room', () => {
    assert.deepEqual(
      spread(
        [
          { wish: 0, width: 10 },
          { wish: 100, width: 10 },
        ],
        4,
      ),
      [0, 100],
    );
  });

  it('are shared where two want the same', () => {
    assert.deepEqual(
      spread(
        [
          { wish: 50, width: 10 },
          { wish: 50, width: 10 },
        ],
        4,
      ),
      [43, 57],
    );
  });

  it('keep the order and the gap', () => {
    const items = fc.array(
      fc.record({ wish: fc.integer({ min: -500, max: 500 }), width: fc.integer({ min: 1, max: 90 }) }),
    );
    fc.assert(
      fc.property(items, (all) => {
        const middles = spread(all, 8);
        for (const [at, middle] of middles.slice(1).entries()) {
          const apart = ((all[at]?.width ?? 0) + (all[at + 1]?.width ?? 0)) / 2 + 8;
          assert.ok(middle - (middles[at] ?? 0) >= apart - 1e-6);
        }
      }),
    );
  });
});
