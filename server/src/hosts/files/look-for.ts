/** Finds out what a rule asks about a file: whether it is there, and which servers it names. */
import type { SkillFile } from '../../skill/skill-file.ts';
import { serverNames } from '../../tools/read-servers.ts';
import { folderOf } from '../../vocabulary/dialect.ts';
import { linkTargets } from '../../workspace/links.ts';
import type { Change } from '../../workspace/update.ts';
import type { Files } from './files.ts';

export type Existence = Extract<Change, { kind: 'exists' }>;

/** The files below a catalog's own folder that it takes tools from. Others are not read. */
export const serverFiles = (catalogs: Iterable<SkillFile | undefined>): ReadonlySet<string> =>
  new Set(
    [...catalogs].flatMap((catalog) => {
      if (catalog?.dialect !== 'catalog') return [];
      return linkTargets(catalog).flatMap(({ uri }) => (uri.startsWith(`${folderOf(catalog.uri)}/`) ? [uri] : []));
    }),
  );

/** Of the servers only the names are kept: the rest of such a file may hold secrets. */
export async function lookFor(files: Files, uri: string, isServerFile: boolean): Promise<Existence> {
  const exists = await files.exists(uri);
  if (!exists || !isServerFile) return { kind: 'exists', uri, exists };
  const content = await files.read(uri, { folders: [], readsItself: () => false });
  const servers = content.kind === 'text' ? serverNames(content.text) : undefined;
  return { kind: 'exists', uri, exists, ...(servers && { servers }) };
}
