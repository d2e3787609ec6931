/** The results of a client's steps for the skills of a workspace. */

import { folderOf } from '../../vocabulary/dialect.ts';
import type { Client } from '../facts/client.ts';
import { clients } from '../facts/clients.ts';
import type { ClientFile } from '../pipeline/file.ts';
import type { Found, SkillsFolder } from '../pipeline/find.ts';
import { OBSERVED, type Pipeline } from '../pipeline/pipeline.ts';
import { pipelineOf } from '../pipeline/pipelines.ts';
import { isLost, Loader, namesOf, type Prediction, predictOne, type Surroundings } from '../pipeline/predict.ts';
import type { Result } from '../pipeline/setting.ts';
import { stepOf } from './causes.ts';
import { placeIn } from './client-folders.ts';
import { folderName, type Subject, textOf } from './subject.ts';

/**
 * Returns the names of the files `SKILL.md`, in any letter case, in a folder, given by its URI; for a URI that ends with
 * `/*`, those of some files below the folder.
 */
export type SkillNamesIn = (folder: string) => readonly string[];

/** Returns the steps of a client. */
export function stepsOf({ id }: Client): Pipeline {
  const pipeline = pipelineOf(id);
  if (!pipeline) throw new Error(`no steps for ${id}`);
  return pipeline;
}

/** Returns whether a client was run, so that its steps are observed. */
export const isObserved = (client: Client): boolean => stepsOf(client).known.parse?.source === OBSERVED;

/**
 * Returns what a client does with a skill: one result if all is known, several if settings that are unknown, vary or can
 * be chosen make a difference; undefined if these are too many.
 *
 * @param loader loads the skills, perhaps with what it remembers about the rivals
 * @param files the skill and the others that the client may find together with it (`Rivals.groupOf`)
 */
export const predictionsFor = (
  loader: Loader,
  subject: Subject,
  files: readonly ClientFile[] = [],
): readonly Result<Prediction>[] | undefined => predictOne(loader, subject.file, files, { entries: false });

/** Returns a loader of the skills of a client, wherever the client is started. */
export const loaderFor = (client: Client, namesIn: SkillNamesIn): Loader =>
  new Loader(stepsOf(client), surroundingsOf(client, undefined, namesIn));

/** Returns true if the client finds the file in the file's current folder. */
export function isFoundInPlace(client: Client, subject: Subject): boolean {
  const placed = placeIn(client, subject);
  const results = predictionsFor(
    loaderFor(client, () => []),
    subject,
  );
  return (
    placed !== undefined &&
    !placed.dir.conditional &&
    results?.every(({ value }) => !isLost(value) || stepOf(value) !== 'find') === true
  );
}

/**
 * Returns the name of a skill in a client: its `name` or its folder if the client does not load it.
 *
 * @param loader one that has perhaps loaded the skill before
 */
export function nameInClient(client: Client, subject: Subject, loader = loaderFor(client, () => [])): string {
  return namesOf(loader, subject.file)[0] ?? writtenName(client, subject);
}

/** Returns the name in a file, or that of its folder for a client that takes no other. */
export function writtenName(client: Client, subject: Subject): string {
  const isFolder = stepsOf(client).fields.name.from === 'folder';
  return (isFolder ? undefined : textOf(subject, 'name')?.text.trim()) ?? folderName(subject);
}

/**
 * Returns the client's folders in a workspace. The client is started in the folder above its folder with the skill.
 *
 * @param subject undefined if it makes no difference where the client is started, because no entries are asked for
 */
export function surroundingsOf(client: Client, subject: Subject | undefined, namesIn: SkillNamesIn): Surroundings {
  const base = ['', ...((subject && placeIn(client, subject)?.base) ?? [])].join('/');
  return {
    place: { start: base, repository: base, ...homeIn(base) },
    placeOf: ({ path }) => placeOf(client, path),
    skillsIn: (folder, { path, uri = '' }) => {
      const below = folder.endsWith('/skills/*') ? '/skills/*' : '';
      let above = folderOf(uri);
      const depth = folder.slice(0, folder.length - below.length).split('/').length;
      for (let up = path.split('/').length - 1 - depth; up > 0; up--) above = folderOf(above);
      return namesIn(above + below);
    },
    // The client's own skills and those of the user are in folders of their own.
    nameOfRoot: () => 'r1',
  };
}

/** The usual places of a user's home. */
const HOME = /^(?:\/(?:home|Users)\/[^/]+|\/[a-z]:\/Users\/[^/]+)(?=\/|$)/i;

/** Returns the home of the user above a folder, as far as its path tells. */
function homeIn(folder: string): { readonly home?: string } {
  const [home] = HOME.exec(folder) ?? [];
  return home === undefined ? {} : { home };
}

/** Returns the place of a path in a client's folder of a workspace, as if it was installed if it is in none. */
function placeOf(client: Client, path: string): Found {
  const folders = path.split('/').slice(1, -1);
  const placed = placeIn(client, { folders });
  const depth = placed?.depth ?? 1;
  const root = ['', ...folders.slice(0, Math.max(0, folders.length - depth))].join('/');
  const { rank, folder } = (placed && foldersOf(client)[placed.rank]) ?? PLAIN_FOLDER;
  const known = stepsOf(client).find.folders;
  return { rank: rank ?? known.length + (placed?.rank ?? 0), folder, root, rest: path.slice(root.length + 1) };
}

/** A folder of a client with its rank among those of the steps; without a rank if the steps do not name it. */
interface RankedFolder {
  readonly rank?: number;
  readonly folder: SkillsFolder;
}

const PLAIN_FOLDER: RankedFolder = { folder: { scope: 'project', at: 'start', path: '' } };

/** The folders of each client, in the order of its facts. */
const FOLDERS: ReadonlyMap<Client, readonly RankedFolder[]> = new Map(
  clients.map((client) => [client, rankedFolders(client)]),
);

const foldersOf = (client: Client): readonly RankedFolder[] => FOLDERS.get(client) ?? rankedFolders(client);

function rankedFolders(client: Client): readonly RankedFolder[] {
  const known = stepsOf(client).find.folders;
  return client.dirs.value.map((dir): RankedFolder => {
    const isIt = ({ at, path }: SkillsFolder): boolean => path === dir.path && at !== 'home' && at !== 'below';
    const rank = known.findIndex(isIt);
    if (rank < 0) return { folder: { ...PLAIN_FOLDER.folder, path: dir.path } };
    // Another column says whether a folder is read only with a setting.
    const { conditional: _, ...folder } = known[rank] as SkillsFolder;
    return { rank, folder };
  });
}
