/** The copies of skills that an observed client gets, in the places where it looks for them. */
import { lstat, readdir, readlink } from 'node:fs/promises';
import { basename, dirname, join, posix, relative, resolve, sep } from 'node:path';
import type { Client } from '../../clients/facts/client.ts';
import { placeIn, readersOf } from '../../clients/matrix/client-folders.ts';
import { isWithin, toPath } from '../../io/paths.ts';
import type { Project } from '../../io/project.ts';
import { readBytes } from '../../io/read-file.ts';
import { linkBelow, writeBelow } from '../../io/temporary-folder.ts';
import { UserError } from '../../io/user-error.ts';

/** A file or a link. Paths are relative to the copied workspace, with `/`. */
export type Copy =
  | { readonly path: string; readonly bytes: Uint8Array }
  | { readonly path: string; readonly target: string };

export interface Copies {
  readonly copies: readonly Copy[];
  /** The paths of the copied skills, in their order. */
  readonly skills: readonly string[];
  /** The number of skills that were in no folder of a client, and are put into the client's own. */
  readonly installed: number;
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[];
}

/** Other files that are copied if the user asks for them: folders beside the skills folder of a client. */
export const OTHERS = ['agents', 'commands'] as const;
export type Other = (typeof OTHERS)[number];

const MAX_FILES = 5_000;
const MAX_BYTES = 100_000_000;

/** Files of a skill that could change what a client does, other than as a skill: hooks, servers, settings. */
const NEVER = /^(?:\..*|node_modules|hooks|hooks\.json|mcp\.json|settings(?:\.local)?\.json)$/i;
/**
 * Words of a frontmatter or of Codex's `agents/openai.yaml` that may start programs, and escapes that may hide them. A
 * file that only mentions them is left out, too.
 */
const STARTS = /(?:\b|_)(?:hooks|mcp[_-]?servers?|dependencies)\b|\\[uUx]/i;

/**
 * Reads the skills below a folder. A skill in a client's folder keeps its path; any other is put into the skills folder
 * of the client. Throws a `UserError` if they are too large.
 *
 * @param folder the folder that the client would open
 * @param into the skills folder of the client
 */
export async function copiesOf(
  project: Project,
  clients: readonly Client[],
  folder: string,
  into: string,
  others: readonly Other[],
): Promise<Copies> {
  const copying = new Copying(folder);
  const { agentSkills } = project.workspace.analysis;
  const linked = [...agentSkills.subjects].filter(({ link }) => link !== undefined);
  const targets = new Set(linked.map(({ link }) => link?.target));
  const found = [...project.named].flatMap((uri) => agentSkills.find(uri) ?? []);
  const parents = found.map(({ uri }) => dirname(toPath(uri)));
  let installed = 0;
  const skills: string[] = [];
  for (const subject of [...found].sort((a, b) => (a.uri < b.uri ? -1 : 1))) {
    const path = toPath(subject.uri);
    const own = dirname(path);
    const isInstalled = readersOf(subject) !== undefined || targets.has(subject.uri);
    if (isInstalled) {
      const base = baseOf(subject, clients, folder);
      const to = posixOf(relative(base, own));
      await copying.tree(own, to);
      skills.push(posix.join(to, basename(path)));
      continue;
    }
    // Its files are copied together with those of the skill above it.
    if (parents.some((one) => one !== own && isWithin(one, own) && readersOf(subject) === undefined)) continue;
    const to = posix.join(into, basename(own));
    if (copying.has(to)) {
      copying.leave(posixOf(relative(folder, own)), `another skill is in a folder \`${basename(own)}\``);
      continue;
    }
    installed += 1;
    await copying.tree(own, to);
    skills.push(posix.join(to, basename(path)));
  }
  for (const { uri } of linked) {
    const path = posixOf(relative(folder, toPath(uri)));
    if (!path.startsWith('../') && (await copying.link(path))) skills.push(path);
  }
  for (const other of others) await copying.others(other);
  return { copies: copying.copies, skills, installed, leftOut: copying.leftOut };
}

/** Writes copies into a workspace. */
export function writeCopies(workspace: string, { copies }: Copies): void {
  for (const copy of copies) {
    if ('bytes' in copy) writeBelow(workspace, copy.path, copy.bytes);
    else linkBelow(workspace, copy.path, copy.target);
  }
}

/** Returns the folder above a client's folder of skills, if the user named a folder in it; else the named folder. */
function baseOf(subject: Parameters<typeof placeIn>[1], clients: readonly Client[], folder: string): string {
  const bases = clients.flatMap((client) => {
    const placed = placeIn(client, subject);
    return placed ? [`/${placed.base.join('/')}`] : [];
  });
  return bases.find((base) => base !== folder && isWithin(base, folder)) ?? folder;
}

const posixOf = (path: string): string => path.split(sep).join('/');

/** Collects copies. */
class Copying {
  readonly copies: Copy[] = [];
  readonly leftOut: { readonly path: string; readonly reason: string }[] = [];
  readonly #folder: string;
  readonly #known = new Set<string>();
  #bytes = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  has(path: string): boolean {
    return [...this.#known].some((one) => one === path || one.startsWith(`${path}/`));
  }

  leave(path: string, reason: string): void {
    this.leftOut.push({ path, reason });
  }

  /** Copies the files of a folder. */
  async tree(from: string, to: string): Promise<void> {
    for (const entry of await readdir(from, { withFileTypes: true })) {
      const [path, target] = [join(from, entry.name), posix.join(to, entry.name)];
      if (NEVER.test(entry.name)) this.leave(this.#shown(path), 'files of this name may be settings or hooks');
      else if (entry.isSymbolicLink()) await this.#linkTo(path, target);
      else if (entry.isDirectory()) await this.tree(path, target);
      else if (entry.isFile()) await this.#file(path, target);
    }
  }

  /** Makes the first link on the way to a file. Returns false if it leads outside. */
  async link(path: string): Promise<boolean> {
    const names = path.split('/');
    for (let at = 1; at <= names.length; at += 1) {
      const part = names.slice(0, at).join('/');
      const found = await lstat(join(this.#folder, part)).catch(() => undefined);
      if (found?.isSymbolicLink()) return this.#linkTo(join(this.#folder, part), part);
    }
    return false;
  }

  /** Copies agents or commands: Markdown and TOML in a folder of this name, in a folder that begins with a dot. */
  async others(kind: Other): Promise<void> {
    for (const { name } of await readdir(this.#folder, { withFileTypes: true })) {
      const from = join(this.#folder, name, kind);
      const found = await lstat(from).catch(() => undefined);
      if (!/^\.\w/.test(name) || name === '.git' || !found?.isDirectory()) continue;
      for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        if (!entry.isFile() || !/\.(?:md|toml)$/i.test(entry.name)) continue;
        await this.#file(path, posixOf(relative(this.#folder, path)));
      }
    }
  }

  async #file(from: string, to: string): Promise<void> {
    if (this.#known.has(to)) return;
    const read = await readBytes(from, MAX_BYTES);
    if (typeof read === 'string') return this.leave(this.#shown(from), 'it cannot be read');
    const { bytes } = read;
    const isSkill = /^skill\.md$/i.test(basename(from));
    const mayStart = !isSkill && /\.(?:md|ya?ml|toml)$/i.test(from) && /(?:^|\/)(?:agents|commands)\//.test(to);
    if (mayStart && STARTS.test(headOf(bytes.toString('utf8'), to))) {
      return this.leave(this.#shown(from), 'it names hooks, servers or dependencies');
    }
    this.#known.add(to);
    this.#bytes += bytes.length;
    if (this.#known.size > MAX_FILES || this.#bytes > MAX_BYTES) {
      throw new UserError(
        `The skills have more than ${MAX_FILES.toLocaleString('en')} files or ${MAX_BYTES / 1_000_000} MB. Name a folder with fewer skills.`,
      );
    }
    this.copies.push({ path: to, bytes });
  }

  async #linkTo(from: string, to: string): Promise<boolean> {
    if (this.#known.has(to)) return true;
    const target = resolve(dirname(from), await readlink(from));
    if (!isWithin(this.#folder, target)) {
      this.leave(this.#shown(from), 'the link leads outside of the folder');
      return false;
    }
    this.#known.add(to);
    const inCopy = posixOf(relative(this.#folder, target));
    this.copies.push({ path: to, target: posix.relative(posix.dirname(to), inCopy) });
    return true;
  }

  #shown(path: string): string {
    return posixOf(relative(this.#folder, path));
  }
}

/** Returns the frontmatter of a Markdown file, or all if its end is not clear, and all of any other file. */
function headOf(text: string, path: string): string {
  if (!/\.md$/i.test(path)) return text;
  const [, head] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  return head ?? (/^\s*\uFEFF?\s*-{3}/.test(text) ? text : '');
}
