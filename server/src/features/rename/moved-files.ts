/** What a rename of a file or a folder changes in texts, where the skill in it is named after it. */
import type { WorkspaceEdit } from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import { isName } from '../../skill/kebab-name.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { fileNameOf, folderOf, isAgentSkillName, nameFromUri } from '../../vocabulary/dialect.ts';
import type { Locate } from '../locate.ts';
import { occurrencesOf } from '../symbol/occurrences.ts';
import {
  fileOf,
  isRefusal,
  type Move,
  movedUri,
  type Plan,
  planEdits,
  type RenameClient,
  type RenameRefusal,
  refuse,
  toWorkspaceEdit,
  verifyPlan,
} from './plan.ts';

/**
 * The edit that goes with the first move that renames a skill; the client carries out the moves themselves. Undefined where
 * none does, and where the new name cannot be the skill's: a file may be called anything.
 */
export function followMoves(
  analysis: Analysis,
  moves: readonly Move[],
  locate: Locate,
  client: RenameClient,
): WorkspaceEdit | undefined {
  if (analysis.partial) return undefined;
  for (const move of moves) {
    const file = skillNamedAfter(analysis, move);
    if (!file) continue;
    const newName = nameFromUri(movedUri(file.uri, [move]));
    const plan = planMove(analysis, file, move, newName);
    if (plan) return toWorkspaceEdit(analysis, file.uri, { ...plan, moves: [] }, newName, locate, client);
  }
  return undefined;
}

/** The one skill of its name whose file is moved, or the `SKILL.md` of a folder that is. */
function skillNamedAfter(analysis: Analysis, { from }: Move): SkillFile | undefined {
  const file = [from, `${from}/SKILL.md`].map((uri) => analysis.file(uri)).find((one) => one?.isSkill);
  if (!file || file.summary.name !== nameFromUri(file.uri)) return undefined;
  // Of several versions of a skill one file is renamed as its author likes.
  return analysis.skillsNamed(file.summary.name).length === 1 ? file : undefined;
}

function planMove(analysis: Analysis, file: SkillFile, move: Move, newName: string): Plan | undefined {
  const target = { kind: 'skill', name: nameFromUri(file.uri) } as const;
  if (newName === target.name || analysis.index.files.has(movedUri(file.uri, [move]))) return undefined;
  if (refuseSkillName(analysis, newName)) return undefined;
  const occurrences = occurrencesOf(analysis, target);
  const plan = planEdits(occurrences, newName);
  if (isRefusal(plan)) return undefined;
  return verifyPlan(analysis, { ...plan, moves: [move] }, target, occurrences, newName) ? undefined : plan;
}

// A skill's name, and the files and folders named after it.

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
