/** The effects of a message on the session. */
import type { Affected } from '../../workspace/update.ts';
import type { TaskResult } from './messages.ts';
import type { Changes } from './options.ts';

/** Asynchronous work outside the session. The session receives its result as a message. */
export type Task = () => Promise<TaskResult>;

export class Effects {
  readonly tasks: Task[] = [];
  /** The files to check again. */
  readonly check = new Set<string>();
  checkAll = false;
  /** The files whose text changed. */
  readonly edited = new Set<string>();
  /** True if a catalog or the names, edges or contracts of skills changed. */
  graph = false;
  /** True if the symbolic links to files changed, so that clients may list other skills. */
  links = false;
  /** True if the change affects other files. */
  affectsOthers = false;
  /** The folders outside the workspace to watch from now on; undefined if unchanged. */
  watch: readonly string[] | undefined;

  addAffected(affected: Affected, changed?: string): void {
    if (affected === 'all') {
      this.checkAll = true;
      this.affectsOthers = true;
      if (changed !== undefined) this.check.add(changed);
      return;
    }
    for (const uri of affected) {
      this.check.add(uri);
      if (uri !== changed) this.affectsOthers = true;
    }
  }
}

// Changes that are collected until the next announcement to the client.

const NOTHING: Changes = {
  graph: false,
  everything: false,
  compositions: false,
  concerned: new Set(),
  composers: new Set(),
};

export class PendingChanges {
  /** The time of the first change that has not been announced yet. */
  since: number | undefined;
  #changes = NOTHING;
  #concerned = new Set<string>();

  add({ edited, check, graph, links, affectsOthers, checkAll }: Effects, now: number): void {
    if (edited.size === 0 && !graph && !links && !affectsOthers) return;
    const { since = now } = this;
    this.since = since;
    for (const uris of [edited, check]) for (const uri of uris) this.#concerned.add(uri);
    const everything = this.#changes.everything || checkAll;
    this.#changes = {
      ...this.#changes,
      graph: this.#changes.graph || graph,
      everything,
      compositions: this.#changes.compositions || affectsOthers,
      concerned: everything ? 'all' : this.#concerned,
    };
  }

  /**
   * Returns and clears the changes. While files are being read, retains the changes and returns no changes;
   * only the status is announced.
   */
  take(isPartial: boolean): Changes {
    this.since = undefined;
    if (isPartial) return NOTHING;
    const changes = this.#changes;
    this.#changes = NOTHING;
    this.#concerned = new Set();
    return changes;
  }
}
