/** Places along a row that come as near to where each would like to be as their order and their widths allow. */

export interface Item {
  /** Where its middle would like to be. */
  readonly wish: number;
  readonly width: number;
}

/**
 * The middles of the items, in the same order, `gap` apart at least: the sum of the squares by which they miss their wishes
 * is the least possible (isotonic regression by pooling adjacent violators).
 */
export function spread(items: readonly Item[], gap: number): readonly number[] {
  // With the widths before an item taken off, "apart enough" becomes "not smaller than the one before".
  const offsets: number[] = [];
  for (const [at, { width }] of items.entries()) {
    const before = items[at - 1];
    offsets.push(before ? (offsets[at - 1] ?? 0) + before.width / 2 + gap + width / 2 : 0);
  }
  const pools: { sum: number; count: number }[] = [];
  for (const [at, { wish }] of items.entries()) {
    let pool = { sum: wish - (offsets[at] ?? 0), count: 1 };
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
