/** Files on this machine's disk. */
import { access, readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { URI } from 'vscode-uri';
import type { Files } from './files.ts';
import { findFiles } from './find-files.ts';

export const nodeFiles: Files = {
  home: URI.file(homedir()).toString(),
  async find(folders, globs) {
    const found = await Promise.all(folders.map((folder) => findFiles(toPath(folder), globs)));
    return [...new Set(found.flatMap(({ paths }) => paths))].sort().map(toUri);
  },
  async read(uri) {
    try {
      return await readFile(toPath(uri), 'utf8');
    } catch {
      return undefined;
    }
  },
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

/** A path as VS Code writes its URI, so that an open buffer and the file on disk have the same one. */
export const toUri = (path: string): string => URI.file(path).toString();

/** The path of such a URI. */
export const toPath = (uri: string): string => URI.parse(uri).fsPath;
