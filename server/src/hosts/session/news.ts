/** What the client is to be told of changes, gathered until the announcement. */
import type { Effects } from './effects.ts';
import type { News } from './options.ts';

const NOTHING: News = {
  graph: false,
  everything: false,
  compositions: false,
  concerned: new Set(),
  composers: new Set(),
};

export class PendingNews {
  /** When the first change came that is not announced. */
  since: number | undefined;
  #news = NOTHING;
  #concerned = new Set<string>();

  add({ edited, check, graph, others, checkAll }: Effects, now: number): void {
    if (edited.size === 0 && !graph && !others) return;
    const { since = now } = this;
    this.since = since;
    for (const uris of [edited, check]) for (const uri of uris) this.#concerned.add(uri);
    const everything = this.#news.everything || checkAll;
    this.#news = {
      ...this.#news,
      graph: this.#news.graph || graph,
      everything,
      compositions: this.#news.compositions || others,
      concerned: everything ? 'all' : this.#concerned,
    };
  }

  /** While files are being read, there is news of nothing but their number; the rest is kept. */
  take(isPartial: boolean): News {
    this.since = undefined;
    if (isPartial) return NOTHING;
    const news = this.#news;
    this.#news = NOTHING;
    this.#concerned = new Set();
    return news;
  }
}
