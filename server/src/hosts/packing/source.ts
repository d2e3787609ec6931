/** What is packed, or installed from: the files of a folder or of an archive, by their paths below its root. */
import { createHash } from 'node:crypto';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { MAX_LENGTH } from '../../abilities/folder.ts';
import { MAX_ARCHIVE_BYTES, MAX_ENTRIES, MAX_ENTRY_BYTES } from '../../packing/limits.ts';
import { CATALOG_NAME, dialectOf } from '../../vocabulary/dialect.ts';
import { UNREADABLE } from '../../workspace/unreadable.ts';
import { isWithin } from '../disk/paths.ts';
import { isThere, readBytes, textOf } from '../disk/read-file.ts';
import { readArchive } from './archive.ts';
import type { ArchiveEntry } from './entry-guard.ts';
import { Refusal } from './refusal.ts';

export interface SourceFile extends ArchiveEntry {
  readonly text: string | undefined;
  readonly digest: string;
}

export interface LeftOut {
  readonly path: string;
  /** Goes on from the path. */
  readonly why: string;
}

export interface Source {
  /** The name of its folder, or of the archive. */
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'archive';
  /** In their order. */
  readonly paths: readonly string[];
  /** Of a source that is one skill's file: that file. */
  readonly only: string | undefined;
  readonly leftOut: readonly LeftOut[];
  /** Throws a `Refusal` where the file cannot be read any more. */
  read(path: string): Promise<SourceFile>;
}

/** Folders of dependencies, of version control and of caches, and what systems leave behind. */
const PASSED_OVER =
  /^(?:node_modules|\.git|\.hg|\.svn|__pycache__|\.venv|\.DS_Store|Thumbs\.db|desktop\.ini|\.skill-composer-.*\.tmp)$/i;

/** Opens a file, a folder or an archive. Never asks a network; throws a `Refusal`, a whole sentence. */
export async function openSource(cwd: string, word: string): Promise<Source> {
  const shown = `\`${word}\``;
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(word)) {
    throw new Refusal(`${shown} is an address, and nothing is fetched: download it, look at it, and name the file.`);
  }
  const path = resolve(cwd, word);
  const stats = await stat(path).catch(() => undefined);
  if (!stats) throw new Refusal(`${shown} does not exist: name a file, a folder or an archive.`);
  if (stats.isDirectory()) return openFolder(await realpath(path), undefined);
  if (dialectOf(path.replaceAll(sep, '/')) !== undefined) {
    const real = await realpath(path);
    const root = await workspaceAbove(dirname(real));
    return openFolder(root, relative(root, real).replaceAll(sep, '/'));
  }
  const read = await readBytes(await realpath(path), MAX_ARCHIVE_BYTES);
  if (typeof read === 'string') {
    throw new Refusal(
      `${shown} cannot be read: ${read === 'too-large' ? 'it is larger than 50 MiB' : reasonFor(read)}.`,
    );
  }
  return openArchive(read.bytes, basename(path), shown);
}

const reasonFor = (reason: keyof typeof UNREADABLE | 'absent'): string =>
  reason === 'absent' ? 'it does not exist' : UNREADABLE[reason].reason;

async function openArchive(bytes: Uint8Array, name: string, shown: string): Promise<Source> {
  const entries = await readArchive(bytes).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(`${shown} is refused, and nothing is installed: ${error.message}.`);
  });
  const kept = entries.filter(({ path }) => !path.split('/').some((part) => PASSED_OVER.test(part)));
  const byPath = new Map(kept.map((entry) => [entry.path, entry]));
  return {
    name: name.replace(/\.(?:skill|zip|tgz|tar\.gz)$/i, ''),
    kind: 'archive',
    only: undefined,
    paths: [...byPath.keys()],
    leftOut: [],
    read: async (path) => looked(byPath.get(path) as ArchiveEntry),
  };
}

/** The folder of the nearest catalog, whose skills a file may compose; else the file's own. */
async function workspaceAbove(folder: string): Promise<string> {
  for (let above = folder; ; above = dirname(above)) {
    if (await isThere(join(above, CATALOG_NAME))) return above;
    if (dirname(above) === above) return folder;
  }
}

async function openFolder(root: string, only: string | undefined): Promise<Source> {
  const { paths, links } = await listTree(root);
  const leftOut: LeftOut[] = [];
  /** The real files behind the links that stay within. */
  const targets = new Map<string, string>();
  for (const path of links) {
    const real = await realpath(join(root, path)).catch(() => undefined);
    const stats = real === undefined ? undefined : await stat(real).catch(() => undefined);
    if (real === undefined || !stats) leftOut.push({ path, why: 'is a link to nothing' });
    else if (!isWithin(root, real)) leftOut.push({ path, why: 'is a link that leads out, and is not read' });
    else if (stats.isFile()) targets.set(path, real);
    else leftOut.push({ path, why: 'is a link to a folder, and is not followed' });
  }
  const all = [...paths, ...targets.keys()].sort();
  return {
    name: basename(root),
    kind: only === undefined ? 'folder' : 'file',
    only,
    paths: all,
    leftOut,
    async read(path) {
      const read = await readBytes(targets.get(path) ?? join(root, path), MAX_ENTRY_BYTES);
      if (typeof read === 'string') {
        throw new Refusal(
          `\`${path}\` cannot be read: ${read === 'too-large' ? 'it is larger than 20 MiB' : reasonFor(read)}.`,
        );
      }
      return looked({ path, bytes: read.bytes, isExecutable: (read.mode & 0o100) !== 0 });
    },
  };
}

/** The files and the links below a folder. */
async function listTree(
  root: string,
): Promise<{ readonly paths: readonly string[]; readonly links: readonly string[] }> {
  const paths: string[] = [];
  const links: string[] = [];
  const queue = [''];
  for (const folder of queue) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (PASSED_OVER.test(entry.name)) continue;
      if (entry.isDirectory()) queue.push(path);
      else if (entry.isSymbolicLink()) links.push(path);
      else if (entry.isFile()) paths.push(path);
      if (paths.length + links.length + queue.length > MAX_LISTED) {
        throw new Refusal(`\`${basename(root)}\` has more than ${MAX_LISTED} files and folders: name a folder in it.`);
      }
    }
  }
  return { paths, links };
}

/** Of a folder that is not all packed more is listed than an archive may have. */
const MAX_LISTED = MAX_ENTRIES * 20;

function looked(entry: ArchiveEntry): SourceFile {
  const bytes = Buffer.from(entry.bytes.buffer, entry.bytes.byteOffset, entry.bytes.byteLength);
  const content = textOf(bytes);
  const text = content.kind === 'text' && !content.text.includes('\0') ? content.text : undefined;
  return {
    ...entry,
    isExecutable: entry.isExecutable,
    text: text !== undefined && text.length <= MAX_LENGTH ? text : undefined,
    digest: digestOf(bytes),
  };
}

export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Programs by their first bytes: ELF, Windows, and the forms of macOS. */
const PROGRAM = /^(?:7f454c46|4d5a|feedfac[ef]|cffaedfe|cefaedfe|cafebabe)/;

export const isProgram = ({ bytes, isExecutable }: ArchiveEntry): boolean =>
  isExecutable || PROGRAM.test(Buffer.from(bytes.subarray(0, 4)).toString('hex'));
