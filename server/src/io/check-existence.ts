/** Finds the facts about a file that rules need: whether it exists, and the servers that it names. */
import type { SkillFile } from '../skill/skill-file.ts';
import { linkTargets } from '../skill-folder/links.ts';
import { serverNames } from '../tools/read-servers.ts';
import { folderOf } from '../vocabulary/dialect.ts';
import type { Change } from '../workspace/update.ts';
import type { Files } from './files.ts';

export type Existence = Extract<Change, { kind: 'exists' }>;

/**
 * Returns the server configuration files that a catalog names, if they are below the catalog's folder. Other files are
 * not read.
 */
export const serverFiles = (catalogs: Iterable<SkillFile | undefined>): ReadonlySet<string> =>
  new Set(
    [...catalogs].flatMap((catalog) => {
      if (catalog?.dialect !== 'catalog') return [];
      return linkTargets(catalog).flatMap(({ uri }) => (uri.startsWith(`${folderOf(catalog.uri)}/`) ? [uri] : []));
    }),
  );

/**
 * Returns a function that checks whether a file exists, for files that are checked together. For a server configuration
 * file, it also returns the server names; the rest of the file may contain secrets and is not returned.
 */
export function existenceCheck(
  files: Files,
  isServerFile: (uri: string) => boolean,
): (uri: string) => Promise<Existence> {
  const absenceOf = files.absences?.();
  return async (uri) => {
    const exists = await files.exists(uri);
    const absence = exists ? undefined : await absenceOf?.(uri);
    if (absence) return { kind: 'exists', uri, exists, absence };
    if (!exists || !isServerFile(uri)) return { kind: 'exists', uri, exists };
    const content = await files.read(uri, { folders: [], isReadDirectly: () => false });
    const servers = content.kind === 'text' ? serverNames(content.text) : undefined;
    return { kind: 'exists', uri, exists, ...(servers && { servers }) };
  };
}
