/** A skill's name, and the files and folders named after it. */
import type { Analysis } from '../../analysis/analysis.ts';
import { isName } from '../../skill/kebab-name.ts';
import { fileNameOf, folderOf, isAgentSkillName, nameFromUri } from '../../vocabulary/dialect.ts';
import { occurrencesOf } from '../symbol/occurrences.ts';
import { fileOf, type Move, type RenameRefusal, refuse } from './plan.ts';

/** Why the skill cannot be renamed at all. */
export function refuseSkill(analysis: Analysis, name: string): RenameRefusal | undefined {
  return analysis.graph.byName.has(name)
    ? undefined
    : refuse(`There is no skill \`${name}\`. Make it, or fix the name.`);
}

export function refuseSkillName(analysis: Analysis, newName: string): RenameRefusal | undefined {
  if (!isName(newName)) {
    return refuse(
      `\`${newName}\` is no name for a skill. Write lower-case letters, digits and single hyphens, at most 64 of them: \`draft-scene\`.`,
    );
  }
  const [other] = analysis.skillsNamed(newName);
  if (other) return refuse(`${fileOf(other.uri)} is a skill called \`${newName}\` already. Choose another name.`);
  const [mention] = occurrencesOf(analysis, { kind: 'skill', name: newName });
  return mention === undefined
    ? undefined
    : refuse(
        `${fileOf(mention.file.uri)} speaks of a skill \`${newName}\`, which it would then mean. Choose another name.`,
      );
}

/** The files, and for `SKILL.md` the folders, that are named after the skills of a name. */
export function movesOf(analysis: Analysis, name: string, newName: string): readonly Move[] | RenameRefusal {
  const moves: Move[] = [];
  const skills = analysis.skillsNamed(name);
  for (const { uri } of skills) {
    if (uri.startsWith('untitled:')) continue;
    const isFolder = isAgentSkillName(fileNameOf(uri));
    const from = isFolder ? folderOf(uri) : uri;
    const promised = nameFromUri(uri);
    // Versions of one skill have a suffix: `draft-scene-2.skill.md`.
    const isVersion = skills.length > 1 && promised.startsWith(name);
    if ((promised !== name && !isVersion) || !fileNameOf(from).startsWith(name)) continue;
    const to = `${folderOf(from)}/${newName}${fileNameOf(from).slice(name.length)}`;
    const taken = analysis.index.files.has(to) || analysis.index.files.has(`${to}/SKILL.md`);
    if (taken)
      return refuse(`There is a file ${fileOf(to)} already, which the renamed skill would need. Choose another name.`);
    moves.push({ from, to });
  }
  return moves;
}
