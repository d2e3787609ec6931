/** Requests that a skill is to be chosen for, or not, and who is chosen (docs/matching.md, "Routing cases"). */
import { findValue, listItems, stringOf } from '../languages/yaml/node.ts';
import type { Match } from '../matching/rank.ts';
import { findSkillEntry } from '../skill/contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import type { Span } from '../text.ts';
import type { Analysis } from './analysis.ts';
import { matchSkills } from './match-skills.ts';
import { isDisabledHere } from './permissions.ts';
import { replacedBy } from './replaced-by.ts';

export interface RoutingCase {
  readonly request: string;
  /** Whether the skill is to be chosen. */
  readonly should: boolean;
  readonly span: Span;
}

export interface Routed {
  /** Who is chosen; undefined where nobody is. */
  readonly winner: Match | undefined;
  /** Why the skill itself is left out; undefined where it is not. */
  readonly leftOut: string | undefined;
  readonly holds: boolean;
  /** False for a skill that another one stands for, or that is disabled here: no request is to lead to it. */
  readonly isJudged: boolean;
}

/** More requests are not looked at, nor more of one. */
const MAX_CASES = 50;
const MAX_REQUEST = 300;

/** Those under `routing`, and the samples that an agent selects. */
export function routingCases({ frontmatter, contract }: SkillFile): readonly RoutingCase[] {
  const routing = findSkillEntry(frontmatter.tree.root, 'routing')?.value;
  const listed = (key: 'should' | 'should_not'): readonly RoutingCase[] =>
    listItems(findValue(routing, key)).flatMap((item) => {
      const request = stringOf(item)?.trim();
      return request ? [{ request, should: key === 'should', span: item.span }] : [];
    });
  const samples = contract.samples.flatMap(({ value }) => {
    const node = findValue(value, 'request');
    const request = stringOf(node)?.trim();
    const isSelected = stringOf(findValue(value, 'source')) === 'agent-selected';
    return node && request && isSelected ? [{ request, should: true, span: node.span }] : [];
  });
  return [...listed('should'), ...listed('should_not'), ...samples].slice(0, MAX_CASES);
}

/** As the name of its test. */
export const nameOfCase = ({ should, request }: RoutingCase): string =>
  `${should ? 'should' : 'should not'}: ${request}`;

export function route(analysis: Analysis, uri: string, { request, should }: RoutingCase): Routed {
  const query = { request: request.slice(0, MAX_REQUEST), top: 1, source: 'agent-selected', isAnywhere: true } as const;
  const [winner] = matchSkills(analysis, query).matches;
  const own = analysis.graph.skills.get(uri);
  const isJudged = own !== undefined && !replacedBy(analysis, own) && !isDisabledHere(analysis, own);
  // Of two files that define one skill either is it.
  const isOwn = winner?.id === uri || (winner?.name === own?.summary.name && winner?.version === own?.summary.version);
  const holds = (winner !== undefined && isOwn) === should;
  if (holds || !should || !isJudged) return { winner, leftOut: undefined, holds, isJudged };
  const { excluded } = matchSkills(analysis, { ...query, among: new Set([uri]) });
  return { winner, leftOut: excluded[0]?.reason, holds, isJudged };
}

/** Why a case does not hold, as a sentence. */
export function sentenceOn({ request, should }: RoutingCase, { winner, leftOut }: Routed): string {
  if (!should) return `“${request}” is to be answered by another skill, and this one is chosen${wordsOf(winner)}.`;
  if (leftOut !== undefined) return `“${request}” is to be answered by this skill, which is left out: ${leftOut}.`;
  if (!winner) return `“${request}” is to be answered by this skill, and no skill has its words.`;
  return `“${request}” is to be answered by this skill, and \`${winner.name}\` is chosen${wordsOf(winner)}.`;
}

function wordsOf(winner: Match | undefined): string {
  const words = [...new Set((winner?.reasons ?? []).map(({ text }) => text))];
  return words.length === 0
    ? ''
    : ` by the words ${words
        .slice(0, 5)
        .map((word) => `“${word}”`)
        .join(', ')}`;
}
