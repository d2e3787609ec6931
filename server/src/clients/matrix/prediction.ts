/** The results of a client's steps for the skills of a workspace. */

import { folderOf } from '../../vocabulary/dialect.ts';
import type { Client } from '../facts/client.ts';
import type { Found, SkillsFolder } from '../pipeline/find.ts';
import { OBSERVED, type Pipeline } from '../pipeline/pipeline.ts';
import { pipelineOf } from '../pipeline/pipelines.ts';
import { isLost, namesOf, type Prediction, predictOne, type Surroundings } from '../pipeline/predict.ts';
import type { Result } from '../pipeline/setting.ts';
import { stepOf } from './causes.ts';
import { placeIn } from './client-folders.ts';
import { folderName, type Subject, textOf } from './subject.ts';

/** Returns the names of the files `SKILL.md`, in any letter case, in a folder, given by its URI. */
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
 * @param others other skills that can have the same name
 */
export const predictionsFor = (
  client: Client,
  subject: Subject,
  others: readonly Subject[],
  namesIn: SkillNamesIn,
): readonly Result<Prediction>[] | undefined => {
  const rivals = rivalsOf(client, subject, others);
  return predictOne(
    stepsOf(client),
    surroundingsOf(client, [subject, ...rivals], namesIn),
    subject.file,
    rivals.map(({ file }) => file),
    { entries: false },
  );
};

/** Returns true if the client finds the file in the file's current folder. */
export function isFoundInPlace(client: Client, subject: Subject): boolean {
  const placed = placeIn(client, subject);
  const results = predictionsFor(client, subject, [], () => []);
  return (
    placed !== undefined &&
    !placed.dir.conditional &&
    results?.every(({ value }) => !isLost(value) || stepOf(value) !== 'find') === true
  );
}

/** Returns the other skills that the client may find together with a skill. */
export function rivalsOf(client: Client, subject: Subject, others: readonly Subject[]): readonly Subject[] {
  const own = others.length > 0 ? placeIn(client, subject) : undefined;
  if (!own || own.dir.conditional) return [];
  return others.filter((other) => {
    const placed = other.uri === subject.uri ? undefined : placeIn(client, other);
    // Folders of the same kind with different parents belong to different projects.
    const isOfOtherProject = placed?.rank === own.rank && placed.base.join('/') !== own.base.join('/');
    return placed !== undefined && !placed.dir.conditional && !isOfOtherProject;
  });
}

/** Returns the name of a skill in a client: its `name` or its folder if the client does not load it. */
export function nameInClient(client: Client, subject: Subject): string {
  const [name] = namesOf(
    stepsOf(client),
    surroundingsOf(client, [subject], () => []),
    subject.file,
  );
  return name ?? writtenName(client, subject);
}

/** Returns the name in a file, or that of its folder for a client that takes no other. */
export function writtenName(client: Client, subject: Subject): string {
  const isFolder = stepsOf(client).fields.name.from === 'folder';
  return (isFolder ? undefined : textOf(subject, 'name')?.text.trim()) ?? folderName(subject);
}

/** Returns the client's folders around some skills. The client is started in the folder above its folder. */
export function surroundingsOf(client: Client, subjects: readonly Subject[], namesIn: SkillNamesIn): Surroundings {
  const [subject] = subjects;
  const base = ['', ...((subject && placeIn(client, subject)?.base) ?? [])].join('/');
  return {
    place: { start: base, repository: base, ...homeIn(base) },
    placeOf: ({ path }) => placeOf(client, path),
    skillsIn: (folder) => {
      const near = subjects.find(({ file }) => file.path.startsWith(`${folder}/`));
      if (!near) return [];
      let uri = folderOf(near.uri);
      for (let up = near.folders.length + 1 - folder.split('/').length; up > 0; up--) uri = folderOf(uri);
      return namesIn(uri);
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
  const known = stepsOf(client).find.folders;
  const at = placed ? known.findIndex((folder) => isFolder(folder, placed.dir.path)) : -1;
  // Another column says whether a folder is read only with a setting.
  const { conditional: _, ...folder } = known[at] ?? { ...PLAIN_FOLDER, path: placed?.dir.path ?? '' };
  return { rank: at < 0 ? known.length + (placed?.rank ?? 0) : at, folder, root, rest: path.slice(root.length + 1) };
}

const isFolder = ({ at, path }: SkillsFolder, asked: string): boolean =>
  path === asked && at !== 'home' && at !== 'below';

const PLAIN_FOLDER = { scope: 'project', at: 'start' } as const;
