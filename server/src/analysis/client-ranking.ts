/**
 * Ranks the skills that one client lists, by the names and descriptions that its model sees (docs/clients.md, "Will it be
 * chosen?"). No model is involved, so the ranking only estimates what a model chooses.
 */

import type { Client } from '../clients/facts/client.ts';
import type { AgentSkills } from '../clients/matrix/agent-skills.ts';
import { outcomeOfEntry } from '../clients/matrix/budget.ts';
import { type ListedAs, type ListLine, listLine, sortKeyOf, writtenDescription } from '../clients/matrix/list-line.ts';
import { nameInClient } from '../clients/matrix/prediction.ts';
import type { RivalFiles } from '../clients/matrix/rivals.ts';
import type { Subject } from '../clients/matrix/subject.ts';
import { type Match, type Ranking, rank } from '../matching/rank.ts';
import { SearchIndex } from '../matching/search-index.ts';
import { termsOf } from '../matching/words.ts';
import { isEqualData, type SkillWords } from '../skill/summary.ts';
import type { Catalog } from '../workspace/catalog.ts';
import type { Listings } from './listings.ts';

/** A skill in the list of a client. */
export interface ShownSkill {
  readonly subject: Subject;
  readonly listedAs: ListedAs;
  /** The other skills that may have the same name. */
  readonly others: readonly Subject[];
  readonly name: string;
  /** The entry in the list. */
  readonly line: ListLine;
  /** The part of the description that the client shows. */
  readonly shown: string;
  /** The part of the description that the client cuts. */
  readonly hidden: string;
}

/** The data that the lists are made from. */
interface ListSource {
  readonly listings: Listings;
  readonly agentSkills: AgentSkills;
  findCatalog(uri: string): Catalog | undefined;
}

/** The skills in the list of a client, by URI, in the order of the list if it is known. */
export interface ClientList {
  readonly skills: ReadonlyMap<string, ShownSkill>;
  readonly search: SearchIndex;
}

/**
 * Keeps the list that was requested last. The next request updates it for the skills whose entries have changed, so that
 * an edit costs one entry of the search index.
 */
export class ClientLists {
  #last: { readonly client: Client; readonly folder: string | undefined; readonly list: ClientList } | undefined;

  /** Returns the list of a client that contains the skill at `uri`, or would contain it. */
  find(analysis: ListSource, client: Client, uri: string): ClientList {
    const folder = analysis.findCatalog(uri)?.uri;
    const before = this.#last?.client === client && this.#last.folder === folder ? this.#last.list : undefined;
    const listing = analysis.listings.find(client, uri);
    const entries = new Map(listing?.entries.inOrder.map((entry) => [entry.uri, entry]));
    const found: ShownSkill[] = [];
    for (const subject of analysis.listings.skillsOf(client, uri)) {
      const entry = entries.get(subject.uri);
      const listedAs = listing && entry ? outcomeOfEntry(listing, entry) : WHOLE;
      const known = before?.skills.get(subject.uri);
      const others = analysis.agentSkills.alike(subject);
      const rivals = analysis.agentSkills.rivalsOf(client, subject);
      const isSame =
        known?.subject === subject && isEqualData(known.listedAs, listedAs) && isSameList(known.others, others);
      const skill = isSame ? known : shownSkill(client, { subject, listedAs, others }, rivals);
      if (skill) found.push(skill);
    }
    const keyOf = ({ subject }: ShownSkill): string => sortKeyOf(client, subject);
    const skills = new Map(
      found
        .sort((a, b) => inOrder(keyOf(a), keyOf(b)) || inOrder(a.subject.uri, b.subject.uri))
        .map((one) => [one.subject.uri, one]),
    );
    const search = before?.search ?? new SearchIndex();
    for (const known of before?.skills.keys() ?? []) if (!skills.has(known)) search.set(known, undefined);
    for (const [own, skill] of skills) {
      const known = before?.skills.get(own);
      if (known?.name !== skill.name || known.shown !== skill.shown) search.set(own, searchable(skill));
    }
    this.#last = { client, folder, list: { skills, search } };
    return this.#last.list;
  }
}

const WHOLE: ListedAs = { outcome: 'whole' };

const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const isSameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((one, at) => one === b[at]);

/** Returns undefined if the list drops the skill. */
function shownSkill(
  client: Client,
  { subject, listedAs, others }: Pick<ShownSkill, 'subject' | 'listedAs' | 'others'>,
  rivals: RivalFiles,
): ShownSkill | undefined {
  const line = listLine(client, subject, listedAs, rivals);
  if (!line) return undefined;
  const characters = [...writtenDescription(client, subject)];
  return {
    ...{ subject, listedAs, others, line, name: nameInClient(client, subject) },
    shown: characters.slice(0, line.shown).join(''),
    hidden: characters.slice(line.shown).join(''),
  };
}

const searchable = ({ name, shown }: ShownSkill) => ({
  name,
  version: undefined,
  words: { ...NO_WORDS, description: shown },
});

const NO_WORDS: SkillWords = {
  description: '',
  whenToUse: '',
  tags: [],
  triggerPhrases: [],
  intentPatterns: [],
  hasRoutingCases: false,
  hasSamples: false,
  hasOwner: false,
};

/** A rival of a skill, or the skill itself, in a ranking. */
export interface RankedSkill {
  readonly uri: string;
  readonly name: string;
  /** From 0 to 1. */
  readonly score: number;
  /** The words of the request that the shown text contains, in lower case. */
  readonly words: readonly string[];
}

/**
 * A word that decides between two skills. `missing`: only the winner contains it. `cut`: the other skill contains it only
 * in the part that the client cuts. `name`: only the winner has it in its name. `weight`: both contain it, and it weighs
 * more in the text of the winner, which is shorter or repeats it.
 */
export interface DecisiveWord {
  readonly word: string;
  readonly why: 'missing' | 'cut' | 'name' | 'weight';
}

export interface RequestRanking {
  /** The best skills, best first. */
  readonly ranked: readonly RankedSkill[];
  /** The 1-based rank of the skill; undefined if it has no word of the request, or ranks below `MAX_RANK`. */
  readonly place: number | undefined;
  /** True if the shown text of the skill contains a word of the request. */
  readonly hasWords: boolean;
  /** True if no skill matches well enough to say that the request selects it. */
  readonly isWeak: boolean;
  /** True if the scores of the first two skills differ too little to decide between them. */
  readonly isTie: boolean;
  /** The best skill other than the own skill, if it ranks above the own skill or as a tie. */
  readonly rival: RankedSkill | undefined;
  /** The words that decide: against the rival, or for the own skill if it ranks first. */
  readonly decisive: readonly DecisiveWord[];
}

/** The lowest rank that is computed. */
export const MAX_RANK = 50;
/** The number of skills in a result. */
const TOP = 5;

/**
 * Ranks the skills of a list for a request.
 *
 * @param own The URI of the skill whose rank is wanted.
 * @param margin The smallest difference between two scores that decides (docs/matching.md, "Ambiguous").
 */
export function rankForRequest(list: ClientList, request: string, own: string, margin: number): RequestRanking {
  const find = (isCandidate: (id: string) => boolean): Ranking =>
    rank(list.search, request, { top: MAX_RANK, marginOf: () => margin, isCandidate, exclude: () => undefined });
  const { matches, isWeak } = find(() => true);
  const at = matches.findIndex(({ id }) => id === own);
  const [first, second] = matches;
  const isTie = second?.ambiguous === true && (at < 0 || matches[at]?.ambiguous === true);
  const ownMatch = matches[at] ?? find((id) => id === own).matches[0];
  const rival = at === 0 && !isTie ? undefined : at === 0 ? second : first;
  const [winner, other] = at === 0 ? [ownMatch, second] : [first, ownMatch];
  return {
    ranked: matches.slice(0, TOP).map(rankedSkill),
    place: at < 0 ? undefined : at + 1,
    hasWords: ownMatch !== undefined,
    isWeak,
    isTie,
    rival: rival && rankedSkill(rival),
    decisive: winner ? decisiveWords(winner, other, list.skills.get(at === 0 ? (other?.id ?? '') : own)) : [],
  };
}

const rankedSkill = ({ id, name, score, reasons }: Match): RankedSkill => ({
  uri: id,
  name,
  score,
  words: [...new Set(reasons.map(({ text }) => text.toLowerCase()))],
});

/** Returns the words for which the winner ranks above the other skill. `other` is undefined if it has no word. */
function decisiveWords(
  { reasons }: Match,
  other: Match | undefined,
  loser: ShownSkill | undefined,
): readonly DecisiveWord[] {
  const words = new Map<string, { readonly word: string; isInName: boolean }>();
  for (const { field, text } of reasons) {
    const key = keyOf(text);
    const known = words.get(key) ?? { word: text.toLowerCase(), isInName: false };
    words.set(key, { ...known, isInName: known.isInName || field === 'name' });
  }
  const theirs = new Set(other?.reasons.map(({ text }) => keyOf(text)));
  const theirName = new Set(other?.reasons.flatMap(({ field, text }) => (field === 'name' ? [keyOf(text)] : [])));
  const cut = new Set(termsOf(loser?.hidden ?? '').map(({ key }) => key));
  const all = [...words];
  const missing = all.flatMap(([key, { word }]): readonly DecisiveWord[] =>
    theirs.has(key) ? [] : [{ word, why: cut.has(key) ? 'cut' : 'missing' }],
  );
  if (missing.length > 0) return missing;
  const named = all.filter(([key, { isInName }]) => isInName && !theirName.has(key));
  const rest = named.length > 0 ? named : all;
  return rest.map(([, { word }]) => ({ word, why: named.length > 0 ? 'name' : 'weight' }));
}

const keyOf = (text: string): string => termsOf(text)[0]?.key ?? text;
