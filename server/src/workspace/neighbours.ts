/** The Markdown files that a `SKILL.md` leads to by links and paths, one from another, and their own links. */

import { deniedNetwork } from '../abilities/network.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import type { Span } from '../text.ts';
import { fileNameOf, folderOf } from '../vocabulary/dialect.ts';
import { type LinkTarget, linkTargets, resolvePath } from './links.ts';
import { mentionedFiles } from './mentioned-files.ts';
import type { SkillFolder } from './skill-folder.ts';

export interface Neighbour {
  readonly file: SkillFile;
  /** The path below the folder. */
  readonly path: string;
  /** Where the `SKILL.md` names the file, or the first of the files that lead to it. */
  readonly via: Span;
}

export interface NeighbourLink extends LinkTarget {
  /** Where the path may lead: from the file itself, and from the skill's folder, as agents read it. */
  readonly uris: readonly string[];
}

/** Of all neighbours together, in characters. */
const MAX_PARSED = 1_000_000;

/** No more than so much text is followed, in the order in which the files are named. */
export const neighboursOf = (skill: SkillFile, folder: SkillFolder): readonly Neighbour[] => [
  ...findNeighbours(skill, folder),
];

/** One after another, as each is parsed. */
export function* findNeighbours(skill: SkillFile, folder: SkillFolder): Iterable<Neighbour> {
  const found = new Set<string>();
  let left = MAX_PARSED;
  const waiting = [...placesIn(skill)];
  for (const { uri, via } of waiting) {
    const file = found.has(uri) ? undefined : folder.findMarkdown(uri);
    const path = folder.pathOf(uri);
    if (!file || path === undefined) continue;
    left -= file.text.length;
    if (left < 0) break;
    found.add(uri);
    for (const link of neighbourLinks(file, folder)) for (const next of link.uris) waiting.push({ uri: next, via });
    yield { file, path, via };
  }
}

/** The paths of the files of the folder that the skill, or a neighbour, links to or names by their paths. */
export function ledTo(skill: SkillFile, folder: SkillFolder): readonly string[] {
  const links = neighboursOf(skill, folder).flatMap(({ file }) => neighbourLinks(file, folder));
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

/** The links of a file of the folder. */
export const neighbourLinks = (file: SkillFile, folder: SkillFolder): readonly NeighbourLink[] =>
  linkTargets(file).map((target) => {
    const fromFolder = resolvePath(folder.uri, target.path);
    const isOwn = folderOf(file.uri) === folder.uri || fromFolder === target.uri;
    return { ...target, uris: isOwn ? [target.uri] : [target.uri, fromFolder] };
  });

// The files whose existence rules ask for; hosts find it out.

/** What is there where the folder of a skill is the root of a repository. */
export const repositoryMark = (uri: string): string => `${folderOf(uri)}/.git`;

/** Whether a file is there; undefined while nobody has looked. */
interface Existence {
  get(uri: string): boolean | undefined;
}

/**
 * Each once. Where something is missing, further files matter: a host asks again with what it has found out, until there is
 * nothing new.
 */
export function lookedFor(file: SkillFile, exists: Existence, folder?: SkillFolder): readonly string[] {
  if (!file.isSkill) return [];
  const wanted = new Set<string>();
  const isMissing = (uri: string): boolean => {
    wanted.add(uri);
    return exists.get(uri) === false;
  };
  for (const { uri } of linkTargets(file))
    if (isMissing(uri)) for (const near of nearbyFiles(file, uri)) wanted.add(near);
  if (file.dialect === 'agent-skill') wanted.add(repositoryMark(file.uri));
  for (const { uris, folder } of mentionedFiles(file)) {
    if (!uris.every(isMissing)) continue;
    wanted.add(folder);
    for (const near of nearbyFiles(file, uris[0] ?? folder)) wanted.add(near);
  }
  if (!folder) return [...wanted];
  for (const neighbour of neighboursOf(file, folder)) {
    for (const { uris } of neighbourLinks(neighbour.file, folder)) uris.every(isMissing);
  }
  return [...wanted];
}

/** Whether it matters where the scripts beside a file call the network. */
export const asksForCalls = (file: SkillFile): boolean =>
  file.dialect === 'agent-skill' && file.derive(deniedNetwork) !== undefined;

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

/** Where a file of the same name may be meant, in the folder of a skill. */
export function nearbyFiles({ dialect, uri }: SkillFile, missing: string): readonly string[] {
  const name = fileNameOf(missing);
  // A folder, and the file itself.
  if (dialect !== 'agent-skill' || !name.includes('.') || name === fileNameOf(uri)) return [];
  return NEARBY.map((folder) => `${folderOf(uri)}/${folder}${name}`).filter((near) => near !== missing);
}
