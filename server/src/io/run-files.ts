/**
 * The files on disk as one run of a command reads them: each folder is listed once, and git lists the scripts of a
 * repository once. The thread pool of Node is not used, because it takes longer than the system calls, and a command has
 * nothing else to do.
 */
import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { basename, dirname, normalize, sep } from 'node:path';
import type { FileContent } from '../protocol.ts';
import { Absences } from './absence.ts';
import type { Files, LinkScope } from './files.ts';
import { nodeFiles } from './node-files.ts';
import { findPath, isWithin, LONGEST_PATH } from './paths.ts';
import { readFound, readPlain } from './read-file.ts';
import { ScriptModes } from './script-modes.ts';

/** The entries of a folder, or the system's error. */
interface Listing {
  readonly entries: ReadonlyMap<string, Dirent>;
  readonly error?: NodeJS.ErrnoException;
  /** The names in the form in which a file system that ignores letter case compares them. */
  folded?: ReadonlySet<string>;
}

export class RunFiles implements Files {
  readonly home = nodeFiles.home;
  readonly find = nodeFiles.find;
  readonly linkOf = nodeFiles.linkOf;
  readonly #cwd: string;
  readonly #listings = new Map<string, Listing>();
  readonly #absences = new Absences((path) => this.#findEntry(path));
  readonly #modes: ScriptModes;

  /** @param cwd the folder of the run, in which all folders may be listed */
  constructor(cwd: string) {
    this.#cwd = cwd;
    this.#modes = new ScriptModes(cwd);
  }

  /** Returns the entries of a folder. Throws the system's error. */
  readonly entries = (path: string): readonly Dirent[] => {
    const { entries, error } = this.#list(path);
    if (error) throw error;
    return [...entries.values()];
  };

  /** Reads a file that a search found, given by its path. */
  async readPath(path: string, scope: LinkScope): Promise<FileContent> {
    return readPlain(path) ?? readFound(path, scope);
  }

  async read(uri: string, scope: LinkScope): Promise<FileContent> {
    const path = findPath(uri);
    return path === undefined ? { kind: 'absent' } : this.readPath(path, scope);
  }

  async exists(uri: string): Promise<boolean> {
    const path = findPath(uri);
    return path !== undefined && this.#exists(path);
  }

  absences() {
    return async (uri: string) => {
      const path = findPath(uri);
      return path === undefined ? undefined : this.#absences.of(path);
    };
  }

  readonly withModes: NonNullable<Files['withModes']> = (folder, files) => this.#modes.add(folder, files);

  async list(folder: string) {
    const path = findPath(folder);
    const { entries } = path === undefined ? NOTHING : this.#list(path);
    return [...entries.values()].map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
  }

  #list(path: string): Listing {
    const known = this.#listings.get(path);
    if (known) return known;
    const listing = listingOf(path);
    this.#listings.set(path, listing);
    return listing;
  }

  /** Returns whether a path exists, and so does the target if it is a link. */
  #exists(path: string): boolean {
    const entry = this.#findEntry(path);
    return entry === 'unknown' || entry?.isSymbolicLink() ? existsSync(path) : entry !== undefined;
  }

  /** Returns the entry of a path in its folder; `unknown` if the listing of the folder does not decide. */
  #findEntry(path: string): Dirent | 'unknown' | undefined {
    // Node lists a name that is not UTF-8 with replacement characters.
    if (path.length > LONGEST_PATH || path.includes('\ufffd')) return 'unknown';
    const folder = dirname(path);
    const isListed = this.#listings.has(folder) || (folder !== path && isWithin(this.#cwd, folder));
    const isPlain = normalize(path) === path && !path.endsWith(sep) && process.platform !== 'win32';
    if (!isListed || !isPlain) return 'unknown';
    // A folder that is missing in its own folder need not be listed.
    if (folder !== this.#cwd && !this.#listings.has(folder) && this.#findEntry(folder) === undefined) return undefined;
    const listing = this.#list(folder);
    const code = listing.error?.code;
    if (code !== undefined && code !== 'ENOENT' && code !== 'ENOTDIR') return 'unknown';
    const name = basename(path);
    const entry = listing.entries.get(name);
    if (entry) return entry;
    listing.folded ??= new Set([...listing.entries.keys()].map(folded));
    return listing.folded.has(folded(name)) ? 'unknown' : undefined;
  }
}

const NOTHING: Listing = { entries: new Map() };

function listingOf(path: string): Listing {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return { entries: new Map(entries.map((entry) => [entry.name, entry])) };
  } catch (error) {
    return { ...NOTHING, error: error as NodeJS.ErrnoException };
  }
}

const folded = (name: string): string => name.normalize('NFC').toLowerCase();
