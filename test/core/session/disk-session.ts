/**
 * A session on a folder of the real disk, with a simulated watcher. Like the watcher of VS Code, it reports only the
 * outermost of several deleted folders, and may report a new folder without its files.
 */
import { strict as assert } from 'node:assert';
import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { utf16 } from '../../../server/src/features/locate.ts';
import { nodeFiles } from '../../../server/src/io/node-files.ts';
import { toUri } from '../../../server/src/io/paths.ts';
import { FolderReadings } from '../../../server/src/io/read-folder.ts';
import type { Settings } from '../../../server/src/protocol.ts';
import { type Clock, systemClock } from '../../../server/src/services/session/pacing.ts';
import { Session } from '../../../server/src/services/session/session.ts';
import { temporaryFolder, writeFiles } from '../../temporary.mjs';

/** How often the time of the session passes as fast as real time. */
const FASTER = 50;

const clock: Clock = {
  now: () => systemClock.now() * FASTER,
  today: () => '2026-03-31',
  soon: systemClock.soon,
  after: (milliseconds, work) => systemClock.after(milliseconds / FASTER, work),
};

export interface DiskSession {
  readonly session: Session;
  /** The rules of the published findings, by path; files without findings are left out. */
  readonly published: Map<string, readonly unknown[]>;
  /** The number of times that the files of a folder were searched. */
  searches: number;
  /** The number of searches for skills that only clients find. */
  clientSearches: number;
  /** Called after each of these searches, before its result is returned. */
  onClientSearch: () => void | Promise<void>;
  /** The logged messages, if a test expects some. Without a list, each message fails the test. */
  logged?: string[];
  /** Called before each file is read. */
  onRead: (path: string) => void;
  end(): void;
}

/** Opens a session, which has not started yet. */
export function openSession(root: string, settings: Settings = {}): DiskSession {
  const published = new Map<string, readonly unknown[]>();
  const pathOf = (uri: string): string => uri.slice(toUri(root).length + 1);
  const files = {
    ...nodeFiles,
    find: (...given: Parameters<typeof nodeFiles.find>) => {
      made.searches++;
      return nodeFiles.find(...given);
    },
    clientSkills: async (...given: Parameters<NonNullable<typeof nodeFiles.clientSkills>>) => {
      made.clientSearches++;
      const found = (await nodeFiles.clientSkills?.(...given)) ?? [];
      await made.onClientSearch();
      return found;
    },
    read: (...given: Parameters<typeof nodeFiles.read>) => {
      made.onRead(pathOf(given[0]));
      return nodeFiles.read(...given);
    },
  };
  const session = new Session({
    client: {
      publish(uri, _, items) {
        if (items.length === 0) published.delete(pathOf(uri));
        else
          published.set(
            pathOf(uri),
            items.map(({ code }) => code),
          );
      },
      ...{ refreshDiagnostics: () => {}, announce: () => {}, watch: () => {} },
      warn: (message) => assert.fail(message),
      log(level, message) {
        if (!made.logged) throw new Error(`${level}: ${message}`);
        made.logged.push(message);
      },
    },
    ...{ files, folderReadings: new FolderReadings(files), clock, composeSamples: async () => undefined },
    ...{ locate: utf16, folders: [toUri(root)], settings, editor: undefined },
    ...{ pull: false, canRefreshDiagnostics: true, trusted: true },
  });
  const made: DiskSession = {
    session,
    published,
    searches: 0,
    clientSearches: 0,
    onClientSearch: () => {},
    onRead: () => {},
    end: () => session.dispose(),
  };
  return made;
}

/** Starts a session, and waits until it has read and checked all files. */
export async function startSession(root: string, settings: Settings = {}): Promise<DiskSession> {
  const made = openSession(root, settings);
  made.session.receive({ kind: 'start' });
  await checked(made);
  return made;
}

/** Waits until the session has followed all changes. */
export async function checked({ session }: DiskSession): Promise<void> {
  await session.upToDate();
  await session.checked();
}

/** Returns all state that depends on the disk. */
export function stateOf({ session, published }: DiskSession) {
  const { files, graph, catalogs, baselines, snapshots, plugins, facts } = session.analysis.index;
  return {
    texts: Object.fromEntries([...files].map(([uri, { text }]) => [uri, text]).sort()),
    names: [...graph.skills.values()].map(({ summary }) => summary.name).sort(),
    ...{ catalogs: [...catalogs.keys()].sort(), plugins: [...plugins.keys()].sort() },
    ...{ baselines: [...baselines.keys()].sort(), snapshots: [...snapshots.keys()].sort() },
    unreadable: Object.fromEntries([...facts.unreadable].sort()),
    findings: Object.fromEntries([...published].sort()),
  };
}

/** Returns a temporary folder with these files. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const root = join(temporaryFolder(), 'site');
  mkdirSync(root);
  writeFiles(root, files);
  return root;
}

export const removeFolder = (root: string): void => rmSync(dirname(root), { recursive: true, force: true });

/** Each path below a folder, with a value that changes with the folder or file. */
export type Tree = ReadonlyMap<string, { readonly isFolder: boolean; readonly version: string }>;

export function treeOf(root: string): Tree {
  const tree = new Map<string, { isFolder: boolean; version: string }>();
  const visit = (path: string): void => {
    const full = join(root, path);
    const stats = lstatSync(full, { throwIfNoEntry: false, bigint: true });
    if (!stats) return;
    const isFolder = stats.isDirectory();
    const version = isFolder ? `${stats.ino}` : `${stats.ino} ${stats.mtimeNs} ${stats.size}`;
    tree.set(path, { isFolder, version });
    if (isFolder) for (const name of readdirSync(full)) visit(path === '' ? name : `${path}/${name}`);
  };
  visit('');
  return tree;
}

/**
 * Returns the paths that the watcher reports. `isLost` decides for each file or folder in a new or replaced folder
 * whether its event is lost.
 */
export function eventsBetween(before: Tree, after: Tree, isLost: (path: string) => boolean): readonly string[] {
  const parentOf = (path: string): string => (path.includes('/') ? dirname(path) : '');
  const isNew = (path: string): boolean => before.get(path)?.version !== after.get(path)?.version;
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(isNew);
  return paths.filter((path) => {
    const parent = path === '' ? undefined : parentOf(path);
    if (parent === undefined || (after.has(parent) && !isNew(parent))) return true;
    return after.has(path) && !isLost(path);
  });
}
