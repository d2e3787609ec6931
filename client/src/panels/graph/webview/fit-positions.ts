/** Positions along a row that are as close to the preferred ones as the order and the widths of the items allow. */

export interface Item {
  /** The preferred position of its middle. */
  readonly preferred: number;
  readonly width: number;
}

/**
 * The middles of the items in the same order, at least `gap` apart. The sum of the squared distances from the preferred
 * positions is minimal (isotonic regression by the pool adjacent violators algorithm).
 */
export function fitPositions(items: readonly Item[], gap: number): readonly number[] {
  // Without the widths of the items before it, each position only has to be no smaller than the previous one.
  const offsets: number[] = [];
  for (const [at, { width }] of items.entries()) {
    const previous = items[at - 1];
    offsets.push(previous ? (offsets[at - 1] ?? 0) + previous.width / 2 + gap + width / 2 : 0);
  }
  const pools: { sum: number; count: number }[] = [];
  for (const [at, { preferred }] of items.entries()) {
    let pool = { sum: preferred - (offsets[at] ?? 0), count: 1 };
    for (let last = pools.at(-1); last && last.sum / last.count > pool.sum / pool.count; last = pools.at(-1)) {
      pools.pop();
      pool = { sum: last.sum + pool.sum, count: last.count + pool.count };
    }
    pools.push(pool);
  }
  return pools
    .flatMap(({ sum, count }) => Array.from({ length: count }, () => sum / count))
    .map((middle, at) => middle + (offsets[at] ?? 0));
}
