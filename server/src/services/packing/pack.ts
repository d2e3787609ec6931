/** Packs skills into an archive. Equal files give equal bytes (docs/installing.md, "Packing"). */

import { writeArchive } from '../../io/archives/archive.ts';
import type { ArchiveEntry } from '../../io/archives/entry-guard.ts';
import { UserError } from '../../io/user-error.ts';
import { placeFiles } from '../../packing/placing.ts';
import { fileNameOf, isAgentSkillName } from '../../vocabulary/dialect.ts';
import { type Collected, collect, type Wanted } from './collect.ts';
import type { FolderAccess } from './folder-access.ts';
import type { Source } from './source.ts';

export interface Packed {
  readonly bytes: Uint8Array;
  /** The paths in the archive, in the order of its entries. */
  readonly paths: readonly string[];
  readonly collected: Collected;
}

export interface PackJob {
  /** The folder to pack from. Paths relative to it are the paths in the archive. */
  readonly folder: FolderAccess;
  /** The archive to write, as a `word` for `folder`. */
  readonly out: string;
  /** Returns the paths of the selected skills among all paths. */
  readonly wanted: (paths: readonly string[]) => ReadonlySet<string>;
  /** The files and folders that the user named, relative to `folder`. The path of `folder` itself is empty. */
  readonly namedPaths: readonly string[];
  /** The name of the source in messages. */
  readonly shown: string;
  /** The name of the plugin to write; undefined for an archive of skills. */
  readonly plugin?: string | undefined;
}

/** Writes an archive. Throws a `UserError`, or the system's error. */
export async function packTo({ folder, out, wanted, namedPaths, shown, plugin }: PackJob): Promise<Packed> {
  const kind = archiveKindOf(out);
  if (!kind)
    throw new UserError(`\`${out}\` is not the name of an archive. Write for example \`FILE.skill\` or \`FILE.tgz\`.`);
  const source = await openWithout(folder, out);
  const packed = await pack(source, { paths: wanted(source.paths), namedPaths }, kind, shown, plugin);
  await folder.replace(out, packed.bytes);
  return packed;
}

export const archiveKindOf = (out: string): 'zip' | 'tgz' | undefined =>
  /\.(?:skill|zip)$/i.test(out) ? 'zip' : /\.(?:tgz|tar\.gz)$/i.test(out) ? 'tgz' : undefined;

/** Opens the folder without the archive of an earlier run, which is not part of a skill. */
async function openWithout(folder: FolderAccess, out: string): Promise<Source> {
  const source = await folder.open();
  const own = folder.relativePath(out);
  return { ...source, paths: source.paths.filter((path) => path !== own) };
}

/**
 * Packs the selected skills in memory. `shown` is the name of the source in messages. With `plugin`, the archive is a
 * plugin with this name (docs/installing.md, "Plugins"). Throws a `UserError`.
 */
export async function pack(
  source: Source,
  wanted: Wanted,
  kind: 'zip' | 'tgz',
  shown: string,
  plugin?: string,
): Promise<Packed> {
  const collected = await collect(source, wanted, shown);
  const isForClients = ({ path }: { readonly path: string }) => isAgentSkillName(fileNameOf(path));
  const other = plugin === undefined ? undefined : collected.skills.find((skill) => !isForClients(skill));
  if (other) {
    throw new UserError(
      `\`${other.path}\` cannot be in a plugin, because clients load only \`SKILL.md\`. Convert it with \`skill-composer convert --to agent-skill\`.`,
    );
  }
  const base = plugin === undefined ? '' : 'skills';
  const placed = placeFiles([...collected.files.keys()], { skills: base, agentSkills: base }, source.name);
  if ('problem' in placed) throw new UserError(`${shown} cannot be packed: ${placed.problem}.`);
  const files = [...collected.files.values()].map((file) => ({
    ...file,
    path: placed.places.get(file.path) ?? file.path,
  }));
  const manifests = plugin === undefined ? [] : pluginManifests(plugin);
  const entries: readonly ArchiveEntry[] = [...files, ...manifests].sort((a, b) => (a.path < b.path ? -1 : 1));
  return { bytes: await writeArchive(kind, entries), paths: entries.map(({ path }) => path), collected };
}

/**
 * Returns the manifests of a plugin whose skills are in `skills/`: one for clients of Agent Plugins, and one for Claude
 * Code (docs/format.md, section 9, "Plugins").
 */
function pluginManifests(name: string): readonly ArchiveEntry[] {
  const manifest = (path: string, data: object): ArchiveEntry => ({
    path,
    bytes: new TextEncoder().encode(`${JSON.stringify(data, undefined, 2)}\n`),
    isExecutable: false,
  });
  return [
    manifest('plugin.json', { $schema: 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json', name }),
    manifest('.claude-plugin/plugin.json', { name }),
  ];
}
