/** The copies of skills that an observed client gets, in the places where it looks for them. */
import type { Dirent } from 'node:fs';
import { lstat, readdir, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, posix, relative, resolve, sep } from 'node:path';
import type { Client } from '../../clients/facts/client.ts';
import { placeIn, readersOf } from '../../clients/matrix/client-folders.ts';
import { isWithin, toPath } from '../../io/paths.ts';
import type { Project } from '../../io/project.ts';
import { readBytes } from '../../io/read-file.ts';
import { realPathOf } from '../../io/real-path.ts';
import { linkBelow, writeBelow } from '../../io/temporary-folder.ts';
import { SkillFile } from '../../skill/skill-file.ts';
import { linkTargets } from '../../skill-folder/links.ts';
import { mentionedFiles } from '../../skill-folder/mentioned-files.ts';
import { isPluginManifest } from '../../vocabulary/dialect.ts';

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
  readonly leftOut: readonly LeftOut[];
  /** The number of other files that are copied if the user asks for them. */
  readonly others: Readonly<Record<Other, number>>;
}

export interface LeftOut {
  readonly path: string;
  readonly reason: string;
}

/** Other files that are copied if the user asks for them: folders beside the skills folder of a client, and manifests. */
export const OTHERS = ['agents', 'commands', 'plugins'] as const;
export type Other = (typeof OTHERS)[number];

/** The largest number of copied files, and their largest size. Other files are left out. */
export interface CopyLimits {
  readonly files: number;
  readonly bytes: number;
  readonly bytesOfFile: number;
}

const LIMITS: CopyLimits = { files: 5_000, bytes: 100_000_000, bytesOfFile: 10_000_000 };

/** Files of a skill that could change what a client does, other than as a skill: hooks, servers, settings. */
const NEVER = /^(?:\..*|node_modules|hooks|hooks\.json|mcp\.json|settings(?:\.local)?\.json)$/i;
/**
 * Words of a frontmatter, of a manifest or of Codex's `agents/openai.yaml` that may start programs, and escapes that may
 * hide them. A file that only mentions them is left out, too.
 */
const STARTS = /(?:\b|_)(?:hooks|(?:mcp|lsp)[_-]?servers?|dependencies)\b|\\[uUx]/i;
/** The folders of a skill in the root of a repository that are copied although the `SKILL.md` does not name them. */
const OF_SKILL = /^(?:scripts|references|assets)$/;

/**
 * Reads the skills below a folder. A skill in a client's folder keeps its path; any other is put into the skills folder
 * of the client. Files beyond `limits` are left out.
 *
 * @param folder the folder that the client would open
 * @param namedInto the skills folder of the client
 */
export async function copiesOf(
  project: Project,
  clients: readonly Client[],
  folder: string,
  namedInto: string,
  others: readonly Other[],
  limits = LIMITS,
): Promise<Copies> {
  const copying = new Copying(folder, await realpath(folder), limits);
  const into = await copying.behindLinks(namedInto);
  const { agentSkills } = project.workspace.analysis;
  const linked = [...agentSkills.subjects].filter(({ link }) => link !== undefined);
  const targets = new Set(linked.map(({ link }) => link?.target));
  const found = [...project.named].flatMap((uri) => agentSkills.find(uri) ?? []);
  const parents = found.map(({ uri }) => dirname(toPath(uri)));
  const repositories = new Set<string>();
  for (const folder of parents) if (await isThere(join(folder, '.git'))) repositories.add(folder);
  const { placed } = copying;
  for (const subject of [...found].sort((a, b) => (a.uri < b.uri ? -1 : 1))) {
    const { uri } = subject;
    const own = dirname(toPath(uri));
    if (readersOf(subject) !== undefined || targets.has(uri)) {
      placed.push({ uri, own, to: posixOf(relative(baseOf(subject, clients, folder), own)), isInstalled: true });
      continue;
    }
    // Its files are copied together with those of the skill above it.
    if (parents.some((one) => one !== own && isWithin(one, own) && !repositories.has(one))) continue;
    const to = posix.join(into, basename(own));
    if (placed.some((one) => `${one.to}/`.startsWith(`${to}/`))) {
      copying.leave(posixOf(relative(folder, own)), `another skill is in a folder \`${basename(own)}\``);
    } else placed.push({ uri, own, to, isInstalled: false });
  }
  // The skills have room before their other files.
  const skills: string[] = [];
  for (const { uri, to } of placed) {
    const path = posix.join(to, basename(toPath(uri)));
    if (await copying.file(toPath(uri), path)) skills.push(path);
  }
  for (const { uri, own, to, isInstalled } of placed) {
    if (isInstalled || !repositories.has(own)) await copying.tree(own, to);
    else {
      const isOfOther = (path: string): boolean => parents.some((one) => one !== own && isWithin(one, path));
      await copying.parts(
        own,
        to,
        partsOf(project, uri).filter((path) => !isOfOther(path)),
      );
    }
  }
  for (const { uri } of linked) {
    const path = posixOf(relative(folder, toPath(uri)));
    if (!path.startsWith('../') && (await copying.link(path))) skills.push(path);
  }
  const available = {
    agents: await copying.others('agents', others.includes('agents')),
    commands: await copying.others('commands', others.includes('commands')),
    plugins: [...project.named].filter(isPluginManifest).map(toPath).sort(),
  };
  for (const other of others) for (const path of available[other]) await copying.own(path);
  const copies = copying.withoutLooseLinks();
  const installed = placed.filter((one) => !one.isInstalled).length;
  const { agents, commands, plugins } = available;
  const counts = { agents: agents.length, commands: commands.length, plugins: plugins.length };
  return { copies, skills: skills.filter(readerOf(copies)), installed, leftOut: copying.leftOut, others: counts };
}

/** Returns a function that returns whether a path is that of a file in copies, also through their links. */
function readerOf(copies: readonly Copy[]): (path: string) => boolean {
  const byPath = new Map(copies.map((copy) => [copy.path, copy]));
  return (path) => {
    let rest = path;
    for (let count = 0; count < MAX_LINKS; count += 1) {
      const copy = withAbove(rest).flatMap((one) => byPath.get(one) ?? [])[0];
      if (!copy || !('target' in copy)) return copy?.path === rest;
      rest = posix.join(posix.dirname(copy.path), copy.target, rest.slice(copy.path.length));
    }
    return false;
  };
}

/** The largest number of links on the way to a file, as in Linux. */
const MAX_LINKS = 40;

/** Returns a relative path and all paths above it. */
const withAbove = (path: string): readonly string[] => [path, ...(path === '.' ? [] : withAbove(posix.dirname(path)))];

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** Returns the paths of the files and folders that a `SKILL.md` links to or mentions. */
function partsOf({ workspace }: Project, uri: string): readonly string[] {
  const found = workspace.analysis.clientFile(uri);
  if (!found) return [];
  const file = new SkillFile(uri, found.text);
  const uris = [...linkTargets(file).map((one) => one.uri), ...mentionedFiles(file).flatMap((one) => one.uris)];
  return uris.map((one) => toPath(one));
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

/** A skill, its folder, and the folder in the copied workspace. */
interface PlacedSkill {
  readonly uri: string;
  readonly own: string;
  readonly to: string;
  /** False if it was in no folder of a client. */
  readonly isInstalled: boolean;
}

/** Collects copies. */
class Copying {
  readonly copies: Copy[] = [];
  readonly placed: PlacedSkill[] = [];
  readonly leftOut: LeftOut[] = [];
  readonly #folder: string;
  /** The folder without links. */
  readonly #real: string;
  readonly #limits: CopyLimits;
  readonly #known = new Set<string>();
  #bytes = 0;

  constructor(folder: string, real: string, limits: CopyLimits) {
    this.#folder = folder;
    this.#real = real;
    this.#limits = limits;
  }

  /** Returns where a path leads, which may be copied as a link; the same path if that is outside or nothing. */
  async behindLinks(path: string): Promise<string> {
    const real = await realPathOf(join(this.#folder, path)).catch(() => undefined);
    return real !== undefined && isWithin(this.#real, real) ? posixOf(relative(this.#real, real)) : path;
  }

  leave(path: string, reason: string): void {
    this.leftOut.push({ path, reason });
  }

  /** Copies the files of a folder. */
  async tree(from: string, to: string): Promise<void> {
    for (const entry of await readdir(from, { withFileTypes: true })) await this.#entry(from, entry, to);
  }

  /** Copies the parts of a skill that is in the root of a repository: what it names, and the folders that skills have. */
  async parts(from: string, to: string, named: readonly string[]): Promise<void> {
    for (const entry of await readdir(from, { withFileTypes: true })) {
      const path = join(from, entry.name);
      if (OF_SKILL.test(entry.name) || named.includes(path)) await this.#entry(from, entry, to);
      else if (named.some((one) => isWithin(path, one))) {
        if (entry.isDirectory()) await this.parts(path, posix.join(to, entry.name), named);
      } else if (!NEVER.test(entry.name) && !this.#known.has(posix.join(to, entry.name))) {
        this.leave(this.#shown(path), 'not named by the `SKILL.md` in the root of the repository');
      }
    }
  }

  async #entry(from: string, entry: Dirent, to: string): Promise<void> {
    const [path, target] = [join(from, entry.name), posix.join(to, entry.name)];
    if (NEVER.test(entry.name)) this.leave(this.#shown(path), 'files of this name may be settings or hooks');
    else if (entry.isSymbolicLink()) await this.#linkTo(path, target);
    else if (entry.isDirectory()) await this.tree(path, target);
    else if (entry.isFile()) await this.file(path, target);
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

  /**
   * Returns the agents or commands: Markdown and TOML in a folder of this name, in a folder that begins with a dot. Links
   * are left out.
   */
  async others(kind: 'agents' | 'commands', isAsked: boolean): Promise<readonly string[]> {
    const paths: string[] = [];
    const leave = (path: string): void => {
      if (isAsked) this.leave(this.#shown(path), 'links to agents and commands are not followed');
    };
    for (const above of await readdir(this.#folder, { withFileTypes: true })) {
      const from = join(this.#folder, above.name, kind);
      const found = await lstat(from).catch(() => undefined);
      if (!/^\.\w/.test(above.name) || above.name === '.git' || !found) continue;
      if (above.isSymbolicLink() || found.isSymbolicLink()) leave(from);
      else if (found.isDirectory()) {
        for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
          const path = join(entry.parentPath, entry.name);
          if (entry.isSymbolicLink()) leave(path);
          else if (entry.isFile() && /\.(?:md|toml)$/i.test(entry.name)) paths.push(path);
        }
      }
    }
    return paths;
  }

  /** Copies a file to the same path. */
  async own(path: string): Promise<void> {
    await this.file(path, this.#shown(path));
  }

  /** Copies a file. Returns false if it is left out. */
  async file(from: string, to: string): Promise<boolean> {
    if (this.#known.has(to)) return true;
    const { bytes: most, bytesOfFile } = this.#limits;
    const read = await readBytes(from, bytesOfFile);
    const leave = (reason: string): false => {
      this.leave(this.#shown(from), reason);
      return false;
    };
    if (typeof read === 'string') {
      return leave(read === 'too-large' ? `over ${bytesOfFile / 1_000_000} MB` : 'it cannot be read');
    }
    const { bytes } = read;
    const isSkill = /^skill\.md$/i.test(basename(from));
    const mayStart =
      isPluginManifest(`/${to}`) ||
      (!isSkill && /\.(?:md|ya?ml|toml)$/i.test(from) && /(?:^|\/)(?:agents|commands)\//.test(to));
    if (mayStart && STARTS.test(headOf(bytes.toString('utf8'), to))) {
      return leave('it names hooks, servers or dependencies');
    }
    if (this.#bytes + bytes.length > most || !this.#add({ path: to, bytes })) return leave(this.#beyond());
    this.#bytes += bytes.length;
    return true;
  }

  /** Returns false if there are too many files and links. */
  #add(copy: Copy): boolean {
    if (this.#known.size >= this.#limits.files) return false;
    this.#known.add(copy.path);
    this.copies.push(copy);
    return true;
  }

  #beyond(): string {
    const { files, bytes } = this.#limits;
    return `beyond ${files.toLocaleString('en')} files or ${bytes / 1_000_000} MB`;
  }

  async #linkTo(from: string, to: string): Promise<boolean> {
    if (this.#known.has(to)) return true;
    const leave = (reason: string): false => {
      this.leave(this.#shown(from), reason);
      return false;
    };
    const named = resolve(dirname(from), await readlink(from));
    const real = await realpath(from).catch(() => undefined);
    // A link may lead outside through other links.
    const isInside = isWithin(this.#folder, named) && (real === undefined || isWithin(this.#real, real));
    if (!isInside) return leave('the link leads outside of the folder');
    if (real === undefined) return leave('the link leads to nothing');
    const target = join(this.#folder, relative(this.#real, real));
    const skill = this.placed.find(({ own }) => isWithin(own, target));
    const inCopy = skill ? posix.join(skill.to, posixOf(relative(skill.own, target))) : this.#shown(target);
    const isPlain = (await lstat(target).catch(() => undefined))?.isFile() === true;
    if (isPlain && !skill && !inCopy.split('/').some((name) => NEVER.test(name))) await this.own(target);
    const link = { path: to, target: posix.relative(posix.dirname(to), inCopy) || '.' };
    return this.#add(link) || leave(this.#beyond());
  }

  /** Leaves out the links whose targets are not copied. Without one link, the folder to which another leads may be empty. */
  withoutLooseLinks(): readonly Copy[] {
    for (let kept: readonly Copy[] = this.copies; ; ) {
      const paths = new Set(kept.flatMap(({ path }) => withAbove(path)));
      const isLoose = (copy: Copy): boolean =>
        'target' in copy && !paths.has(posix.join(posix.dirname(copy.path), copy.target).replace(/\/$/, ''));
      const loose = kept.filter(isLoose);
      if (loose.length === 0) return kept;
      for (const { path } of loose) this.leave(path, 'the target of the link is not copied');
      kept = kept.filter((copy) => !isLoose(copy));
    }
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
