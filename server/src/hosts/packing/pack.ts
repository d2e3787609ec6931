/** Skills as an archive: the same bytes for the same files (docs/installing.md, "Packing"). */
import { placeFiles } from '../../packing/placing.ts';
import { writeArchive } from './archive.ts';
import { type Collected, collect, type Wanted } from './collect.ts';
import { Refusal } from './refusal.ts';
import type { Source } from './source.ts';

export interface Packed {
  readonly bytes: Uint8Array;
  /** The paths in the archive, in their order. */
  readonly paths: readonly string[];
  readonly collected: Collected;
}

export async function pack(source: Source, wanted: Wanted, kind: 'zip' | 'tgz', shown: string): Promise<Packed> {
  const collected = await collect(source, wanted, shown);
  const placed = placeFiles([...collected.files.keys()], { skills: '', agentSkills: '' }, source.name);
  if ('problem' in placed) throw new Refusal(`${shown} cannot be packed: ${placed.problem}.`);
  const entries = [...collected.files.values()]
    .map((file) => ({ ...file, path: placed.places.get(file.path) ?? file.path }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  return { bytes: await writeArchive(kind, entries), paths: entries.map(({ path }) => path), collected };
}
