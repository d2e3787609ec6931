/** The files on disk. */
import { access, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { Files } from '../files/files.ts';
import { findFiles } from './find-files.ts';
import { toPath, toUri } from './paths.ts';
import { linkAt, readFound } from './read-file.ts';

export const nodeFiles: Files = {
  home: toUri(homedir()),
  async find(folders, globs) {
    const found = await Promise.all(folders.map((folder) => findFiles(toPath(folder), globs)));
    return [...new Set(found.flatMap(({ paths }) => paths))].sort().map(toUri);
  },
  read: (uri, scope) => readFound(toPath(uri), scope),
  linkOf: (uri, { folders }) => linkAt(toPath(uri), folders),
  async exists(uri) {
    try {
      await access(toPath(uri));
      return true;
    } catch {
      return false;
    }
  },
  async list(folder) {
    try {
      const entries = await readdir(toPath(folder), { withFileTypes: true });
      return entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
    } catch {
      return [];
    }
  },
};
