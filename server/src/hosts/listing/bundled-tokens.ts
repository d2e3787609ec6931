/** Counts the files that a `SKILL.md` leads to. Only those in its own folder are read. */

import { MAX_LENGTH } from '../../abilities/folder.ts';
import { aboutTokens } from '../../features/about-tokens.ts';
import type { BundledFile, ClientsView } from '../../protocol/clients-view.ts';
import { folderOf } from '../../vocabulary/dialect.ts';
import type { Files } from '../disk/files.ts';
import { inBatches } from '../disk/in-batches.ts';

export async function withTokens(view: ClientsView, files: Files): Promise<ClientsView> {
  const counted: BundledFile[] = [];
  const folder = folderOf(view.uri);
  for await (const file of inBatches(view.files, (one) => withCount(one, folder, files))) counted.push(file);
  return { ...view, files: counted };
}

async function withCount(file: BundledFile, folder: string, files: Files): Promise<BundledFile> {
  if (file.isThere === false || !file.uri.startsWith(`${folder}/`)) return file;
  const content = await files.read(file.uri, { folders: [folder], readsItself: () => false }).catch(() => undefined);
  if (content?.kind === 'unreadable' && content.reason === 'too-large') return { ...file, isTooLarge: true };
  if (content?.kind !== 'text' || content.text.includes('\0')) return file;
  if (content.text.length > MAX_LENGTH) return { ...file, isTooLarge: true };
  return { ...file, isThere: true, tokens: aboutTokens(content.text) };
}
