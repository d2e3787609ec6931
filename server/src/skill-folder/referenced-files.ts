/** The Markdown files that a `SKILL.md` refers to by links and paths, directly or indirectly, and their links. */

import { deniedNetwork } from '../abilities/network.ts';
import type { MarkdownFile } from '../skill/markdown-file.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { type Span, sliceOf } from '../text.ts';
import { fileNameOf, folderOf } from '../vocabulary/dialect.ts';
import { type LinkTarget, linkTargets, resolvePath } from './links.ts';
import { foldersAbove, mentionedFiles } from './mentioned-files.ts';
import type { SkillFolder } from './skill-folder.ts';

export interface ReferencedFile {
  readonly file: MarkdownFile;
  /** The path below the folder. */
  readonly path: string;
  /** The reference in the `SKILL.md` from which the file was reached. */
  readonly via: Span;
  readonly links: readonly ReferencedFileLink[];
}

export interface ReferencedFileLink extends LinkTarget {
  /**
   * The possible targets: relative to the file and, because agents may read the path that way, relative to the skill's
   * folder.
   */
  readonly uris: readonly string[];
}

/** The largest total size of the parsed files, in characters. */
export const MAX_PARSED = 5_000_000;

/** Returns the Markdown files of `folder` that the skill refers to, up to `MAX_PARSED` characters. Never throws. */
export const referencedFiles = (skill: SkillFile, folder: SkillFolder): readonly ReferencedFile[] =>
  folder.of(skill, walked).flatMap((one) => ('file' in one ? [one] : []));

/** Yields the files one by one, in the order of their references. Parses each file only when it is requested. */
export function* walkReferencedFiles(skill: SkillFile, folder: SkillFolder): Iterable<ReferencedFile> {
  for (const one of walkFiles(skill, folder)) if ('file' in one) yield one;
}

/** A Markdown file of the folder that the skill refers to, and that was not read. */
export interface UnreadFile extends Pick<ReferencedFile, 'path' | 'via'> {
  /** `total`: the files before it have `MAX_PARSED` characters. */
  readonly reason: 'many-files' | 'too-large' | 'total';
}

/** Returns the Markdown files of `folder` that the skill refers to, and that were not read. Never throws. */
export const unreadFiles = (skill: SkillFile, folder: SkillFolder): readonly UnreadFile[] =>
  folder.of(skill, walked).flatMap((one) => ('file' in one ? [] : [one]));

const walked = (skill: SkillFile, folder: SkillFolder) => [...walkFiles(skill, folder)];

function* walkFiles(skill: SkillFile, folder: SkillFolder): Iterable<ReferencedFile | UnreadFile> {
  const found = new Set<string>();
  let left = MAX_PARSED;
  const waiting = [...placesIn(skill)];
  for (const { uri, via } of waiting) {
    const path = folder.pathOf(uri);
    if (path === undefined || found.has(uri)) continue;
    found.add(uri);
    const file = folder.findMarkdown(uri);
    const isOver = file !== undefined && file.text.length > left;
    if (!file || isOver) {
      const reason = isOver ? 'total' : folder.findUnreadMarkdown(uri);
      if (reason) yield { path, via, reason };
      continue;
    }
    left -= file.text.length;
    const links = linksInFolder(file, folder);
    for (const link of links) for (const next of link.uris) waiting.push({ uri: next, via });
    yield { file, path, via, links };
  }
}

/** Returns the paths, below `folder`, of its files that the skill or a referenced file refers to. Never throws. */
export function referencedPaths(skill: SkillFile, folder: SkillFolder): readonly string[] {
  const links = referencedFiles(skill, folder).flatMap((one) => one.links);
  const uris = [...placesIn(skill).map(({ uri }) => uri), ...links.flatMap((link) => link.uris)];
  return [...new Set(uris)].flatMap((uri) => (folder.has(uri) ? (folder.pathOf(uri) ?? []) : []));
}

interface NamedPlace {
  readonly uri: string;
  readonly via: Span;
}

const placesIn = (skill: SkillFile): readonly NamedPlace[] =>
  [
    ...linkTargets(skill).map(({ uri, span }) => ({ uri, via: span })),
    ...mentionedFiles(skill).map(({ uris, span }) => ({ uri: uris[0] ?? '', via: span })),
  ].sort((a, b) => a.via.start - b.via.start);

/** Returns the links of a file in the skill's folder. */
const linksInFolder = (file: MarkdownFile, folder: SkillFolder): readonly ReferencedFileLink[] =>
  linkTargets(file).map((target) => {
    const fromFolder = resolvePath(folder.uri, target.path);
    const isOwn = folderOf(file.uri) === folder.uri || fromFolder === target.uri;
    return { ...target, uris: isOwn ? [target.uri] : [target.uri, fromFolder] };
  });

// The files whose existence must be known to rules. Hosts check whether they exist.

/** Returns the URI of `.git` beside a skill. `.git` exists if the skill's folder is the root of a repository. */
export const repositoryMark = (uri: string): string => `${folderOf(uri)}/.git`;

/** The known existence of files. */
interface Existence {
  /** Returns whether a file exists; undefined if it was not checked. */
  get(uri: string): boolean | undefined;
}

/**
 * Returns, without duplicates, the URIs of the files whose existence must be known to rules. Missing files add
 * candidates, so a host calls this function again until no candidate is added. `roots` are the workspace folders, in
 * which the servers of named tools are searched. `findMoved` returns the URI at which a missing file may be now. Never throws.
 */
export function urisToProbe(
  file: SkillFile,
  exists: Existence,
  folder?: SkillFolder,
  roots: readonly string[] = [],
  findMoved?: (missing: string) => string | undefined,
): readonly string[] {
  if (!file.isSkill) return [];
  const wanted = new Set<string>();
  const isMissing = (uri: string): boolean => {
    wanted.add(uri);
    return exists.get(uri) === false;
  };
  for (const { uri, path } of linkTargets(file)) {
    if (!isMissing(uri)) continue;
    for (const near of [...nearbyFiles(file, uri), ...urisAbove(file, path)]) wanted.add(near);
    const moved = findMoved?.(uri);
    if (moved !== undefined) wanted.add(moved);
  }
  if (file.dialect === 'agent-skill') wanted.add(repositoryMark(file.uri));
  for (const uri of clientSettingsFor(file.uri, roots)) wanted.add(uri);
  if (file.derive(namesServers)) for (const uri of serverFilesFor(file.uri, roots)) wanted.add(uri);
  for (const { uris, folder, elsewhere } of mentionedFiles(file)) {
    if (elsewhere && isMissing(uris[0] ?? folder)) wanted.add(elsewhere.uri);
    if (!uris.every(isMissing)) continue;
    wanted.add(folder);
    for (const near of nearbyFiles(file, uris[0] ?? folder)) wanted.add(near);
  }
  if (!folder) return [...wanted];
  for (const { links } of referencedFiles(file, folder)) for (const { uris } of links) uris.every(isMissing);
  return [...wanted];
}

/**
 * Returns whether rules need the network calls of the scripts beside a file. Rules need these calls if the file says
 * that the skill needs no network.
 */
export const needsNetworkScan = (file: SkillFile): boolean =>
  file.dialect === 'agent-skill' && file.derive(deniedNetwork) !== undefined;

/** The settings of clients whose calls of skills need a permission, in the folder in which the client starts. */
const CLIENT_SETTINGS = ['.claude/settings.json', '.gemini/settings.json', '.qwen/settings.json', '.pi/settings.json'];

/**
 * Returns the URIs of the settings that may allow the calls of a skill; empty for a skill in no client's folder of a
 * workspace. Never throws.
 */
function clientSettingsFor(uri: string, roots: readonly string[]): readonly string[] {
  const root = /^(.+?)\/\.[\w-]+\/skills\/.*\/SKILL\.md$/.exec(uri)?.[1];
  const isInWorkspace = root !== undefined && roots.some((one) => `${root}/`.startsWith(`${one}/`));
  return isInWorkspace ? CLIENT_SETTINGS.map((path) => `${root}/${path}`) : [];
}

// The files in which clients configure MCP servers (docs/clients.md, "Tools").

/** The paths of these files below a folder that a client has opened. */
const SERVER_FILES = ['.mcp.json', '.claude-plugin/plugin.json', '.vscode/mcp.json', '.cursor/mcp.json'];

/** Returns whether the tools of a file may include tools of MCP servers. */
const namesServers = ({ dialect, text, frontmatter }: SkillFile): boolean =>
  (dialect === 'agent-skill' || dialect === 'client-file') && /mcp/i.test(sliceOf(text, frontmatter.content));

/**
 * Returns the URIs of the files that may configure servers for the tools in `uri`: those in its folders, up to the
 * workspace folder that contains it. Empty for a file outside all workspace folders. Never throws.
 */
export function serverFilesFor(uri: string, roots: readonly string[]): readonly string[] {
  const root = roots.find((one) => uri.startsWith(`${one}/`));
  const found: string[] = [];
  for (let folder = folderOf(uri); root !== undefined && folder.length >= root.length; folder = folderOf(folder)) {
    found.push(...SERVER_FILES.map((path) => `${folder}/${path}`));
  }
  return found;
}

/** Returns whether a file is a client's configuration of servers in a workspace folder. Never throws. */
export const isServerFile = (uri: string, roots: readonly string[]): boolean =>
  SERVER_FILES.some((path) => uri.endsWith(`/${path}`)) && roots.some((root) => uri.startsWith(`${root}/`));

/** Returns the URIs of a link's path relative to each folder above the skill's folder, nearest first. Never throws. */
export const urisAbove = ({ dialect, uri }: SkillFile, path: string): readonly string[] =>
  dialect !== 'agent-skill' || path.startsWith('.')
    ? []
    : foldersAbove(folderOf(uri))
        .slice(1)
        .map((folder) => resolvePath(folder, path));

const NEARBY = [
  '',
  'references/',
  'reference/',
  'scripts/',
  'assets/',
  'resources/',
  'templates/',
  'examples/',
  'docs/',
];

/** Returns the URIs in a skill's folder at which a missing file might exist under the same name. Never throws. */
export function nearbyFiles({ dialect, uri }: SkillFile, missing: string): readonly string[] {
  const name = fileNameOf(missing);
  // A name without a period may be a folder. The last condition excludes the file itself.
  if (dialect !== 'agent-skill' || !name.includes('.') || name === fileNameOf(uri)) return [];
  return NEARBY.map((folder) => `${folderOf(uri)}/${folder}${name}`).filter((near) => near !== missing);
}
