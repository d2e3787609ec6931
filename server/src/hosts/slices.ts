/** Long work in slices: what the client says meanwhile waits for one of them at most. */

const SLICE_MS = 8;

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
    await new Promise<void>((resolve) => {
      setTimeout(resolve, 0);
    });
    begin();
  };
  return { begin, next, pause: () => (performance.now() > end ? next() : undefined) };
}
