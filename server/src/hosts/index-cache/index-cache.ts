/**
 * Keeps what is known of a workspace when it rests, for the next start. That start puts it back as it was, with what was
 * said of it, and what differs from the disk comes as edits on top (`put-back.ts`): so whom a change concerns is known as
 * after any edit, and nothing else is read and judged again.
 */
import type { Diagnostic } from 'vscode-languageserver-types';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Stamp } from '../files.ts';
import { isCatalog } from '../served-files.ts';
import { createSlices } from '../slices.ts';
import { type Cached, type CachedDocument, headOf, lineOf, readCached, textOf } from './cached.ts';
import type { CacheStore } from './store.ts';

export interface IndexCacheOptions {
  readonly store: CacheStore;
  readonly workspace: Workspace;
  /** All that is said depends on beside the files, as one text. */
  readonly settings: () => string;
  readonly folders: () => readonly string[];
  /** What the file was when its text was read; undefined where that is not its text any more, or not for sure. */
  readonly stampOf: (uri: string) => Stamp | undefined;
  /** The catalogs, and what stands beside them. */
  readonly catalogs: () => Iterable<string>;
  readonly linksOf: (uri: string) => readonly string[];
  /** What was said of a file; undefined where it is still to be judged, or nobody wants to know. */
  readonly said: (uri: string) => readonly Diagnostic[] | undefined;
  /** Whether somebody wants to know of every file. */
  readonly wantsAll: () => boolean;
}

export interface IndexCache {
  /** What was known under these settings and folders; undefined where nothing was, or not of these. */
  read(): Promise<Cached | undefined>;
  /** Notes that a file is not what is kept of it. */
  note(uri: string): void;
  /** Keeps what is known now, where it is worth it. False where the workspace changed meanwhile. */
  keep(): Promise<boolean>;
}

export function createIndexCache(options: IndexCacheOptions): IndexCache {
  const { store, workspace, settings, folders, stampOf, catalogs, linksOf, said, wantsAll } = options;
  const nameOf = (): string => JSON.stringify([...new Set(folders())].sort());
  const keyOf = (): string => JSON.stringify([store.program, settings(), nameOf()]);
  /** The files of which something else is kept, under the key. */
  const news = new Set<string>();
  let kept: { readonly key: string; readonly files: number; readonly isJudged: boolean } | undefined;

  const isWorthIt = (): boolean => {
    const files = workspace.index().documents.size;
    if (files < store.atLeast) return false;
    // Who was told of open files alone has left most to be judged.
    if (kept && wantsAll() && !kept.isJudged) return true;
    // What differs is read as an edit, which costs little more than to remember it.
    return kept?.key !== keyOf() || news.size > store.atLeast / 10 + kept.files / 100;
  };
  const documentOf = (uri: string): CachedDocument | undefined => {
    const { documents, exists, sampleFailures } = workspace.index();
    const document = documents.get(uri);
    const items = said(uri);
    if (!document) return undefined;
    // Where something is still to be judged, the workspace does not rest.
    if (!items && wantsAll()) return undefined;
    const { isSkill, summary } = document;
    const links = linksOf(uri).map((target) => [target, exists.get(target) === true] as const);
    return {
      isSkill,
      summary,
      items,
      links,
      samples: sampleFailures.get(uri) ?? (document.hasSamples ? 'unknown' : 'none'),
    };
  };
  return {
    note: (uri) => void news.add(uri),
    async read() {
      const text = await store.read(nameOf());
      const key = keyOf();
      const slices = createSlices();
      slices.begin();
      const cached = text === undefined ? undefined : await readCached(text, key, slices.pause);
      if (!cached) return undefined;
      const isJudged = cached.files.every(({ known }) => !known || known.items);
      kept = { key, files: cached.files.length, isJudged };
      news.clear();
      return cached;
    },
    async keep() {
      if (!isWorthIt()) return true;
      const [index, key, isJudged] = [workspace.index(), keyOf(), wantsAll()];
      const slices = createSlices();
      await slices.next();
      const lines = [headOf(key, index.graph.account)];
      for (const uri of catalogs()) lines.push(lineOf({ uri, stamp: stampOf(uri), known: undefined }));
      for (const uri of index.documents.keys()) {
        if (isCatalog(uri)) continue;
        const known = documentOf(uri);
        if (!known) return false;
        lines.push(lineOf({ uri, stamp: stampOf(uri), known }));
        await slices.pause();
        // Of two moments nothing can be kept.
        if (workspace.index() !== index) return false;
      }
      kept = { key, files: index.documents.size, isJudged };
      news.clear();
      await store.write(nameOf(), textOf(lines));
      return true;
    },
  };
}
