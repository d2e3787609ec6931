/** The Markdown files that a `SKILL.md` leads to by links and paths, one from another, and their own links. */
import type { SkillFile } from '../skill/skill-file.ts';
import type { Span } from '../text.ts';
import { folderOf } from '../vocabulary/dialect.ts';
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
