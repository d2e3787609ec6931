/** Finds the facts about a file that rules need: whether it exists, and the servers that it names. */
import type { SkillFile } from '../../skill/skill-file.ts';
import { serverNames } from '../../tools/read-servers.ts';
import { folderOf } from '../../vocabulary/dialect.ts';
import { linkTargets } from '../../workspace/links.ts';
import type { Change } from '../../workspace/update.ts';
import type { Files } from './files.ts';

export type Existence = Extract<Change, { kind: 'exists' }>;

/** Returns the configuration files of servers below a catalog's own folder. Other files are not read. */
export const serverFiles = (catalogs: Iterable<SkillFile | undefined>): ReadonlySet<string> =>
  new Set(
    [...catalogs].flatMap((catalog) => {
      if (catalog?.dialect !== 'catalog') return [];
      return linkTargets(catalog).flatMap(({ uri }) => (uri.startsWith(`${folderOf(catalog.uri)}/`) ? [uri] : []));
    }),
  );

/** Checks whether a file exists. Only the names of its servers are kept: the rest of the file may contain secrets. */
export async function checkExistence(files: Files, uri: string, isServerFile: boolean): Promise<Existence> {
  const exists = await files.exists(uri);
  if (!exists || !isServerFile) return { kind: 'exists', uri, exists };
  const content = await files.read(uri, { folders: [], isReadDirectly: () => false });
  const servers = content.kind === 'text' ? serverNames(content.text) : undefined;
  return { kind: 'exists', uri, exists, ...(servers && { servers }) };
}
