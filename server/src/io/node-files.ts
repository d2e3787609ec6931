/** The files on disk. */
import { access, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { clientSkillFile, findClientSkills } from './client-skills.ts';
import type { Files } from './files.ts';
import { findFiles } from './find-files.ts';
import { findPath, toUri } from './paths.ts';
import { linkAt, readFound } from './read-file.ts';

export const nodeFiles: Files = {
  home: toUri(homedir()),
  async find(folders, globs) {
    const paths = folders.flatMap((folder) => findPath(folder) ?? []);
    const found = await Promise.all(paths.map((path) => findFiles(path, globs)));
    return [...new Set(found.flatMap(({ paths }) => paths))].sort().map(toUri);
  },
  async read(uri, scope) {
    const path = findPath(uri);
    return path === undefined ? { kind: 'absent' } : readFound(path, scope);
  },
  async linkOf(uri, { folders }) {
    const path = findPath(uri);
    return path === undefined ? undefined : linkAt(path, folders);
  },
  async clientSkills(folders, others) {
    const roots = folders.flatMap((folder) => findPath(folder) ?? []);
    const besides = await Promise.all(roots.map((root) => findFiles(root, [])));
    const places = [...new Set(besides.flatMap(({ links, modules }) => [...links, ...modules]))].sort();
    const { skills } = await findClientSkills(places, { roots, others, readsOutside: false });
    return skills.flatMap(clientSkillFile);
  },
  async exists(uri) {
    try {
      await access(findPath(uri) ?? '');
      return true;
    } catch {
      return false;
    }
  },
  async list(folder) {
    try {
      const entries = await readdir(findPath(folder) ?? '', { withFileTypes: true });
      return entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
    } catch {
      return [];
    }
  },
};
