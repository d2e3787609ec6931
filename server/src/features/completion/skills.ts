/** The names of skills; the list is cut, since it grows with the workspace. */

import { resolveSummary } from '../../workspace/resolve-skill.ts';
import { facts } from '../hover/describe.ts';
import { describeSkill } from '../hover/describe-names.ts';
import { hasLettersInOrder } from '../letters-in-order.ts';
import { describedBy } from '../markdown.ts';
import { type Cursor, Kind, type Proposal, type Proposals } from './proposal.ts';

const MAX_SKILLS = 1_000;

/** In longer lists only the description is shown of each. */
const MAX_DESCRIBED = 100;

/**
 * The skills whose names match what is typed, without the file's own. With `composable` only those that a skill of the
 * file's level may compose (docs/format.md, section 4).
 */
export function skillProposals(cursor: Cursor, word: string, composable = false, most = MAX_SKILLS): Proposals {
  const { analysis, file } = cursor;
  const own = file.summary.name;
  const names: string[] = [];
  const fitting = analysis.graph.names.filter(
    (name) => name !== own && hasLettersInOrder(name.toLowerCase(), word.toLowerCase()),
  );
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
    docs: (now, from) =>
      isLong ? describedBy(now.resolveSkill(from, name)?.contract.description?.name) : describeSkill(now, from, name),
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
