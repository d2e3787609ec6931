/** The new places of files in the folders of skills that were moved or renamed. */

import type { SkillFile } from '../skill/skill-file.ts';
import { decoded, fileNameOf, folderOf, isAgentSkillName, nameFromUri } from '../vocabulary/dialect.ts';
import type { Analysis } from './analysis.ts';

/** A skill that is no longer in the file or folder of its name. */
export interface MovedSkill {
  readonly name: string;
  /** The URI at which the missing file should be now. */
  readonly uri: string;
}

/**
 * Returns the skill to which a missing file belonged: a folder or a file in its URI has the name that exactly one skill
 * states elsewhere. If several skills have this name, the one beside the missing folder is meant. `file` names the
 * missing file. Never throws.
 */
export function findMovedSkill(analysis: Analysis, file: SkillFile, missing: string): MovedSkill | undefined {
  const { skills } = analysis.graph;
  for (let gone = missing; gone.includes('/') && !file.uri.startsWith(`${gone}/`); gone = folderOf(gone)) {
    if (skills.has(gone) || skills.has(`${gone}/SKILL.md`)) return undefined;
    const found = movedFrom(analysis, file, gone, missing.slice(gone.length));
    if (found) return found;
  }
  return undefined;
}

function movedFrom(analysis: Analysis, file: SkillFile, gone: string, rest: string): MovedSkill | undefined {
  const isFile = /\.(?:md|ya?ml|json)$/i.test(gone);
  if (isFile && isAgentSkillName(fileNameOf(gone))) return undefined;
  const name = isFile ? nameFromUri(gone) : decoded(fileNameOf(gone));
  const places = analysis.skillsNamed(name, file.uri).flatMap(({ uri, summary }) => {
    const isFolder = isAgentSkillName(fileNameOf(uri));
    return summary.name === name && isFolder !== isFile ? [isFolder ? folderOf(uri) : uri] : [];
  });
  const beside = places.filter((place) => folderOf(place) === folderOf(gone));
  const [only, ...more] = beside.length > 0 ? beside : places;
  return only === undefined || more.length > 0 ? undefined : { name, uri: only + rest };
}
