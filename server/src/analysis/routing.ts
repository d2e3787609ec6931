/** Checks requests that must, or must not, choose a skill (docs/matching.md, "Routing cases"). */

import type { Client } from '../clients/facts/client.ts';
import { outcomeIn } from '../clients/matrix/budget.ts';
import { isFormKnown, listLine, sortKeyOf } from '../clients/matrix/list-line.ts';
import { nameInClient } from '../clients/matrix/prediction.ts';
import { findValue, listItems, stringOf } from '../languages/yaml/node.ts';
import type { Match } from '../matching/rank.ts';
import { findSkillEntry } from '../skill/contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import type { Span } from '../text.ts';
import { decoded, nameFromUri } from '../vocabulary/dialect.ts';
import type { Analysis } from './analysis.ts';
import { isHiddenFromModels, matchSkills } from './match-skills.ts';
import { isDisabledHere } from './permissions.ts';
import { replacedBy } from './replaced-by.ts';
import { targetsOf } from './targets.ts';

export interface RoutingCase {
  readonly request: string;
  /** True if the request must choose the skill, false if it must not. */
  readonly should: boolean;
  readonly span: Span;
}

export interface Routed {
  /** The skill that the request chooses; undefined if the request chooses no skill. */
  readonly winner: Match | undefined;
  /** The reason why the tested skill is left out although the request must choose it; otherwise undefined. */
  readonly leftOut: string | undefined;
  readonly holds: boolean;
  /** False if no request can choose the tested skill, because another skill replaces it or because it is disabled. */
  readonly isApplicable: boolean;
}

/** The maximum number of cases that are checked while the user types, and of UTF-16 code units that are read in a request. */
export const MAX_CHECKED_CASES = 50;
const MAX_REQUEST = 300;

/**
 * Returns the cases under `routing`, and the requests in samples whose `source` is `agent-selected` (docs/matching.md,
 * "Routing cases").
 */
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
  return [...listed('should'), ...listed('should_not'), ...samples];
}

/** Returns the name of the test for a case. */
export const nameOfCase = ({ should, request }: RoutingCase): string =>
  `${should ? 'should' : 'should not'}: ${request}`;

/** Returns the skill that a request chooses, and whether the case of the skill at `uri` holds (docs/matching.md). */
export function route(analysis: Analysis, uri: string, { request, should }: RoutingCase): Routed {
  const query = {
    ...{ request: request.slice(0, MAX_REQUEST), top: 1, from: uri },
    ...({ source: 'agent-selected', isAnywhere: true } as const),
  };
  const [winner] = matchSkills(analysis, query).matches;
  const own = analysis.graph.skills.get(uri);
  const isJudged = own !== undefined && !replacedBy(analysis, own) && !isDisabledHere(analysis, own);
  // Two files may define the same skill, so either file counts as the skill.
  const isOwn = winner?.id === uri || (winner?.name === own?.summary.name && winner?.version === own?.summary.version);
  const holds = (winner !== undefined && isOwn) === should;
  if (holds || !should || !isJudged) return { winner, leftOut: undefined, holds, isApplicable: isJudged };
  const { excluded } = matchSkills(analysis, { ...query, among: new Set([uri]) });
  return { winner, leftOut: excluded[0]?.reason, holds, isApplicable: isJudged };
}

/** Returns a sentence about a case that does not hold. */
export function failureMessage({ request, should }: RoutingCase, { winner, leftOut }: Routed): string {
  if (!should) return `“${request}” must not choose this skill, but chooses it${wordsOf(winner)}.`;
  if (leftOut !== undefined) return `“${request}” must choose this skill, but it is left out: ${leftOut}.`;
  if (!winner) return `“${request}” must choose this skill, but no skill contains its words.`;
  return `“${request}” must choose this skill, but chooses \`${winner.name}\`${wordsOf(winner)}.`;
}

function wordsOf(winner: Match | undefined): string {
  const words = [...new Set((winner?.reasons ?? []).map(({ text }) => text))];
  return words.length === 0
    ? ''
    : ` because of the words ${words
        .slice(0, 5)
        .map((word) => `“${word}”`)
        .join(', ')}`;
}

// The skills that a model chooses from.

/** The list that a model chooses a skill from, and the name of one skill in this list. */
export interface SkillChoice {
  readonly name: string;
  readonly list: string;
}

/**
 * Returns a function that finds the list with the skill at a URI: the list of the first target client that lists the
 * skill and whose form is known, or else a line with name and description for each skill. The function returns
 * undefined if no model may choose the skill (docs/testing.md, "Other tools").
 */
export function skillChoices(analysis: Analysis): (uri: string) => SkillChoice | undefined {
  const lists = new Map<string, string>();
  const listOf = (key: string, make: () => string): string => {
    const list = lists.get(key) ?? make();
    lists.set(key, list);
    return list;
  };
  const mayChoose = (uri: string): boolean => {
    const skill = analysis.graph.skills.get(uri);
    if (!skill || skill.summary.broken || isHiddenFromModels(skill)) return false;
    return !replacedBy(analysis, skill) && !isDisabledHere(analysis, skill);
  };
  return (uri) => {
    if (!mayChoose(uri)) return undefined;
    const subject = analysis.agentSkills.find(uri);
    const clients = subject && !analysis.partial ? targetsOf(analysis, subject).clients : [];
    const client = clients.find(
      (one) => isFormKnown(one) && analysis.listings.skillsOf(one, uri).some((other) => other.uri === uri),
    );
    if (subject && client) {
      return {
        name: nameInClient(client, subject),
        list: listOf(analysis.listings.keyOf(client, uri), () => clientList(analysis, client, uri)),
      };
    }
    const name = analysis.graph.skills.get(uri)?.summary.name ?? nameFromUri(uri);
    return { name, list: listOf('', () => plainList(analysis, mayChoose)) };
  };
}

function clientList(analysis: Analysis, client: Client, uri: string): string {
  const listing = analysis.listings.find(client, uri);
  const subjects = [...analysis.listings.skillsOf(client, uri)].map((subject) => ({
    subject,
    key: sortKeyOf(client, subject),
  }));
  // Paths are relative, so that the text is the same on every machine.
  const roots = analysis.graph.roots.map((root) => `${decoded(root.replace(/^file:\/\//, ''))}/`);
  return subjects
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .flatMap(({ subject }) => {
      const listed = (listing && outcomeIn(listing, subject.uri)) ?? { outcome: 'whole' as const };
      const text = listLine(client, subject, listed, analysis.agentSkills.rivalsOf(client, subject))?.text;
      return text === undefined ? [] : roots.reduce((line, root) => line.replaceAll(root, ''), text);
    })
    .join('\n');
}

function plainList({ graph, index }: Analysis, mayChoose: (uri: string) => boolean): string {
  const lines = [...graph.skills.values()].flatMap(({ uri, summary }) => {
    const description = index.files.get(uri)?.words.description.replace(/\s+/g, ' ').trim() ?? '';
    return mayChoose(uri) ? [`- ${summary.name ?? nameFromUri(uri)}: ${description}`] : [];
  });
  return lines.sort().join('\n');
}
