/** The effects of a message on the session. */
import type { Affected } from '../../workspace/update.ts';
import type { TaskResult } from './messages.ts';
import type { News } from './options.ts';

/** Asynchronous work outside the session. The session receives its result as a message. */
export type Task = () => Promise<TaskResult>;

export class Effects {
  readonly tasks: Task[] = [];
  /** The files to check again. */
  readonly check = new Set<string>();
  checkAll = false;
  /** The files whose texts changed. */
  readonly edited = new Set<string>();
  /** True if names, edges or contracts of skills, or a catalog, changed. */
  graph = false;
  /** True if the change affects further files. */
  others = false;
  /** The folders outside the workspace to watch from now on; undefined if unchanged. */
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

// Changes that are collected until the next announcement to the client.

const NOTHING: News = {
  graph: false,
  everything: false,
  compositions: false,
  concerned: new Set(),
  composers: new Set(),
};

export class PendingNews {
  /** The time of the first change that is not announced yet. */
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

  /**
   * Returns and clears the changes. While files are being read, only their number is announced, and the rest is kept.
   */
  take(isPartial: boolean): News {
    this.since = undefined;
    if (isPartial) return NOTHING;
    const news = this.#news;
    this.#news = NOTHING;
    this.#concerned = new Set();
    return news;
  }
}
