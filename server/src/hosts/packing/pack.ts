/** Skills as an archive: the same bytes for the same files (docs/installing.md, "Packing"). */
import { placeFiles } from '../../packing/placing.ts';
import { UserError } from '../user-error.ts';
import { writeArchive } from './archive.ts';
import { type Collected, collect, type Wanted } from './collect.ts';
import type { FolderAccess } from './folder-access.ts';
import type { Source } from './source.ts';

export interface Packed {
  readonly bytes: Uint8Array;
  /** The paths in the archive, in their order. */
  readonly paths: readonly string[];
  readonly collected: Collected;
}

export interface PackJob {
  /** Paths below it are paths in the archive. */
  readonly place: FolderAccess;
  /** The archive, as the place names it. */
  readonly out: string;
  /** The skills that are meant, of all paths. */
  readonly wanted: (paths: readonly string[]) => ReadonlySet<string>;
  /** The files and folders that the user has named, below the place; the place itself is empty. */
  readonly places: readonly string[];
  /** What is packed, as messages call it. */
  readonly shown: string;
}

/** Writes an archive; throws a `UserError`, or the error of the disk. */
export async function packTo({ place, out, wanted, places, shown }: PackJob): Promise<Packed> {
  const kind = archiveKindOf(out);
  if (!kind) throw new UserError(`\`${out}\` has no ending of an archive: call it FILE.skill or FILE.tgz.`);
  const source = await openWithout(place, out);
  const packed = await pack(source, { paths: wanted(source.paths), places }, kind, shown);
  await place.replace(out, packed.bytes);
  return packed;
}

export const archiveKindOf = (out: string): 'zip' | 'tgz' | undefined =>
  /\.(?:skill|zip)$/i.test(out) ? 'zip' : /\.(?:tgz|tar\.gz)$/i.test(out) ? 'tgz' : undefined;

/** An archive that an earlier run has left is no part of a skill. */
async function openWithout(place: FolderAccess, out: string): Promise<Source> {
  const source = await place.open();
  const own = place.wayTo(out);
  return { ...source, paths: source.paths.filter((path) => path !== own) };
}

export async function pack(source: Source, wanted: Wanted, kind: 'zip' | 'tgz', shown: string): Promise<Packed> {
  const collected = await collect(source, wanted, shown);
  const placed = placeFiles([...collected.files.keys()], { skills: '', agentSkills: '' }, source.name);
  if ('problem' in placed) throw new UserError(`${shown} cannot be packed: ${placed.problem}.`);
  const entries = [...collected.files.values()]
    .map((file) => ({ ...file, path: placed.places.get(file.path) ?? file.path }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  return { bytes: await writeArchive(kind, entries), paths: entries.map(({ path }) => path), collected };
}
