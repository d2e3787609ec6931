/** Whose turn it is to be judged while the workspace is being read: open files alone; of the others only what they are is kept. */
import type { Affected } from '../workspace/workspace.ts';

export interface JudgingOptions {
  readonly isPartial: () => boolean;
  /** The open files that can be judged before all has been read. */
  readonly ready: () => Iterable<string>;
  /** Has files judged. */
  readonly judge: (affected: Affected) => void;
}

export interface Judging {
  /** Has what a change concerns judged, now or when all has been read. */
  mark(affected: Affected): void;
  /** Says that all is judged already, and only what is marked from now on has to be. */
  onTop(): void;
  /** All has been read: has everything judged that waits for it, and the files that are open. */
  readAll(open: Iterable<string>): void;
}

export function createJudging({ isPartial, ready, judge }: JudgingOptions): Judging {
  const later = new Set<string>();
  let isAllLater = true;
  return {
    mark(affected) {
      // Until the workspace has been read, only the open files are worth a check that must be made again.
      if (!isPartial()) return judge(affected);
      if (affected === 'all') isAllLater = true;
      else for (const uri of affected) later.add(uri);
      judge(new Set([...ready()].filter((uri) => affected === 'all' || affected.has(uri))));
    },
    onTop() {
      isAllLater = false;
      later.clear();
    },
    readAll(open) {
      if (isAllLater) judge('all');
      judge(new Set([...later, ...open]));
      later.clear();
      isAllLater = true;
    },
  };
}
