/** Counts the files that a `SKILL.md` leads to. Only those in its own folder are read. */
import { aboutTokens } from '../../features/about-tokens.ts';
import type { ClientsView } from '../../protocol/clients-view.ts';
import { folderOf } from '../../vocabulary/dialect.ts';
import type { Files } from '../disk/files.ts';

/** Longer texts are not counted. */
const MAX_LENGTH = 1 << 20;

export async function withTokens(view: ClientsView, files: Files): Promise<ClientsView> {
  const folder = folderOf(view.uri);
  const scope = { folders: [folder], readsItself: () => false };
  const counted = view.files.map(async (file) => {
    if (file.isThere === false || !file.uri.startsWith(`${folder}/`)) return file;
    const content = await files.read(file.uri, scope).catch(() => undefined);
    if (content?.kind !== 'text' || content.text.length > MAX_LENGTH || content.text.includes('\0')) return file;
    return { ...file, isThere: true, tokens: aboutTokens(content.text) };
  });
  return { ...view, files: await Promise.all(counted) };
}
