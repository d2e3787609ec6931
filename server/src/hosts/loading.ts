/** Reads a workspace: all of it, or what is not as a session before knew it. */
import type { Change, Workspace } from '../workspace/workspace.ts';
import type { Files } from './files.ts';
import { isCatalog } from './served-files.ts';
import { createSlices } from './slices.ts';
import type { Taken } from './texts.ts';

export interface LoadingOptions {
  readonly workspace: Workspace;
  readonly find: () => ReturnType<Files['find']>;
  readonly isOpen: (uri: string) => boolean;
  /** Whether a file is of the account alone: those are looked for by themselves. */
  readonly isElsewhere: (uri: string) => boolean;
  readonly take: (uri: string) => Promise<Taken | undefined>;
  readonly store: (uri: string, taken: Taken | undefined) => void;
  readonly apply: (change: Extract<Change, { kind: 'delete' }>) => void;
  /** Takes in what was typed, and has it judged. */
  readonly catchUp: () => Promise<void>;
  /** Puts back what a session before knew: gives the files that need not be read, and those that are to stay. */
  readonly recall: (found: readonly string[]) => Promise<Recalled | undefined>;
}

export interface Recalled {
  readonly same: ReadonlySet<string>;
  readonly stay: ReadonlySet<string>;
}

const READ_AT_ONCE = 32;

export interface Loading {
  /** Reads all. It ends early where a newer reading has begun, which knows the folders better. */
  load(): Promise<void>;
  /** Whether every catalog of the folders has been read. */
  knowsCatalogs(): boolean;
}

export function createLoading(options: LoadingOptions): Loading {
  const { workspace, find, isOpen, take, store, apply, catchUp, recall, isElsewhere } = options;
  let readings = 0;
  let knowsCatalogs = false;
  const slices = createSlices();
  /** False where a newer reading has begun. */
  const readEach = async (turn: number, order: readonly string[]): Promise<boolean> => {
    for (let at = 0; at < order.length; at += READ_AT_ONCE) {
      const uris = order.slice(at, at + READ_AT_ONCE).filter((uri) => !isOpen(uri));
      const taken = await Promise.all(uris.map(take));
      await slices.next();
      for (const [i, uri] of uris.entries()) {
        if (turn !== readings) return false;
        store(uri, taken[i]);
        await slices.pause();
        await catchUp();
      }
    }
    return true;
  };
  const load = async (): Promise<void> => {
    const turn = ++readings;
    knowsCatalogs = false;
    const found = await find();
    if (turn !== readings) return;
    const recalled = await recall(found);
    if (turn !== readings) return;
    const here = new Set(found);
    for (const uri of workspace.index().documents.keys()) {
      if (here.has(uri) || isOpen(uri) || recalled?.stay.has(uri) || isElsewhere(uri)) continue;
      apply({ kind: 'delete', uri });
    }
    if (!(await readEach(turn, found.filter(isCatalog)))) return;
    knowsCatalogs = true;
    await readEach(
      turn,
      found.filter((uri) => !isCatalog(uri) && !recalled?.same.has(uri)),
    );
  };
  return { load, knowsCatalogs: () => knowsCatalogs };
}
