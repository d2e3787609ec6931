/** The files on disk. */
import { access, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { Absences } from './absence.ts';
import { clientSkillFile, findClientSkills } from './client-skills.ts';
import { ExclusionsOf } from './exclusions.ts';
import type { Files } from './files.ts';
import { findFiles } from './find-files.ts';
import { nodeExclusions } from './node-exclusions.ts';
import { findPath, toUri } from './paths.ts';
import { linkAt, readFound } from './read-file.ts';
import { withModes } from './script-modes.ts';

const nodeExclusionsOf = (root: string) => nodeExclusions(findPath(root) ?? '');

export const nodeFiles = {
  home: toUri(homedir()),
  async find(folders, globs, within = []) {
    const all = new ExclusionsOf(within, nodeExclusionsOf);
    const found = await Promise.all(
      folders.flatMap((folder) => {
        const path = findPath(folder);
        return path === undefined ? [] : [findFiles(path, globs, { exclusions: all.of(folder) })];
      }),
    );
    return [...new Set(found.flatMap(({ paths }) => paths))].sort().map(toUri);
  },
  withoutExcluded: (uris, within) => new ExclusionsOf(within, nodeExclusionsOf).keep(uris),
  async read(uri, scope) {
    const path = findPath(uri);
    return path === undefined ? { kind: 'absent' } : readFound(path, scope);
  },
  async linkOf(uri, { folders }) {
    const path = findPath(uri);
    return path === undefined ? undefined : linkAt(path, folders);
  },
  async clientSkills(folders, others, within = []) {
    const roots = folders.flatMap((folder) => findPath(folder) ?? []);
    const all = new ExclusionsOf(within, nodeExclusionsOf);
    const besides = await Promise.all(roots.map((root) => findFiles(root, [], { exclusions: all.of(toUri(root)) })));
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
  absences() {
    const absences = new Absences();
    return async (uri) => {
      const path = findPath(uri);
      return path === undefined ? undefined : absences.of(path);
    };
  },
  withModes,
  async list(folder) {
    try {
      const entries = await readdir(findPath(folder) ?? '', { withFileTypes: true });
      return entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
    } catch {
      return [];
    }
  },
} satisfies Files;
