/** The names of skills; the list is cut, since it grows with the workspace. */

import { valid } from 'semver';
import type { Analysis } from '../../analysis/analysis.ts';
import type { SkillSummary } from '../../skill/skill-file.ts';
import { folderOf } from '../../vocabulary/dialect.ts';
import { NAME_PATTERN } from '../../vocabulary/skill-keys.ts';
import { resolveSummary } from '../../workspace/resolve-skill.ts';
import { facts } from '../hover/describe.ts';
import { describeSkill } from '../hover/describe-names.ts';
import { hasLettersInOrder } from '../letters-in-order.ts';
import { describedBy } from '../markdown.ts';
import { type Cursor, Kind, type Proposal, type Proposals, Rank } from './proposal.ts';

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
  const typed = word.toLowerCase();
  const found = analysis.graph.names
    .filter((name) => name !== own && hasLettersInOrder(name.toLowerCase(), typed))
    .filter((name) => !composable || isComposable(cursor, name))
    .map((name): Candidate => ({ name, ...place(cursor, name) }))
    .sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1));
  const isLong = found.length > MAX_DESCRIBED;
  return {
    proposals: found.slice(0, most).map((candidate) => proposalOf(candidate, isLong)),
    isIncomplete: found.length > most,
  };
}

interface Candidate {
  readonly name: string;
  readonly rank: Rank;
  readonly summary: SkillSummary | undefined;
}

function proposalOf({ name, rank, summary }: Candidate, isLong: boolean): Proposal {
  return {
    label: name,
    kind: Kind.Module,
    detail: facts(summary?.version, summary?.level !== undefined && `level ${summary.level}`),
    docs: (now, from) =>
      isLong ? describedBy(now.resolveSkill(from, name)?.contract.description?.name) : describeSkill(now, from, name),
    isDeprecated: summary?.deprecated,
    rank,
  };
}

/** Those of the own folder and catalog first, then of the catalog, then of others; what has faults last. */
function place({ analysis, file }: Cursor, name: string): Pick<Candidate, 'rank' | 'summary'> {
  const skill = resolveSummary(analysis.graph, file.summary, name);
  if (!skill) return { rank: Rank.doubtful, summary: undefined };
  const { uri, summary } = skill;
  if (summary.deprecated || !isSound(analysis, summary)) return { rank: Rank.doubtful, summary };
  if (analysis.findCatalog(uri)?.uri !== analysis.findCatalog(file.uri)?.uri) return { rank: Rank.rest, summary };
  return { rank: folderOf(uri) === folderOf(file.uri) ? Rank.near : Rank.known, summary };
}

/** False where the summary tells already that the skill has faults; its other findings are not asked for. */
const isSound = ({ graph }: Analysis, { dialect, broken, name, version, composes }: SkillSummary): boolean =>
  !broken &&
  NAME_PATTERN.test(name ?? '') &&
  (dialect === 'agent-skill' || valid(version) !== null) &&
  composes.every(({ skill }) => graph.byName.has(skill));

function isComposable({ analysis, file: { contract } }: Cursor, name: string): boolean {
  const highest = contract.level === undefined ? 2 : contract.level - 1;
  return analysis
    .skillsNamed(name)
    .some(
      ({ summary: { dialect, level } }) =>
        dialect !== 'agent-skill' && (level === undefined || level <= Math.max(1, highest)),
    );
}
