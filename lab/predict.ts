/** The predictions of the product about the situations of an observation, from the same files on the disk. */
import { listLine } from '../server/src/agent-skills/list-line.ts';
import { subjectOf } from '../server/src/agent-skills/subject.ts';
import { linkedSkills, openProject } from '../server/src/io/project.ts';
import { NO_PROGRESS } from '../server/src/io/stderr.ts';
import { findClient } from '../server/src/vocabulary/clients.ts';
import { clientCalled } from './clients/index.ts';
import type { Observation, Seen } from './observation.ts';
import { belongsTo, tidied } from './read-list.ts';
import { ALONE, READING } from './situations/index.ts';
import type { Situation } from './situations/situation.ts';
import { writeWorkspace } from './workspace.ts';

/** How a prediction compares with an observation. */
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

/**
 * Compares an observation with the product's prediction.
 *
 * @param folder an empty folder for the workspaces
 * @returns one comparison for each situation whose files are in the workspace; none for a client that the product does
 *   not know
 */
export async function compare(observation: Observation, folder: string): Promise<readonly Comparison[]> {
  const { facts = observation.client, skills } = clientCalled(observation.client);
  const client = findClient(facts);
  if (!client) return [];
  const comparisons: Comparison[] = [];
  for (const situations of workspacesOf(observation)) {
    if (situations.some(({ files, start }) => start !== undefined || Object.keys(files).some(isInHome))) continue;
    const place = writeWorkspace(folder, situations, skills);
    const project = await openProject({
      cwd: place.workspace,
      paths: [],
      config: undefined,
      progress: NO_PROGRESS,
      mayBeEmpty: true,
    });
    const { analysis } = project.workspace;
    const linked = await linkedSkills(project);
    const links = new Map(linked.map(({ file, link }) => [file.uri, link]));
    const files = [
      ...linked.map(({ file }) => file),
      ...[...project.named].flatMap((uri) => (links.has(uri) ? [] : (analysis.file(uri) ?? []))),
    ];
    const entries = files.flatMap((file) => {
      const { agentSkill } = file.summary;
      const [row] = analysis.agentSkills.rowsOf(file, [client], (uri) => links.get(uri) ?? analysis.findLink(uri));
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
    for (const situation of situations) {
      const own = entries.filter(({ file, text }) => belongsTo(`${file} ${text}`, situation));
      const predicted = own.map(({ text }) => text);
      const seen = seenIn(observation, situation);
      comparisons.push({ situation: situation.id, verdict: verdictOf(seen, own), seen: seen.flat(), predicted });
    }
  }
  return comparisons;
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
