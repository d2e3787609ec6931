/**
 * What was made lately of objects that come and go with every edit, and is asked for again by the next rule. A `WeakMap`
 * reads better and costs more than it spares: when the engine collects what is new, it takes every value in one for needed,
 * whoever still has the key. A value that leads to its key, as most do, so kept every edit's file with all that was read of
 * it until the next full collection: of 13 MB that edits in a long frontmatter had made, 9 were copied each time, which
 * took a third of the work of an edit.
 */
export interface Recent<Key extends object | string, Value> {
  get(key: Key): Value | undefined;
  /** Gives back the value. */
  set(key: Key, value: Value): Value;
}

/** Remembers the last `most` keys: a few, since they are looked at one after the other and stay until others come. */
export function createRecent<Key extends object | string, Value>(most: number): Recent<Key, Value> {
  const known: { readonly key: Key; value: Value }[] = [];
  /** Where the oldest is. */
  let next = 0;
  const find = (key: Key) => {
    for (const one of known) if (one.key === key) return one;
    return undefined;
  };
  return {
    get: (key) => find(key)?.value,
    set(key, value) {
      const before = find(key);
      if (before) before.value = value;
      else {
        known[next] = { key, value };
        next = (next + 1) % most;
      }
      return value;
    },
  };
}
