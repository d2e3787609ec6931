/** Values that are made when they are asked for. */

export const always =
  <T>(value: T): (() => T) =>
  () =>
    value;

/**
 * Makes a value when it is asked for, and again where the garbage collector has taken it meanwhile; within one
 * synchronous run it is always the same object. Only for what `make` makes alike each time.
 */
export function whenAsked<T extends object>(make: () => T): () => T {
  let held: WeakRef<T> | undefined;
  return () => {
    const known = held?.deref();
    if (known) return known;
    const made = make();
    held = new WeakRef(made);
    return made;
  };
}
