/** The one way to the folder of a skill: its files as they are saved, with the limits of docs/abilities.md. */
import { type FolderFile, MAX_FILES, MAX_LENGTH } from '../../abilities/folder.ts';
import { resolvePath } from '../../workspace/links.ts';
import type { Files } from './files.ts';

/** Folders of dependencies and of version control, which are no part of a skill. */
const PASSED_OVER: ReadonlySet<string> = new Set(['node_modules', '.git', '__pycache__', '.venv']);

/** More folders are not opened: links may lead round. */
const MAX_FOLDERS = 200;
/** Of all files together, in characters. */
const MAX_TOTAL = 20_000_000;
/** Names beyond the limit of files that are told as left out. */
const MAX_TOLD = 1_000;

/**
 * The files of a folder without its `SKILL.md`, by their paths, those nearest to it first. What is not wanted has no text.
 */
export async function readFolder(
  files: Files,
  folder: string,
  isWanted: (path: string) => boolean = () => true,
): Promise<readonly FolderFile[]> {
  const paths = await listFiles(files, folder);
  const found: FolderFile[] = [];
  let left = MAX_TOTAL;
  // One after another, so that only what is kept is in memory.
  for (const [at, path] of paths.slice(0, MAX_TOLD).entries()) {
    const isRead = at < MAX_FILES && isWanted(path);
    const file = isRead ? await readOne(files, folder, path) : { path, text: undefined };
    left -= file.text?.length ?? 0;
    found.push(left < 0 && file.text !== undefined ? { path, text: undefined, isTooLarge: true } : file);
  }
  return found;
}

export async function listFiles(files: Files, folder: string): Promise<readonly string[]> {
  const paths: string[] = [];
  const folders = [''];
  for (let at = 0; at < folders.length && paths.length < MAX_TOLD; at++) {
    const below = folders[at] as string;
    const entries = await files.list(below === '' ? folder : resolvePath(folder, below)).catch(() => []);
    for (const { name, isFolder } of [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = below === '' ? name : `${below}/${name}`;
      if (!isFolder) {
        if (path !== 'SKILL.md') paths.push(path);
      } else if (!PASSED_OVER.has(name) && folders.length < MAX_FOLDERS) folders.push(path);
    }
  }
  return paths;
}

async function readOne(files: Files, folder: string, path: string): Promise<FolderFile> {
  const scope = { folders: [folder], readsItself: () => false };
  const content = await files.read(resolvePath(folder, path), scope).catch(() => ({ kind: 'absent' as const }));
  if (content.kind !== 'text') {
    return { path, text: undefined, isTooLarge: content.kind === 'unreadable' && content.reason === 'too-large' };
  }
  if (content.text.length > MAX_LENGTH) return { path, text: undefined, isTooLarge: true };
  return { path, text: content.text.includes('\0') ? undefined : content.text };
}
