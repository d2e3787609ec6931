/** Reads the folder of a skill: its files as saved, within the limits of docs/abilities.md. */
import { type FolderFile, MAX_FILES, MAX_LENGTH } from '../abilities/folder.ts';
import { resolvePath } from '../skill-folder/links.ts';
import { ownTest } from '../skill-folder/skill-folder.ts';
import { fileNameOf } from '../vocabulary/dialect.ts';
import type { Files } from './files.ts';

/** The names of dependency and version control folders, which are not part of a skill. */
const PASSED_OVER: ReadonlySet<string> = new Set(['node_modules', '.git', '__pycache__', '.venv']);

/** The maximum number of folders; without a limit, a cycle of links would never end. */
const MAX_FOLDERS = 200;
/** The maximum length of all files together, in UTF-16 code units. */
const MAX_TOTAL = 20_000_000;
/** The maximum number of listed files, including those without text. */
const MAX_TOLD = 1_000;

/**
 * Returns the files below a folder except its `SKILL.md`, level by level from the top. Files of other skills, and those that
 * `isWanted` rejects, have no text.
 */
export async function readFolder(
  files: Files,
  folder: string,
  isWanted: (path: string) => boolean = () => true,
): Promise<readonly FolderFile[]> {
  const paths = await listFiles(files, folder);
  let left = MAX_TOTAL;
  const wanted = paths.slice(0, MAX_FILES).filter(ownTest(paths)).filter(isWanted);
  const texts = new Map<string, FolderFile>();
  for await (const file of inBatches(wanted, (path) => readOne(files, folder, path))) {
    const { path, text } = file;
    left -= text?.length ?? 0;
    texts.set(path, left < 0 && text !== undefined ? { path, text: undefined, isTooLarge: true } : file);
  }
  return paths.slice(0, MAX_TOLD).map((path) => texts.get(path) ?? { path, text: undefined });
}

/** Returns the paths of a folder's files. If a limit is exceeded, the deepest files are left out. */
export async function listFiles(
  files: Files,
  folder: string,
  most = { files: MAX_TOLD, folders: MAX_FOLDERS },
): Promise<readonly string[]> {
  const paths: string[] = [];
  let folders = 0;
  // List breadth first: all folders at one depth, then all folders at the next depth.
  for (let level = ['']; level.length > 0; ) {
    const below: string[] = [];
    for await (const entries of inBatches(level, (path) => listOne(files, folder, path))) {
      for (const { path, isFolder } of entries) {
        if (!isFolder) {
          if (path !== 'SKILL.md') paths.push(path);
        } else if (!PASSED_OVER.has(fileNameOf(path)) && ++folders < most.folders) below.push(path);
      }
      if (paths.length >= most.files) return paths;
    }
    level = below;
  }
  return paths;
}

/** Returns the entries of the folder `below` inside `folder`, with paths relative to `folder`. */
async function listOne(files: Files, folder: string, below: string) {
  const entries = await files.list(below === '' ? folder : resolvePath(folder, below));
  return [...entries]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, isFolder }) => ({ path: below === '' ? name : `${below}/${name}`, isFolder }));
}

async function readOne(files: Files, folder: string, path: string): Promise<FolderFile> {
  const scope = { folders: [folder], isReadDirectly: () => false };
  const content = await files.read(resolvePath(folder, path), scope);
  if (content.kind !== 'text') {
    return { path, text: undefined, isTooLarge: content.kind === 'unreadable' && content.reason === 'too-large' };
  }
  if (content.text.length > MAX_LENGTH) return { path, text: undefined, isTooLarge: true };
  return { path, text: content.text.includes('\0') ? undefined : content.text };
}

/** The number of files that are read in parallel. The number is small, so that few files are in memory at a time. */
const AT_ONCE = 8;

/** Calls `make` for each item of `all` in parallel batches, and yields the results in order. */
export async function* inBatches<From, To>(
  all: readonly From[],
  make: (one: From) => Promise<To>,
): AsyncGenerator<To, void> {
  for (let at = 0; at < all.length; at += AT_ONCE) yield* await Promise.all(all.slice(at, at + AT_ONCE).map(make));
}

// Reads skill folders. Simultaneous requests share one reading of a whole folder.

type FolderReading = Promise<readonly FolderFile[]>;

export class FolderReadings {
  readonly #files: Files;
  readonly #underWay = new Map<string, FolderReading>();

  constructor(files: Files) {
    this.#files = files;
  }

  /**
   * Reads a folder and passes its files to `use`. Without `isWanted`, `current` returns the same files until `use`
   * ends.
   */
  async read<Result>(
    folder: string,
    isWanted: ((path: string) => boolean) | undefined,
    use: (files: readonly FolderFile[]) => Promise<Result>,
  ): Promise<Result> {
    const reading = readFolder(this.#files, folder, isWanted);
    if (!isWanted) this.#underWay.set(folder, reading);
    try {
      return await use(await reading);
    } finally {
      if (this.#underWay.get(folder) === reading) this.#underWay.delete(folder);
    }
  }

  /** Returns the files from the newest reading in progress for the folder, or reads the folder now. */
  current(folder: string): FolderReading {
    return this.#underWay.get(folder) ?? readFolder(this.#files, folder);
  }
}
