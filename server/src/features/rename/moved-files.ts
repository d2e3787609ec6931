/** Renames skills together with the files and folders that have the name of the skill. */
import type { Analysis } from '../../analysis/analysis.ts';
import type { FileEdits } from '../../finding.ts';
import { isName, namesProblem } from '../../skill/kebab-name.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { overlaps } from '../../text.ts';
import { agentFileOf, decoded, fileNameOf, folderOf, isAgentSkillName, nameFromUri } from '../../vocabulary/dialect.ts';
import type { Locate } from '../locate.ts';
import { type Occurrence, occurrencesOf } from '../symbol/occurrences.ts';
import { type SymbolTarget, skillTarget } from '../symbol/target.ts';
import { movedPathEdits } from './moved-paths.ts';
import {
  isRefusal,
  type Move,
  mergeByFile,
  movedUri,
  type Plan,
  planEdits,
  quotedFileName,
  type RenameClient,
  type Renamed,
  type RenameRefusal,
  refuse,
  toWorkspaceEdit,
  uncheckedIn,
  verifyPlan,
} from './plan.ts';

/**
 * Returns the text edits for moves that the client performs: the new name of the first skill that a move renames, if
 * the file name is a valid skill name, and the changed paths to and from the moved files. Returns undefined without
 * edits.
 */
export function editsForMoves(
  analysis: Analysis,
  moves: readonly Move[],
  locate: Locate,
  client: RenameClient,
): Renamed | undefined {
  if (analysis.partial) return undefined;
  const paths = movedPathEdits(analysis, moves);
  for (const move of moves) {
    const file = skillNamedAfter(analysis, move);
    if (!file) continue;
    const newName = nameFromUri(movedUri(file.uri, [move]));
    const planned = planMove(analysis, file, move, newName, paths);
    if (!planned) continue;
    const { plan, name, occurrences } = planned;
    const edit = toWorkspaceEdit(analysis, file.uri, plan, `Rename to ${newName}`, locate, client);
    return { edit, name, newName, isOfSkill: true, moves, occurrences, unchecked: uncheckedIn(plan) };
  }
  if (paths.length === 0) return undefined;
  const edit = toWorkspaceEdit(analysis, '', { edits: paths, moves: [], remapped: [] }, 'Change paths', locate, client);
  return { edit, name: '', newName: '', isOfSkill: false, moves, occurrences: [], unchecked: 0 };
}

/**
 * Returns the skill whose file is moved, or whose `SKILL.md` is in the moved folder. Returns undefined if the skill is
 * not named after this file or folder, or if another skill has the same name.
 */
function skillNamedAfter(analysis: Analysis, { from }: Move): SkillFile | undefined {
  const file = [from, `${from}/SKILL.md`].map((uri) => analysis.file(uri)).find((one) => one?.isSkill);
  if (!file || file.summary.name !== nameFromUri(file.uri)) return undefined;
  // If a skill has several versions, a new file name does not rename the skill.
  return analysis.skillsNamed(file.summary.name, file.uri).length === 1 ? file : undefined;
}

function planMove(
  analysis: Analysis,
  file: SkillFile,
  move: Move,
  newName: string,
  paths: readonly FileEdits[],
): { readonly plan: Plan; readonly name: string; readonly occurrences: readonly Occurrence[] } | undefined {
  const target = skillTarget(analysis, nameFromUri(file.uri), file.uri);
  if (newName === target.name || analysis.index.files.has(movedUri(file.uri, [move]))) return undefined;
  if (refuseSkillName(analysis, newName)) return undefined;
  const occurrences = occurrencesOf(analysis, target);
  // The new paths contain the new name.
  const isInPath = ({ file: { uri }, span }: Occurrence): boolean =>
    paths.some((one) => one.uri === uri && one.edits.some((edit) => overlaps(edit.span, span)));
  const plan = planEdits(
    occurrences.filter((one) => !isInPath(one)),
    newName,
  );
  if (isRefusal(plan)) return undefined;
  const whole = { ...plan, edits: mergeByFile([...plan.edits, ...paths]) };
  if (verifyPlan(analysis, { ...whole, moves: [move] }, target, occurrences, newName)) return undefined;
  return { plan: whole, name: target.name, occurrences };
}

/** Returns the reason why the skill cannot be renamed, regardless of the new name. */
export function refuseSkill(analysis: Analysis, name: string): RenameRefusal | undefined {
  const { byName, byId } = analysis.graph;
  return byName.has(name) || byId.has(name)
    ? undefined
    : refuse(`Unknown skill \`${name}\`. Create it, or correct the name.`);
}

export function refuseSkillName(analysis: Analysis, newName: string): RenameRefusal | undefined {
  if (!isName(newName)) {
    return refuse(
      `\`${newName}\` is not a valid skill name. Use at most 64 lowercase letters, digits and single hyphens, for example \`draft-scene\`.`,
    );
  }
  const [other] = analysis.skillsNamed(newName);
  if (other)
    return refuse(`The skill \`${newName}\` already exists in ${quotedFileName(other.uri)}. Choose another name.`);
  const [mention] = occurrencesOf(analysis, skillTarget(analysis, newName));
  return mention === undefined
    ? undefined
    : refuse(
        `${quotedFileName(mention.file.uri)} already refers to a skill \`${newName}\`, which does not exist yet. Choose another name.`,
      );
}

/** Returns the moves of all files named after a skill; a `SKILL.md` moves with its folder. An `id` names no file. */
export function movesOf(
  analysis: Analysis,
  { name, first }: SymbolTarget & { kind: 'skill' },
  newName: string,
): readonly Move[] | RenameRefusal {
  const moves: Move[] = [];
  const skills = analysis.skillsNamed(name, first);
  for (const { uri, summary } of skills) {
    if (uri.startsWith('untitled:') || summary.name !== name) continue;
    const isFolder = isAgentSkillName(fileNameOf(uri));
    const from = isFolder ? folderOf(uri) : uri;
    const promised = nameFromUri(uri);
    // The file names of several versions of one skill have a suffix: `draft-scene-2.skill.md`.
    const isVersion = skills.length > 1 && promised.startsWith(name);
    if ((promised !== name && !isVersion) || !fileNameOf(from).startsWith(name)) continue;
    const to = `${folderOf(from)}/${newName}${fileNameOf(from).slice(name.length)}`;
    const taken = analysis.index.files.has(to) || analysis.index.files.has(`${to}/SKILL.md`);
    const problem = namesProblem(fileNameOf(to));
    if (problem !== undefined) return refuse(`${quotedFileName(to)} ${problem}. Choose another name.`);
    if (taken) return refuse(`The file ${quotedFileName(to)} already exists. Choose another name.`);
    moves.push({ from, to });
  }
  return moves;
}

/**
 * Returns the move of the file of an agent that has the agent's name. Its suffix, such as `.agent.md`, stays. A file that a
 * manifest lists is not moved.
 */
export function movesOfAgent(
  analysis: Analysis,
  { uri, name }: SymbolTarget & { kind: 'agent' },
  newName: string,
): readonly Move[] | RenameRefusal {
  const isListed = analysis.plugins.all.some(({ agents }) => agents?.includes(uri));
  if (agentFileOf(uri)?.name !== name || isListed) return [];
  const file = fileNameOf(uri);
  const suffix = /(?:\.agent)?\.md$/.exec(file)?.[0] ?? '';
  const to = `${folderOf(uri)}/${encodeURIComponent(newName)}${suffix}`;
  const problem = namesProblem(decoded(fileNameOf(to)));
  if (problem !== undefined) return refuse(`${quotedFileName(to)} ${problem}. Choose another name.`);
  if (analysis.index.files.has(to))
    return refuse(`The file ${quotedFileName(to)} already exists. Choose another name.`);
  return [{ from: uri, to }];
}
