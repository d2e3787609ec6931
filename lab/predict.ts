/** The predictions of the product about the situations of an observation, from the same files on the disk. */

import type { Client } from '../server/src/clients/facts/client.ts';
import { findClient } from '../server/src/clients/facts/clients.ts';
import { CONTEXT, type Place } from '../server/src/services/observing/observed-client.ts';
import { predictedList, type ReadWorkspace, readWorkspace } from '../server/src/services/observing/predicted-list.ts';
import { clientCalled } from './clients/index.ts';
import { belongsTo } from './messages.ts';
import type { Observation, Seen } from './observation.ts';
import { groupsOf } from './pipeline.ts';
import { compareMany } from './predict-many.ts';
import { MANY } from './situations/index.ts';
import type { Situation } from './situations/situation.ts';
import { writeWorkspace } from './workspace.ts';

/** The result of a comparison of a prediction with an observation. */
export type Verdict =
  | 'right'
  /** The product says that it does not know. */
  | 'unknown'
  /** It says that a skill is in the list that is not in it, or the reverse. */
  | 'wrong-list'
  /** The entry has another text, of which the product says that it is exact. Otherwise this is `unknown`. */
  | 'wrong-text';

export interface Comparison {
  readonly situation: string;
  readonly verdict: Verdict;
  readonly seen: readonly string[];
  readonly predicted: readonly string[];
}

/** A workspace of situations, as the product reads it. */
interface Prepared extends ReadWorkspace {
  readonly place: Place;
  readonly situations: readonly Situation[];
}

/**
 * Compares an observation with the product's prediction.
 *
 * @param folder an empty folder for the workspaces
 * @returns one comparison for each situation whose files are in the workspace, and for each size of the context with
 *   which the long list was seen; none for a client that the product does not know, or whose model was not seen
 */
export async function compare(observation: Observation, folder: string): Promise<readonly Comparison[]> {
  const client = factsOf(observation);
  // The product predicts the list of the model (`compareWith` predicts the client's own list).
  if (!client || clientCalled(observation.client).ownList) return [];
  const comparisons: Comparison[] = [];
  for await (const prepared of prepare(observation, folder)) comparisons.push(...judge(observation, client, prepared));
  if (observation.many.length > 0) {
    const { skills } = clientCalled(observation.client);
    const { project } = await readWorkspace(writeWorkspace(folder, [MANY], skills).workspace);
    const subjects = [...project.workspace.analysis.agentSkills.subjects];
    for (const many of observation.many) {
      const { isRight, seen, predicted } = compareMany(client, subjects, many);
      const situation = `${MANY.id} with a context of ${many.context}`;
      comparisons.push({ situation, verdict: isRight ? 'right' : 'wrong-text', seen: [seen], predicted: [predicted] });
    }
  }
  return comparisons;
}

/** Returns the facts about an observed client; undefined if the product does not know it. */
export const factsOf = ({ client }: Observation): Client | undefined => {
  const { facts = client, skills } = clientCalled(client);
  const known = findClient(facts);
  return known?.framework ? findClient(`${facts}:${skills.project}`) : known;
};

/** Writes and reads the workspaces of an observation, one after the other, without those with files in the home. */
async function* prepare(observation: Observation, folder: string): AsyncGenerator<Prepared> {
  for (const situations of groupsOf(observation)) {
    if (situations.some(({ files, start }) => start !== undefined || Object.keys(files).some(isInHome))) continue;
    const place = writeWorkspace(folder, situations, clientCalled(observation.client).skills);
    yield { place, situations, ...(await readWorkspace(place.workspace)) };
  }
}

/** Compares an observation with the prediction for one workspace and these facts. */
function judge(observation: Observation, client: Client, prepared: Prepared): readonly Comparison[] {
  const { place, situations } = prepared;
  const context = clientCalled(observation.client).context ?? CONTEXT;
  const entries = predictedList(client, prepared, place, context).filter(({ listed }) => listed !== 'no');
  const certain = situations.filter((one) => !isUncertain(observation, one));
  return certain.map((situation): Comparison => {
    const own = entries.filter(({ path, text }) => belongsTo(`${path} ${text}`, situation));
    const predicted = own.map(({ text }) => text);
    const seen = seenIn(observation, situation);
    return { situation: situation.id, verdict: verdictOf(seen, own), seen: seen.flat(), predicted };
  });
}

/** Returns true if a skill may be absent because a run failed. */
function isUncertain({ lists, situations }: Observation, { id }: Situation): boolean {
  const entries = situations[id]?.entries ?? [];
  const isAbsent = 'varies' in entries || entries.length === 0;
  return isAbsent && lists.some((list) => list.situations.includes(id) && list.faults && !list.place);
}

const isInHome = (path: string): boolean => path.startsWith('~/') || path.startsWith('home:');

/** Returns the entries of a situation, once for each result that was seen. */
function seenIn({ situations }: Observation, { id }: Situation): readonly (readonly string[])[] {
  const entries: Seen<readonly string[]> = situations[id]?.entries ?? [];
  return 'varies' in entries ? entries.varies : [entries];
}

function verdictOf(
  seen: readonly (readonly string[])[],
  predicted: readonly { readonly listed: string; readonly text: string; readonly isExact: boolean }[],
): Verdict {
  if (predicted.some(({ listed }) => listed === 'unknown')) return 'unknown';
  const sameCount = seen.filter((entries) => entries.length === predicted.length);
  if (sameCount.length === 0) return 'wrong-list';
  const isSame = ({ text }: { readonly text: string }, entries: readonly string[]): boolean =>
    entries.some((entry) => entry.trim() === text.trim());
  const differ = (one: { readonly text: string }): boolean => !sameCount.some((entries) => isSame(one, entries));
  const different = predicted.filter(differ);
  if (different.length === 0) return 'right';
  return different.some(({ isExact }) => isExact) ? 'wrong-text' : 'unknown';
}
