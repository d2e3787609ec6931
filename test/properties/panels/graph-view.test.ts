/** Laws of fitting a drawing into its frame. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import fc from 'fast-check';
import { fittingView, initialView, viewShowing, within, zoomed } from '../../../client/src/panels/kit/graph/view.ts';

const size = fc.record({ width: fc.integer({ min: 50, max: 4000 }), height: fc.integer({ min: 50, max: 4000 }) });
const view = fc.record({
  x: fc.integer({ min: -9000, max: 9000 }),
  y: fc.integer({ min: -9000, max: 9000 }),
  scale: fc.double({ min: 0.1, max: 4, noNaN: true }),
});
const MARGIN = 16;

test('a view leaves at most a margin at the edges of a drawing that is larger than its frame', () => {
  fc.assert(
    fc.property(view, size, size, (wanted, frame, drawing) => {
      const { x, scale } = within(wanted, frame, drawing);
      const right = x + drawing.width * scale;
      const isLarger = drawing.width * scale + 2 * MARGIN > frame.width;
      if (isLarger) assert.ok(x <= MARGIN + 0.01 && right >= frame.width - MARGIN - 0.01);
      else assert.ok(Math.abs(x - (frame.width - right)) < 0.01);
    }),
  );
});

test('a view that is already within the edges does not change', () => {
  fc.assert(
    fc.property(view, size, size, (wanted, frame, drawing) => {
      const once = within(wanted, frame, drawing);
      assert.deepEqual(within(once, frame, drawing), once);
    }),
  );
});

test('zooming keeps the point under the pointer', () => {
  fc.assert(
    fc.property(view, fc.double({ min: 0.5, max: 2, noNaN: true }), fc.nat(2000), fc.nat(2000), (old, by, x, y) => {
      const next = zoomed(old, by, { x, y });
      assert.ok(Math.abs((x - old.x) / old.scale - (x - next.x) / next.scale) < 0.001);
    }),
  );
});

test('a graph opens fitted to the frame, or as wide as readable, and fits into the frame on request', () => {
  fc.assert(
    fc.property(size, size, (frame, drawing) => {
      const { x, y, scale } = fittingView(frame, drawing);
      const initial = initialView(frame, drawing, undefined);
      if (scale >= 0.45) {
        assert.ok(Math.abs(initial.x - x) + Math.abs(initial.y - y) < 0.001);
        assert.equal(initial.scale, scale);
      } else {
        const isWidthShown = drawing.width * initial.scale <= Math.max(0, frame.width - 2 * MARGIN) + 0.01;
        assert.ok(initial.scale <= 1 && (initial.scale === 0.45 || (initial.scale > 0.45 && isWidthShown)));
        assert.equal(initial.y, MARGIN);
      }
      if (scale > 0.1) assert.ok(x >= MARGIN - 0.01 && y + drawing.height * scale <= frame.height - MARGIN + 0.01);
    }),
  );
});

test('a box that is smaller than the frame is completely visible after scrolling to it', () => {
  fc.assert(
    fc.property(view, size, fc.nat(3000), fc.nat(3000), (old, frame, x, y) => {
      const box = { x, y, width: 10, height: 4 };
      const next = viewShowing(old, frame, box);
      assert.ok(
        x * next.scale + next.x >= MARGIN - 0.01 && (y + 4) * next.scale + next.y <= frame.height - MARGIN + 0.01,
      );
    }),
  );
});
