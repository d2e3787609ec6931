/** What a rename of a file or a folder changes in texts, where the skill in it is named after it. */
import type { WorkspaceEdit } from 'vscode-languageserver-types';
import type { Analysis } from '../../analysis/analysis.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { nameFromUri } from '../../vocabulary/dialect.ts';
import type { Locate } from '../locate.ts';
import { occurrencesOf } from '../symbol/occurrences.ts';
import {
  isRefusal,
  type Move,
  movedUri,
  type Plan,
  planEdits,
  type RenameClient,
  toWorkspaceEdit,
  verifyPlan,
} from './plan.ts';
import { refuseSkillName } from './skill.ts';

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
