/** The ranking of the skills in the list of a client for a request. */

import { type ClientList, type DecisiveWord, MAX_RANK, rankForRequest } from '../../analysis/client-ranking.ts';
import type { Client } from '../../clients/facts/client.ts';
import { listed } from '../../nearest.ts';
import { type ChainCase, formatShare, type RequestRanking } from '../../protocol/chosen.ts';
import type { Span } from '../../text.ts';
import { decoded, folderOf } from '../../vocabulary/dialect.ts';

/** A request that must, or must not, choose the skill, with its location in the skill or in a file of `evals/`. */
export interface ChosenCase {
  readonly request: string;
  readonly should: boolean;
  readonly uri: string;
  readonly span: Span;
}

/** The text is about words, because no model takes part. */
export function rankingFor(
  list: ClientList,
  client: Client,
  request: string,
  uri: string,
  margin: number,
): RequestRanking {
  const { ranked, place, hasWords, isWeak, isTie, rival, decisive } = rankForRequest(list, request, uri, margin);
  const [nearest] = ranked;
  const outcome = !nearest ? 'none' : isWeak ? 'weak' : place === 1 && !isTie ? 'chosen' : isTie ? 'tie' : 'rival';
  const words = decisive.slice(0, MAX_WORDS).map(({ word }) => word);
  // Shows the folder of a skill with the same name.
  const isNamesake = rival !== undefined && rival.name === list.skills.get(uri)?.name;
  const other = `\`${rival?.name}\`${isNamesake ? ` in \`${shortFolder(rival.uri)}\`` : ''}`;
  const text =
    outcome === 'none'
      ? 'No skill in the list contains a word of this request.'
      : outcome === 'weak'
        ? `No skill in the list matches this request well. The nearest is \`${nearest?.name}\`, with ${formatShare(nearest?.score ?? 0)}.`
        : outcome === 'chosen'
          ? `The skill ranks first${ranked.length > 1 ? `, because of ${quoted(words)}` : '. No other skill contains a word of the request'}.`
          : outcome === 'tie'
            ? `The scores of this skill and ${other} are too close to decide.`
            : `${other} ranks first. ${whyText(decisive, client)}${placeText(place, hasWords)}`;
  return {
    request,
    outcome,
    ...(place !== undefined && { place }),
    ranked,
    ...(rival && { rival }),
    decisive,
    text,
  };
}

const shortFolder = (uri: string): string => decoded(folderOf(uri)).split('/').slice(-3).join('/');

/** The maximum number of words that a sentence names. */
const MAX_WORDS = 5;

const quoted = (words: readonly string[]): string => listed(words.map((word) => `“${word}”`));

function placeText(place: number | undefined, hasWords: boolean): string {
  if (place !== undefined) return ` This skill ranks at position ${place}.`;
  return hasWords ? ` This skill ranks below ${MAX_RANK}.` : ' This skill has no word of the request.';
}

/** Says which words decide for the rival. */
function whyText(decisive: readonly DecisiveWord[], { name }: Client): string {
  const by = (why: DecisiveWord['why']): readonly string[] =>
    decisive.flatMap((one) => (one.why === why ? [one.word] : [])).slice(0, MAX_WORDS);
  const [missing, cut, named, heavy] = [by('missing'), by('cut'), by('name'), by('weight')];
  return [
    ...(missing.length > 0 ? [`Only its text contains ${quoted(missing)}.`] : []),
    ...(cut.length > 0 ? [`This skill has ${quoted(cut)} only in the part that ${name} cuts.`] : []),
    ...(named.length > 0 ? [`Its name contains ${quoted(named)}.`] : []),
    ...(heavy.length > 0 ? [`Both texts contain ${quoted(heavy)}, but its text is shorter or repeats them.`] : []),
  ].join(' ');
}

export function caseFor({ should, uri, span: at }: ChosenCase, ranking: RequestRanking): ChainCase {
  // A tie counts as in `routing-fails`: the skill that ranks first is chosen.
  return { ...ranking, should, holds: (ranking.place === 1) === should, at: { uri, span: at } };
}
