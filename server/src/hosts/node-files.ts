/** Files on this machine's disk. */
import { readFileSync, statSync } from 'node:fs';
import { access, readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { URI } from 'vscode-uri';
import { type Files, IGNORED } from './files.ts';

export const nodeFiles: Files = {
  home: URI.file(homedir()).toString(),
  async find(folders, globs) {
    // Asked for when a workspace is first read: a client waits for the server's first answer, and this is a part of that.
    const { glob } = await import('tinyglobby');
    const found = await Promise.all(
      folders.map((folder) =>
        glob([...globs], {
          cwd: URI.parse(folder).fsPath,
          absolute: true,
          dot: true,
          ignore: [...IGNORED],
          followSymbolicLinks: false,
        }),
      ),
    );
    return [...new Set(found.flat())].sort().map(toUri);
  },
  async read(uri) {
    try {
      return await readFile(URI.parse(uri).fsPath, 'utf8');
    } catch {
      return undefined;
    }
  },
  async exists(uri) {
    try {
      await access(URI.parse(uri).fsPath);
      return true;
    } catch {
      return false;
    }
  },
  async list(folder) {
    try {
      const entries = await readdir(URI.parse(folder).fsPath, { withFileTypes: true });
      return entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
    } catch {
      return [];
    }
  },
  disk: {
    read(uri) {
      try {
        return readFileSync(URI.parse(uri).fsPath, 'utf8');
      } catch {
        return undefined;
      }
    },
    stamp(uri) {
      try {
        const { size, mtimeMs: mtime } = statSync(URI.parse(uri).fsPath);
        return { size, mtime };
      } catch {
        return undefined;
      }
    },
  },
};

/** A path as VS Code writes its URI, so that an open buffer and the file on disk are one document. */
export const toUri = (path: string): string => URI.file(path).toString();
