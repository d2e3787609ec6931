/**
 * Shares the server's responses about files between views. Requests each file once until something changes, and drops
 * outdated responses.
 */

export interface OpenRequest<Reply> {
  readonly reply: Promise<Reply>;
  readonly cancel: () => void;
}

export interface SharedAnswers<Reply> {
  /**
   * Resolves to undefined if something changed before the response arrived. The views send a new request after each
   * change.
   */
  readonly ask: (key: string) => Promise<Reply | undefined>;
  /** Cancels open requests and drops all answers. Must be called after a change. */
  readonly invalidate: () => void;
}

/** The maximum number of stored answers. */
const MAX_KEPT = 20;

interface KeptAnswer<Reply> {
  readonly request: OpenRequest<Reply>;
  state: 'open' | 'answered' | 'forgotten';
}

export function shareAnswers<Reply>(send: (key: string) => OpenRequest<Reply>): SharedAnswers<Reply> {
  const known = new Map<string, KeptAnswer<Reply>>();

  const requested = (key: string): KeptAnswer<Reply> => {
    const entry: KeptAnswer<Reply> = { request: send(key), state: 'open' };
    known.set(key, entry);
    const [oldest] = known.keys();
    if (known.size > MAX_KEPT && oldest !== undefined) known.delete(oldest);
    return entry;
  };

  return {
    ask: async (key) => {
      const entry = known.get(key) ?? requested(key);
      const isForgotten = () => entry.state === 'forgotten';
      try {
        const reply = await entry.request.reply;
        if (isForgotten()) return undefined;
        entry.state = 'answered';
        return reply;
      } catch (error) {
        if (isForgotten()) return undefined;
        if (known.get(key) === entry) known.delete(key);
        throw error;
      }
    },
    invalidate: () => {
      const open = [...known.values()].filter(({ state }) => state === 'open');
      for (const entry of known.values()) entry.state = 'forgotten';
      known.clear();
      for (const { request } of open) request.cancel();
    },
  };
}
