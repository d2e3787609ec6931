/** What follows from taking in a message. */
import type { Affected } from '../../workspace/update.ts';
import type { TaskResult } from './messages.ts';
import type { News } from './options.ts';

/** Work outside the session; its result comes back as a message. */
export type Task = () => Promise<TaskResult>;

export class Effects {
  readonly tasks: Task[] = [];
  /** The files to check again. */
  readonly check = new Set<string>();
  checkAll = false;
  /** The files whose texts changed. */
  readonly edited = new Set<string>();
  /** Whether names, edges or contracts of skills changed, or a catalog. */
  graph = false;
  /** Whether the change concerns files beside the changed one. */
  others = false;
  /** The folders outside the workspace that are to be watched from now on. */
  watch: readonly string[] | undefined;

  concern(affected: Affected, changed?: string): void {
    if (affected === 'all') {
      this.checkAll = true;
      this.others = true;
      if (changed !== undefined) this.check.add(changed);
      return;
    }
    for (const uri of affected) {
      this.check.add(uri);
      if (uri !== changed) this.others = true;
    }
  }
}

// What the client is to be told of changes, gathered until the announcement.

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
