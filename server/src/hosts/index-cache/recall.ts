/** What a session knows from the one before, and what it leaves to the next. */
import type { Affected, Workspace } from '../../workspace/workspace.ts';
import type { AccountSkills } from '../account-skills.ts';
import { type Disk, type Stamp, sameStamp } from '../files.ts';
import type { LinksFound } from '../links-found.ts';
import type { Recalled } from '../loading.ts';
import type { Reports } from '../reports.ts';
import { isCatalog } from '../served-files.ts';
import type { Texts } from '../texts.ts';
import { createIndexCache } from './index-cache.ts';
import { type PutBack, putBack } from './put-back.ts';
import type { CacheStore } from './store.ts';

export interface RecallOptions {
  readonly store: CacheStore;
  readonly workspace: Workspace;
  readonly disk: Disk;
  readonly texts: Texts;
  readonly links: LinksFound;
  readonly reports: Reports;
  readonly account: AccountSkills;
  /** Whether somebody wants to know of every file. */
  readonly wantsAll: () => boolean;
  readonly readAgain: (uri: string) => Promise<void>;
  readonly mark: (affected: Affected) => void;
  readonly folders: () => readonly string[];
  readonly settings: () => string;
  /** The texts of the open files, with every keystroke. */
  readonly buffers: () => ReadonlyMap<string, string>;
  /** Called with every file whose samples are still to be composed. */
  readonly onUncomposed: (uri: string) => void;
  /** Called when the workspace is as it was: from now on, what is marked is all that is to be judged. */
  readonly onTop: () => void;
}

export interface Recall {
  /** Puts back what was known, where there is something and this is the beginning. */
  begin(found: readonly string[]): Promise<Recalled | undefined>;
  /** Whether a file need not be read, while the workspace is being read for the first time. */
  isSame(uri: string): boolean;
  /** Ends the first reading. */
  end(): void;
  /** Notes that a file came, changed or went. */
  note(uri: string): void;
  /** Keeps what is known whenever nothing has changed for a while; `checked` resolves when nothing is left to do. */
  whenResting(checked: () => Promise<void>): void;
}

export function createRecall(options: RecallOptions): Recall {
  const { store, workspace, disk, texts, links, reports, account, readAgain, mark, folders, settings } = options;
  const touched = new Set<string>();
  let before: PutBack | undefined;
  let beginning: Promise<Recalled | undefined> | undefined;
  let isRecording = true;
  let keepSoon = (): void => {};

  /** A catalog is open more often than not, and what it says of the disk decides about all files. */
  const stampOf = (uri: string): Stamp | undefined => {
    const open = options.buffers().get(uri);
    if (open === undefined) return texts.stampOf(uri);
    const stamp = disk.stamp(uri);
    return isCatalog(uri) && disk.read(uri) === open && sameStamp(stamp, texts.stampOf(uri)) ? stamp : undefined;
  };
  const cache = createIndexCache({
    ...{ store, workspace, settings, folders, stampOf },
    // One that is open need not be on the disk.
    catalogs: () => new Set([...texts.taken(), ...options.buffers().keys()].filter(isCatalog)),
    linksOf: links.of,
    said: reports.said,
    wantsAll: options.wantsAll,
  });

  const begin = async (found: readonly string[]): Promise<Recalled | undefined> => {
    const keyOf = (): string => JSON.stringify([settings(), folders()]);
    const key = keyOf();
    const cached = await cache.read();
    if (!cached) return undefined;
    await Promise.all(found.filter(isCatalog).map(readAgain));
    if (!account.recall(cached.account)) return undefined;
    before = await putBack(cached, found, {
      ...{ workspace, disk, again: texts.again, buffers: options.buffers, touched },
      recallText: texts.recall,
      recallSaid: reports.recall,
      recallLinks: links.recall,
    });
    const stay = new Set(touched);
    const isMeant = key === keyOf();
    if (isMeant) {
      options.onTop();
      mark(before.affected);
    }
    await links.lookAgain(before.targets);
    await Promise.all([...stay].map(readAgain));
    if (isMeant) return { same: before.same, stay };
    // Other settings judge otherwise, and other folders hold other files: all is read, and judged, as if nothing were known.
    await Promise.all([...before.known.keys()].map(readAgain));
    return undefined;
  };
  return {
    async begin(found) {
      if (beginning) {
        // Who reads the workspace once more meanwhile has to see what is put back: some of it may be gone by now.
        await beginning.catch(() => undefined);
        return undefined;
      }
      beginning = begin(found).finally(() => {
        isRecording = false;
        touched.clear();
      });
      return beginning;
    },
    isSame: (uri) => before?.same.has(uri) === true,
    end() {
      for (const [uri, { samples }] of before?.known ?? []) if (samples === 'unknown') options.onUncomposed(uri);
      before = undefined;
      keepSoon();
    },
    note(uri) {
      if (isRecording) touched.add(uri);
      cache.note(uri);
      keepSoon();
    },
    whenResting(checked) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const keep = async (): Promise<void> => {
        await checked();
        if (!(await cache.keep())) keepSoon();
      };
      keepSoon = () => {
        clearTimeout(timer);
        timer = setTimeout(() => void keep(), store.quiet);
        // Nobody waits for it.
        (timer as { unref?: () => void }).unref?.();
      };
    },
  };
}
