/** Reads the catalogs that govern a file which is opened before all has been read: they decide how severe its findings are. */
import { folderOf } from '../vocabulary/dialect.ts';
import type { Affected } from '../workspace/workspace.ts';
import { CATALOG_NAMES } from './served-files.ts';

export interface GoverningOptions {
  /** Resolves when the folders are known. */
  readonly begun: Promise<void>;
  readonly folders: () => readonly string[];
  readonly read: (uri: string) => Promise<void>;
  readonly awaited: (work: Promise<void>) => Promise<void>;
  readonly mark: (affected: Affected) => void;
}

export interface Governing {
  /** Looks for the catalogs of a file, and has it judged. */
  begin(uri: string): void;
  isWaiting(uri: string): boolean;
  /** Resolves when the file can be judged. */
  governed(uri: string): Promise<void>;
}

export function createGoverning({ begun, folders, read, awaited, mark }: GoverningOptions): Governing {
  const waiting = new Map<string, Promise<void>>();
  const govern = async (uri: string): Promise<void> => {
    await begun;
    const root = folders().find((folder) => uri.startsWith(`${folder}/`)) ?? uri;
    const above: string[] = [];
    for (let folder = folderOf(uri); folder.length >= root.length; folder = folderOf(folder)) {
      above.push(...CATALOG_NAMES.map((name) => `${folder}/${name}`));
    }
    await Promise.all(above.map(read));
    waiting.delete(uri);
    mark(new Set([uri]));
  };
  return {
    begin: (uri) => void waiting.set(uri, awaited(govern(uri))),
    isWaiting: (uri) => waiting.has(uri),
    governed: async (uri) => waiting.get(uri),
  };
}
