/**
 * Finds the skills that clients find and a search for the files of the workspace leaves out: behind links to folders, and
 * in `node_modules` (docs/clients.md, "Links").
 */
import type { Dirent } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { leadsToSkills } from '../clients/matrix/client-folders.ts';
import type { FileLink } from '../clients/matrix/subject.ts';
import type { FileContent } from '../protocol.ts';
import { isAgentSkillName } from '../vocabulary/dialect.ts';
import type { ClientSkillFile } from './files.ts';
import { isWithin, toUri } from './paths.ts';
import { linkAt, readTarget } from './read-file.ts';
import { reasonOf } from './user-error.ts';

/** A skill at a path that goes through a link or `node_modules`. */
export interface ClientSkill {
  readonly path: string;
  /** Undefined if no part of the path is a link. */
  readonly link: FileLink | undefined;
  readonly content: FileContent;
}

export interface ClientSkills {
  readonly skills: readonly ClientSkill[];
  /** The paths that were not searched or read, each with the reason as a sentence. */
  readonly left: readonly { readonly path: string; readonly message: string }[];
}

export interface ClientSkillsOptions {
  /** The folders of the workspace. */
  readonly roots: readonly string[];
  /** Further folders that count as those of clients, those of frameworks. */
  readonly others?: readonly string[];
  /** True to read targets of links outside of the roots. */
  readonly readsOutside: boolean;
  /** The largest number of folders in one search. */
  readonly mostFolders?: number;
}

/** The largest number of folders in one search, and of folders of one path below a place. */
const MOST_FOLDERS = 2_000;
const MOST_DEPTH = 12;

/**
 * Searches places for skills, as clients do. Each real folder is entered at most twice on one path, so that links in a
 * loop end. Never throws.
 *
 * @param places the paths of links and of folders `node_modules`; those that lead to no folder of a client are ignored
 */
export async function findClientSkills(
  places: readonly string[],
  { roots, others, readsOutside, mostFolders = MOST_FOLDERS }: ClientSkillsOptions,
): Promise<ClientSkills> {
  const realRoots = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
  const isInside = (real: string): boolean => realRoots.some((root) => isWithin(root, real));
  const skills = new Map<string, ClientSkill>();
  const left: { readonly path: string; readonly message: string }[] = [];
  let folders = 0;

  const take = async (path: string, real: string): Promise<void> => {
    if (!isInside(real) && !readsOutside) {
      left.push({ path, message: OUTSIDE });
      return;
    }
    skills.set(path, { path, link: await linkAt(path, roots), content: await readTarget(real) });
  };
  const search = async (path: string, above: readonly string[], depth: number): Promise<void> => {
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined || above.filter((one) => one === real).length > 1) return;
    if (!isInside(real) && !readsOutside) {
      left.push({ path, message: OUTSIDE });
      return;
    }
    folders++;
    if (depth > MOST_DEPTH) {
      left.push({ path, message: TOO_DEEP });
      return;
    }
    if (folders > mostFolders) {
      if (folders === mostFolders + 1) left.push({ path, message: TOO_MANY });
      return;
    }
    const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown): readonly Dirent[] => {
      left.push({ path, message: `This folder cannot be read: ${reasonOf(error)}. Its skills are left out.` });
      return [];
    });
    for (const entry of [...entries].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      await look(join(path, entry.name), [...above, real], depth + 1);
    }
  };
  const look = async (path: string, above: readonly string[], depth: number): Promise<void> => {
    if (!leadsToSkills(namesIn(path), others) || skills.has(path)) return;
    const target = await stat(path).catch(() => undefined);
    if (target?.isDirectory()) await search(path, above, depth);
    else if (target?.isFile() && isAgentSkillName(basename(path))) {
      // The file may be removed in the meantime.
      const real = await realpath(path).catch(() => undefined);
      if (real !== undefined) await take(path, real);
    }
  };
  for (const place of places.filter((one) => leadsToSkills(namesIn(one), others))) {
    const isFile = await lstat(place).then(
      (stats) => stats.isFile(),
      () => true,
    );
    // A text file that git checked out in place of a link leads nowhere.
    if (!isFile) await look(place, await realChain(place), 0);
  }
  return { skills: [...skills.values()].sort((a, b) => (a.path < b.path ? -1 : 1)), left };
}

/** Returns a skill with its text as clients read it; an empty list for a file that they do not read. */
export function clientSkillFile({ path, link, content }: ClientSkill): readonly ClientSkillFile[] {
  const text = content.kind === 'text' ? content.text : content.kind === 'unreadable' ? content.replaced : undefined;
  return text === undefined ? [] : [{ uri: toUri(path), text, link }];
}

const OUTSIDE = 'This link leads outside of the workspace and was not followed, so its skills are left out.';
const TOO_MANY =
  'Too many folders behind links and in `node_modules`: this one and those after it were not searched, so their skills are left out.';

const TOO_DEEP = `This folder is more than ${MOST_DEPTH} folders below a link or \`node_modules\` and was not searched, so its skills are left out.`;

const namesIn = (path: string): readonly string[] => path.split(/[\\/]/).filter((name) => name !== '');

/** Returns the real paths of the folders above a path, because a link may lead to one of them. */
async function realChain(path: string): Promise<readonly string[]> {
  const real = await realpath(dirname(path)).catch(() => undefined);
  if (real === undefined) return [];
  const chain = [real];
  for (let one = dirname(real); one !== chain[0]; one = dirname(one)) chain.unshift(one);
  return chain;
}
