/** Whose turn it is to be checked: open files at once; the others, where somebody wants to know, together when nobody types. */

export interface TurnsOptions {
  /** The open files by name, with the versions of their buffers. */
  readonly open: () => ReadonlyMap<string, { readonly version: number }>;
  /** Whether somebody wants to know of files that are not open. Until then they stay marked. */
  readonly closedToo: () => boolean;
  /** For how many milliseconds the files that are not open have to wait, of which the first does since then. */
  readonly closedWait: (since: number) => number;
  /** The order in which the others have their turn: the files of which each is the next when it is asked for. */
  readonly inOrder: (uris: ReadonlySet<string>) => Iterable<string>;
  /** Called when their time has come. */
  readonly wake: () => void;
}

export interface Turns {
  /** The next of the marked files, an open one with its version; undefined where all are done, or the rest has to wait. */
  next(marked: ReadonlySet<string>): readonly [string, number?] | undefined;
  /** Whether any of the marked files has its turn, now or later. */
  isAny(marked: ReadonlySet<string>): boolean;
  /** While `work` goes on, nothing waits. */
  hastened<T>(work: () => Promise<T>): Promise<T>;
}

const NOBODY = [].values();

export function createTurns({ open, closedToo, closedWait, inOrder, wake }: TurnsOptions): Turns {
  /** The files whose turn it is though they are not open. What is marked meanwhile waits for the next turn. */
  let due: Iterator<string> = NOBODY;
  /** Since when a file waits for its turn. */
  let since: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** How many wait for all to be checked. */
  let asking = 0;

  const next = (marked: ReadonlySet<string>): readonly [string, number?] | undefined => {
    if (marked.size === 0) {
      due = NOBODY;
      return undefined;
    }
    for (const [uri, { version }] of open()) if (marked.has(uri)) return [uri, version];
    if (!closedToo()) return undefined;
    for (let next = due.next(); !next.done; next = due.next()) if (marked.has(next.value)) return [next.value];
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
    // Those that are marked by now: it takes them down as it begins, in the next line.
    due = inOrder(marked)[Symbol.iterator]();
    return next(marked);
  };
  return {
    next,
    isAny: (marked) => marked.size > 0 && (closedToo() || [...open().keys()].some((uri) => marked.has(uri))),
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
