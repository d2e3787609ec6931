/** So many files are read at once: quicker than one after another, and few texts are in memory that are not kept. */
const AT_ONCE = 8;

/** What is made of each, in order. */
export async function* inBatches<From, To>(
  all: readonly From[],
  make: (one: From) => Promise<To>,
): AsyncGenerator<To, void> {
  for (let at = 0; at < all.length; at += AT_ONCE) yield* await Promise.all(all.slice(at, at + AT_ONCE).map(make));
}
