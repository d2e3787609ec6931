/**
 * Finds the folders of skills that a target client does not read although another one may (docs/clients.md, "Skills for
 * some of the clients").
 */
import type { Client } from '../clients/facts/client.ts';
import { placeIn, type SkillsFolder, skillsFolderOf } from '../clients/matrix/client-folders.ts';
import { isInOtherFolder } from '../clients/matrix/matrix.ts';
import type { Subject } from '../clients/matrix/subject.ts';
import { findsCopy, type TargetSource, targetsOf } from './targets.ts';

/** The target clients of a skill, by whether they read its folder. */
export interface FolderReaders {
  readonly folder: SkillsFolder;
  readonly readers: readonly Client[];
  /** The clients that read other folders, and find neither a copy of the skill nor a link to it there. */
  readonly others: readonly Client[];
}

/**
 * Returns the target clients of a skill by whether they read its folder; undefined if its author did not choose the
 * target clients, if it is in no folder of skills, or if it is a part of another skill. Reads only paths.
 */
export function folderReaders(analysis: TargetSource, subject: Subject): FolderReaders | undefined {
  const { clients, isChosen } = targetsOf(analysis, subject);
  const folder = isChosen ? skillsFolderOf(subject, clients) : undefined;
  if (!folder || analysis.agentSkills.isWithinSkill(subject)) return undefined;
  // Clients load the skills of a plugin with the plugin, also from a folder that a framework reads.
  const isOfPlugin = !skillsFolderOf(subject) && analysis.plugins.shipping(subject.uri).length > 0;
  const others = clients.filter(
    (client) =>
      client.dirs.certainty !== 'unverified' &&
      (client.framework || !isOfPlugin) &&
      isInOtherFolder(client, placeIn(client, subject), true) &&
      !findsCopy(analysis, subject, client),
  );
  return { folder, readers: clients.filter((client) => placeIn(client, subject) !== undefined), others };
}

const keyOf = ({ readers, others }: FolderReaders): string =>
  [others, readers].map((some) => some.map(({ id }) => id).join()).join(' ');

/** Returns the first skill by path of those in a folder that the same clients do not read. */
export function firstInFolder(analysis: TargetSource, own: FolderReaders): Subject | undefined {
  const key = keyOf(own);
  return analysis.agentSkills.inFolder(own.folder.uri).find((one) => isOfGroup(analysis, one, key));
}

/** Returns the skills in a folder that the same clients do not read, sorted by path. */
export function skillsInFolder(analysis: TargetSource, own: FolderReaders): readonly Subject[] {
  const key = keyOf(own);
  return analysis.agentSkills.inFolder(own.folder.uri).filter((one) => isOfGroup(analysis, one, key));
}

function isOfGroup(analysis: TargetSource, subject: Subject, key: string): boolean {
  const readers = folderReaders(analysis, subject);
  return readers !== undefined && readers.others.length > 0 && keyOf(readers) === key;
}

/** Returns the first skill of each group in the folder of a skill, which have the findings about the folder. */
export function firstsBeside(analysis: TargetSource, subject: Subject): readonly string[] {
  const folder = skillsFolderOf(subject, targetsOf(analysis, subject).clients)?.uri;
  const firsts = new Map<string, string>();
  for (const one of folder === undefined ? [] : analysis.agentSkills.inFolder(folder)) {
    const readers = folderReaders(analysis, one);
    if (!readers || readers.others.length === 0) continue;
    const key = keyOf(readers);
    if (!firsts.has(key)) firsts.set(key, one.uri);
  }
  return [...firsts.values()];
}
