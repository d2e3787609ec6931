/** The names of skills: the one list that grows with the workspace, so it is cut. */

import { resolveSummary } from '../../workspace/resolve-skill.ts';

import { facts } from '../hover/describe.ts';
import { describeSkill } from '../hover/describe-names.ts';
import { type Cursor, Kind, type Proposal } from './proposal.ts';

const MAX_SKILLS = 1_000;

/** In longer lists a description has to do. */
const MAX_DESCRIBED = 100;

export interface SkillProposals {
  readonly proposals: readonly Proposal[];
  readonly isIncomplete: boolean;
}

/**
 * The skills whose names can still become what is typed, never the file's own. With `composable` only those that a
 * skill of the file's level may compose (docs/format.md, section 4).
 */
export function skillProposals(cursor: Cursor, word: string, composable = false, most = MAX_SKILLS): SkillProposals {
  const { analysis, file } = cursor;
  const own = file.summary.name;
  const names: string[] = [];
  const fitting = analysis.graph.names.filter((name) => name !== own && isSubsequence(word, name));
  for (const name of fitting.sort()) {
    if (names.length > most) break;
    if (!composable || isComposable(cursor, name)) names.push(name);
  }
  const isIncomplete = names.length > most;
  const isLong = names.length > MAX_DESCRIBED;
  return { proposals: names.slice(0, most).map((name) => proposalOf(cursor, name, isLong)), isIncomplete };
}

function proposalOf({ analysis, file }: Cursor, name: string, isLong: boolean): Proposal {
  const summary = resolveSummary(analysis.graph, file.summary, name)?.summary;
  return {
    label: name,
    kind: Kind.Module,
    detail: facts(summary?.version, summary?.level !== undefined && `level ${summary.level}`),
    // Reading what a skill says of itself is reading its file.
    docs: (now, from) =>
      isLong ? now.resolveSkill(from, name)?.contract.description?.name : describeSkill(now, from, name),
    isDeprecated: summary?.deprecated,
    rank: summary?.deprecated ? 8 : 5,
  };
}

function isComposable({ analysis, file: { contract } }: Cursor, name: string): boolean {
  const highest = contract.level === undefined ? 2 : contract.level - 1;
  return analysis
    .skillsNamed(name)
    .some(
      ({ summary: { dialect, level } }) =>
        dialect !== 'agent-skill' && (level === undefined || level <= Math.max(1, highest)),
    );
}

/** Whether the letters of `word` occur in `name` in their order, as editors match. */
function isSubsequence(word: string, name: string): boolean {
  let at = 0;
  const lower = name.toLowerCase();
  for (const letter of word.toLowerCase()) {
    at = lower.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
