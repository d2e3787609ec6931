/** The files whose existence rules ask for; hosts find it out. */
import { deniedNetwork } from '../abilities/network.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { fileNameOf, folderOf } from '../vocabulary/dialect.ts';
import { linkTargets } from './links.ts';
import { mentionedFiles } from './mentioned-files.ts';
import { neighbourLinks, neighboursOf } from './neighbours.ts';
import type { SkillFolder } from './skill-folder.ts';

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
