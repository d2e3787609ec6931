/** Reads saved prompts and outputs, which are often missing. */
import { readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { reasonBeside } from '../workspace/unreadable.ts';
import type { Project } from './project.ts';
import { readFound } from './read-file.ts';
import { UserError } from './user-error.ts';

type ProjectPaths = Pick<Project, 'pathOf' | 'fileOf' | 'named'>;

/** Returns a function that reads saved files and lists each folder only once. Throws a `UserError` if a file cannot be read. */
export function keptReader({ pathOf, fileOf, named }: ProjectPaths): (uri: string) => Promise<string | undefined> {
  const folders = new Map<string, Promise<ReadonlySet<string>>>();
  const namesIn = (folder: string): Promise<ReadonlySet<string>> => {
    const known = folders.get(folder) ?? readdir(folder).then(toSet, () => new Set<string>());
    folders.set(folder, known);
    return known;
  };
  return async (uri) => {
    const path = pathOf(uri);
    if (!(await namesIn(dirname(path))).has(basename(path))) return undefined;
    const content = await readFound(path, { folders: [], isReadDirectly: () => named.has(uri) });
    if (content.kind === 'text') return content.text;
    if (content.kind === 'absent') return undefined;
    const reason = reasonBeside(content.kind === 'unreadable' ? content.reason : 'outside');
    throw new UserError(`\`${fileOf(uri)}\` cannot be read: ${reason}.`);
  };
}

const toSet = (names: readonly string[]): ReadonlySet<string> => new Set(names);
