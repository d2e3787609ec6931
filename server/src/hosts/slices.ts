/** Long work in slices: what the client says meanwhile waits for one of them at most. */

/** Opening a file takes several answers of the disk, each of which waits for one of these. */
const SLICE_MS = 2;

/**
 * At once where there is a way: a timer lets a millisecond go by. Twice, since what has come in meanwhile is handled behind
 * the first.
 */
const letGo: (next: () => void) => void =
  typeof setImmediate === 'function'
    ? (next) => void setImmediate(() => void setImmediate(next))
    : (next) => void setTimeout(next, 0);

export interface Slices {
  /** Begins a slice without letting go. */
  begin(): void;
  /** Lets go, and begins a slice. */
  next(): Promise<void>;
  /** Between two pieces of work: lets go where the slice is used up. */
  pause(): Promise<void> | undefined;
}

export function createSlices(): Slices {
  let end = 0;
  const begin = (): void => {
    end = performance.now() + SLICE_MS;
  };
  const next = async (): Promise<void> => {
    await new Promise<void>(letGo);
    begin();
  };
  return { begin, next, pause: () => (performance.now() > end ? next() : undefined) };
}
