/** The predictions of the product about the situations of an observation, from the same files on the disk. */

import type { Client } from '../server/src/clients/facts/client.ts';
import { findClient } from '../server/src/clients/facts/clients.ts';
import { listLine } from '../server/src/clients/matrix/list-line.ts';
import { type FindLink, subjectOf } from '../server/src/clients/matrix/subject.ts';
import { linkedSkills, openProject, type Project } from '../server/src/io/project.ts';
import { NO_PROGRESS } from '../server/src/io/stderr.ts';
import type { SkillFile } from '../server/src/skill/skill-file.ts';
import { clientCalled } from './clients/index.ts';
import type { Observation, Seen } from './observation.ts';
import { compareMany } from './predict-many.ts';
import { belongsTo, tidied } from './read-list.ts';
import { ALONE, MANY, READING } from './situations/index.ts';
import type { Situation } from './situations/situation.ts';
import { type Place, writeWorkspace } from './workspace.ts';

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

/** The files of a workspace, as the product reads them. They do not depend on the facts about a client. */
export interface Prepared {
  readonly place: Place;
  readonly situations: readonly Situation[];
  readonly project: Project;
  readonly files: readonly SkillFile[];
  readonly findLink: FindLink;
}

/**
 * Compares an observation with the product's prediction.
 *
 * @param folder an empty folder for the workspaces
 * @returns one comparison for each situation whose files are in the workspace, and for each size of the context with
 *   which the long list was seen; none for a client that the product does not know
 */
export async function compare(observation: Observation, folder: string): Promise<readonly Comparison[]> {
  const client = factsOf(observation);
  if (!client) return [];
  const comparisons: Comparison[] = [];
  for await (const prepared of prepare(observation, folder)) comparisons.push(...judge(observation, client, prepared));
  if (observation.many.length > 0) {
    const { skills } = clientCalled(observation.client);
    const project = await openWorkspace(writeWorkspace(folder, [MANY], skills));
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
  const { facts = client } = clientCalled(client);
  return findClient(facts);
};

/** Writes and reads the workspaces of an observation, one after the other, without those with files in the home. */
async function* prepare(observation: Observation, folder: string): AsyncGenerator<Prepared> {
  for (const situations of workspacesOf(observation)) {
    if (situations.some(({ files, start }) => start !== undefined || Object.keys(files).some(isInHome))) continue;
    const place = writeWorkspace(folder, situations, clientCalled(observation.client).skills);
    const project = await openWorkspace(place);
    const { analysis } = project.workspace;
    const linked = await linkedSkills(project);
    const links = new Map(linked.map(({ file, link }) => [file.uri, link]));
    // A link and its target count as one skill.
    const targets = new Set(linked.map(({ link }) => link.target));
    const isCounted = (uri: string): boolean => links.has(uri) || targets.has(uri);
    const files = [
      ...linked.map(({ file }) => file),
      ...[...project.named].flatMap((uri) => (isCounted(uri) ? [] : (analysis.file(uri) ?? []))),
    ];
    yield { place, situations, project, files, findLink: (uri) => links.get(uri) ?? analysis.findLink(uri) };
  }
}

/** Compares an observation with the prediction for one workspace and these facts. */
function judge(
  observation: Observation,
  client: Client,
  { place, situations, project, files, findLink }: Prepared,
): readonly Comparison[] {
  const { agentSkills } = project.workspace.analysis;
  const entries = files.flatMap((file) => {
    const { agentSkill } = file.summary;
    const [row] = agentSkills.rowsOf(file, [client], findLink);
    if (!agentSkill || !row || row.listed.outcome === 'no') return [];
    const listed = row.found.outcome === 'unknown' ? 'unknown' : row.listed.outcome;
    const line = listLine(client, subjectOf(file.uri, agentSkill), { outcome: 'whole' });
    return [
      {
        file: project.fileOf(file.uri),
        listed,
        text: tidied(line?.text ?? '', place),
        isExact: line?.isExact ?? false,
      },
    ];
  });
  const certain = situations.filter((one) => !isUncertain(observation, one));
  return certain.map((situation): Comparison => {
    const own = entries.filter(({ file, text }) => belongsTo(`${file} ${text}`, situation));
    const predicted = own.map(({ text }) => text);
    const seen = seenIn(observation, situation);
    return { situation: situation.id, verdict: verdictOf(seen, own), seen: seen.flat(), predicted };
  });
}

const openWorkspace = ({ workspace }: Place) =>
  openProject({ cwd: workspace, paths: [], config: undefined, progress: NO_PROGRESS, mayBeEmpty: true });

/** Returns true if a skill may be absent because a run failed. */
function isUncertain({ lists, situations }: Observation, { id }: Situation): boolean {
  const entries = situations[id]?.entries ?? [];
  const isAbsent = 'varies' in entries || entries.length === 0;
  return isAbsent && lists.some((list) => list.situations.includes(id) && list.faults && !list.place);
}

/** Returns the observed situations by workspace. Those that do not affect each other share one. */
function workspacesOf({ situations }: Observation): readonly (readonly Situation[])[] {
  const isObserved = ({ id }: Situation): boolean => situations[id] !== undefined;
  return [READING.filter(isObserved), ...ALONE.filter(isObserved).map((one) => [one])].filter(
    ({ length }) => length > 0,
  );
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
