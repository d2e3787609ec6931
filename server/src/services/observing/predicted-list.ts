/** The entries that the product predicts for the list of a client, from the files on the disk. */
import type { Client } from '../../clients/facts/client.ts';
import { outcomeIn } from '../../clients/matrix/budget.ts';
import type { ClientRow, YesNo } from '../../clients/matrix/cell.ts';
import { placeIn } from '../../clients/matrix/client-folders.ts';
import { type ListedAs, listLine } from '../../clients/matrix/list-line.ts';
import { openProject, type Project } from '../../io/project.ts';
import { NO_PROGRESS } from '../../io/stderr.ts';
import { SkillFile } from '../../skill/skill-file.ts';
import type { Place } from './observed-client.ts';
import { tidied } from './read-list.ts';

/** The skills of a workspace, as the product reads them. They do not depend on the facts about a client. */
export interface ReadWorkspace {
  readonly project: Project;
}

/** Reads a workspace, also the skills behind its links. */
export const readWorkspace = async (workspace: string): Promise<ReadWorkspace> => ({
  project: await openProject({
    ...{ cwd: workspace, paths: [], config: undefined, progress: NO_PROGRESS },
    ...{ mayBeEmpty: true, readsOutside: true },
  }),
});

/** The prediction about one skill. */
export interface PredictedSkill {
  readonly file: SkillFile;
  /** The path in the workspace. */
  readonly path: string;
  readonly row: ClientRow;
  readonly listed: YesNo;
  /** The entry, without the paths of the run; empty if it is not listed. */
  readonly text: string;
  /** False if the text is an estimate. */
  readonly isExact: boolean;
}

/**
 * Predicts the list of a client.
 *
 * @param context the size of the model's context in tokens; undefined for a list that nothing shortens
 */
export function predictedList(
  client: Client,
  { project }: ReadWorkspace,
  place: Place,
  context?: number,
): readonly PredictedSkill[] {
  if (context !== undefined) project.workspace.apply({ kind: 'model', model: context });
  const { analysis } = project.workspace;
  return [...analysis.agentSkills.subjects].flatMap((subject) => {
    const { uri } = subject;
    const file = analysis.clientFile(uri);
    // A client that finds one file at several paths may list it once.
    const atPath = placeIn(client, subject) ? analysis.agentSkills.isListed(subject, client) : 'no';
    const [row] = file ? analysis.clientRows(file, [client]) : [];
    if (!file || !row) return [];
    const listing = context === undefined ? undefined : analysis.listings.find(client, uri);
    const as: ListedAs = (listing && outcomeIn(listing, uri)) ?? { outcome: 'whole' };
    // The client was started in the workspace folder.
    const isOutside = atPath === 'no' || row.start !== undefined;
    const isListed = !isOutside && row.listed.outcome !== 'no' && as.outcome !== 'dropped';
    const isKnown = row.found.outcome !== 'unknown' && atPath !== 'unknown' && as.outcome !== 'maybe';
    const rivals = analysis.agentSkills.rivalsOf(client, subject);
    const line = isListed ? listLine(client, subject, as, rivals) : undefined;
    return [
      {
        file: new SkillFile(uri, file.text),
        path: project.fileOf(uri),
        row,
        listed: !isListed ? 'no' : isKnown ? row.listed.outcome : 'unknown',
        text: tidied(line?.text ?? '', place),
        isExact: line?.isExact ?? false,
      },
    ];
  });
}
