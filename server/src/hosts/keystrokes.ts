/** Buffers whose newest text the workspace has not seen: several keystrokes cost one reading. */

/**
 * A client that pulls asks for what it wants to know, most at every keystroke, and whoever asks is answered at once. A
 * keystroke after which nobody asks is taken in when the hands rest: a burst of 20 costs one reading instead of 20.
 */
const UNASKED_MS = 50;

export interface Keystrokes {
  /** Called for every keystroke. */
  typed(uri: string): void;
  /** Takes in what was typed: whoever asks about a text asks about the newest. */
  flush(): void;
}

export function createKeystrokes(pull: boolean, take: (uri: string) => void): Keystrokes {
  const pending = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    for (const uri of pending) take(uri);
    pending.clear();
  };
  return {
    typed(uri) {
      clearTimeout(timer);
      timer = setTimeout(flush, pull ? UNASKED_MS : 0);
      pending.add(uri);
    },
    flush,
  };
}
