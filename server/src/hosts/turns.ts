/** Whose turn it is to be checked: open files at once, the others together, when nobody types. */

export interface TurnsOptions {
  /** The open files by name, with the versions of their buffers. */
  readonly open: () => ReadonlyMap<string, { readonly version: number }>;
  /** For how many milliseconds the files that are not open have to wait, of which the first does since then. */
  readonly closedWait: (since: number) => number;
  /** Called when their time has come. */
  readonly wake: () => void;
}

export interface Turns {
  /** The next of the marked files, an open one with its version; undefined where all are done, or the rest has to wait. */
  next(marked: ReadonlySet<string>): readonly [string, number?] | undefined;
  /** While `work` goes on, nothing waits. */
  hastened<T>(work: () => Promise<T>): Promise<T>;
}

export function createTurns({ open, closedWait, wake }: TurnsOptions): Turns {
  /** The files whose turn it is though they are not open. What is marked meanwhile waits for the next turn. */
  let due = new Set<string>();
  /** Since when a file waits for its turn. */
  let since: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** How many wait for all to be checked. */
  let asking = 0;

  const next = (marked: ReadonlySet<string>): readonly [string, number?] | undefined => {
    if (marked.size === 0) {
      due.clear();
      return undefined;
    }
    for (const [uri, { version }] of open()) if (marked.has(uri)) return [uri, version];
    for (const uri of due) {
      due.delete(uri);
      if (marked.has(uri)) return [uri];
    }
    since ??= performance.now();
    const wait = asking > 0 ? 0 : closedWait(since);
    if (wait > 0) {
      timer ??= setTimeout(() => {
        timer = undefined;
        wake();
      }, wait);
      return undefined;
    }
    since = undefined;
    due = new Set(marked);
    return next(marked);
  };
  return {
    next,
    async hastened(work) {
      asking++;
      clearTimeout(timer);
      timer = undefined;
      try {
        return await work();
      } finally {
        asking--;
      }
    },
  };
}
