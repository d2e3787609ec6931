/**
 * The paths on disk that may be folders and must be compared with the index. An editor may report a changed folder
 * without its files, and may lose events if many files change at once.
 */

import type { Files, FolderEntry } from '../../io/files.ts';
import { isBelow, isSearched, nameGlobs } from '../../io/globs.ts';
import { inBatches } from '../../io/read-folder.ts';
import { decoded, fileNameOf, folderOf } from '../../vocabulary/dialect.ts';
import { BURST, comparisonAgain, comparisonDue, isRested } from './pacing.ts';

/** The paths to compare with everything below them, or all folders of the session. */
export type Compared = readonly string[] | 'all';

/** Returns a test whether a URI is below a compared path. */
export function coveredBy(compared: Compared): (uri: string) => boolean {
  if (compared === 'all') return () => true;
  const paths = new Set(compared);
  // Most comparisons have one path, and many files are tested.
  return paths.size === 1 ? (uri) => isBelow(uri, compared) : (uri) => isBelowAny(uri, paths);
}

/** Returns whether a URI is below one of many paths. The time does not depend on their number. */
function isBelowAny(uri: string, paths: ReadonlySet<string>): boolean {
  for (let at = uri.lastIndexOf('/'); at > 0; at = uri.lastIndexOf('/', at - 1)) {
    if (paths.has(uri.slice(0, at))) return true;
  }
  return false;
}

export class DiskChanges {
  /** The changed paths since the last pause. */
  readonly #burst = new Set<string>();
  readonly #paths = new Set<string>();
  #isAll = false;
  #isComparing = false;
  #last = Number.NEGATIVE_INFINITY;
  #first: number | undefined;
  #due = 0;
  /** The difference that the last comparison found. */
  #difference = '';

  /** The time of the next comparison; undefined if there is nothing to compare, or a comparison runs. */
  get due(): number | undefined {
    return this.#isComparing || this.#first === undefined ? undefined : this.#due;
  }

  /** True if no comparison waits or runs. */
  get isDone(): boolean {
    return !this.#isComparing && this.#first === undefined;
  }

  /**
   * Adds the changed paths that may be folders. Ignores paths outside `folders`. After many changes without a pause,
   * everything is compared.
   */
  add(uris: readonly string[], folders: readonly string[], mayBeFolder: (uri: string) => boolean, now: number): void {
    if (isRested(now, this.#last)) this.#burst.clear();
    for (const uri of uris) {
      const isRoot = folders.some((folder) => folder === uri || isBelow(folder, [uri]));
      if (!isRoot && !isSearched(uri, folders)) continue;
      this.#last = now;
      this.#burst.add(uri);
      if (isRoot || this.#burst.size > BURST) this.#isAll = true;
      else if (mayBeFolder(uri)) this.#paths.add(uri);
    }
    if (!this.#isAll && this.#paths.size === 0) return;
    this.#first ??= now;
    this.#due = comparisonDue(this.#first, this.#last);
  }

  /** Compares all folders now. */
  addAll(now: number): void {
    this.#isAll = true;
    this.#first ??= now;
    this.#due = now;
  }

  /** Starts a comparison. */
  begin(): Compared {
    const compared = this.#isAll ? 'all' : [...this.#paths].filter((uri) => !isBelowAny(uri, this.#paths));
    this.#isComparing = true;
    this.#isAll = false;
    this.#first = undefined;
    this.#paths.clear();
    return compared;
  }

  /**
   * Ends a comparison. It is repeated until it finds the same difference twice, because the editor may not watch a new
   * folder yet while a program fills it.
   */
  end(compared: Compared, found: ReadonlySet<string>, known: ReadonlySet<string>, now: number): void {
    this.#isComparing = false;
    const gone = [...known].filter((uri) => !found.has(uri));
    const difference = [...gone, ...[...found].filter((uri) => !known.has(uri))].join();
    const isSame = difference === '' || difference === this.#difference;
    this.#difference = difference;
    if (isSame) return;
    if (compared === 'all') this.#isAll = true;
    else for (const path of compared) this.#paths.add(path);
    this.#first ??= now;
    this.#due = comparisonAgain(now);
  }
}

interface Search {
  readonly roots: readonly string[];
  readonly globs: readonly string[];
  /** The folders in which copies are left out; undefined if nothing is left out. */
  readonly within: readonly string[] | undefined;
}

/**
 * Returns the files below those paths that are folders, if their names match a glob. Follows no links: each path is a
 * folder in its parent folder, and so on up to one of `roots`.
 */
export async function filesBelow(
  files: Files,
  paths: readonly string[],
  { roots, globs, within }: Search,
): Promise<readonly string[]> {
  const lists = new Map<string, Promise<readonly FolderEntry[]>>();
  const list = (uri: string): Promise<readonly FolderEntry[]> => {
    const listed = lists.get(uri) ?? files.list(uri);
    lists.set(uri, listed);
    return listed;
  };
  const isFolder = async (uri: string): Promise<boolean> => {
    if (roots.includes(uri)) return true;
    const name = decoded(fileNameOf(uri));
    const entries = await list(folderOf(uri));
    return entries.some((entry) => entry.isFolder && entry.name === name) && isFolder(folderOf(uri));
  };
  const folders: string[] = [];
  // Most paths are files or were deleted, so they have no entries.
  const look = async (uri: string) => ((await list(uri)).length > 0 && (await isFolder(uri)) ? [uri] : []);
  for await (const found of inBatches(paths, look)) folders.push(...found);
  return folders.length === 0 ? [] : files.find(folders, nameGlobs(globs), within);
}
