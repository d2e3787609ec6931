/** What follows from taking in a message. */
import type { Affected } from '../../workspace/update.ts';
import type { TaskResult } from './messages.ts';

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
