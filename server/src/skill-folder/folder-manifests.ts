/**
 * Reads the parts of manifests that decide about the skills of folders, for the clients that load these as plugins (docs/clients.md, "Skills of
 * plugins"): also manifests that a client refuses.
 */
import type { Manifest, NamedCommand, PluginEntry } from '../clients/pipeline/plugin-rules.ts';
import { findValue, listItems, mapEntries, stringOf, type YamlNode } from '../languages/yaml/node.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { decoded, folderOf, manifestFolderOf } from '../vocabulary/dialect.ts';
import { COMPONENTS, isMarketplace, sourcesOf } from './plugins.ts';

/** A manifest, or an entry of a marketplace, with the URI of the plugin's folder. */
export type FolderManifest = { readonly folder: string } & (
  | { readonly manifest: Manifest }
  | { readonly entry: PluginEntry }
);

/** Returns what a manifest of a plugin or a marketplace says about the skills of folders. Never throws. */
export const folderManifests = (file: SkillFile): readonly FolderManifest[] => file.derive(readFolders);

function readFolders(file: SkillFile): readonly FolderManifest[] {
  const { uri, dialect, isSkill, frontmatter } = file;
  if (dialect !== 'plugin' || !isSkill) return [];
  const { root, broken } = frontmatter.tree;
  const home = manifestFolderOf(uri) ?? folderOf(uri);
  const path = decoded(uri.slice(home.length + 1));
  if (!isMarketplace(uri)) {
    const isBroken = broken || root?.kind !== 'map';
    return [{ folder: home, manifest: { path, ...(isBroken ? { isBroken: true } : readManifest(root)) } }];
  }
  if (broken) return [];
  return sourcesOf(root, home).map(({ entry, folder }) => {
    const isStrict = findValue(entry, 'strict');
    const shared = folder === home && { isShared: true as const };
    const { version: _, ...read } = readManifest(entry);
    const isLoose = isStrict?.kind === 'scalar' && isStrict.value === false;
    return { folder, entry: { path, ...read, ...shared, isStrict: !isLoose } };
  });
}

/** Returns the parts of a manifest that decide about skills. A value of another type counts as missing. */
function readManifest(node: YamlNode | undefined): Omit<Manifest, 'path'> {
  const name = stringOf(findValue(node, 'name'));
  const version = stringOf(findValue(node, 'version'));
  const skills = findValue(node, 'skills');
  const commands = findValue(node, 'commands');
  return {
    ...(name !== undefined && { name }),
    ...(version !== undefined && { version }),
    ...(skills && { skills: pathsIn(skills) }),
    ...(commands && { commands: commandsIn(commands) }),
    ...(COMPONENTS.some((key) => findValue(node, key)) && { hasComponents: true }),
  };
}

/** Returns a path or a list of paths; null for another value. */
function pathsIn(node: YamlNode): readonly string[] | null {
  const items = node.kind === 'list' ? listItems(node) : [node];
  const paths = items.map(stringOf);
  return paths.every((path) => path !== undefined) ? paths : null;
}

/** Returns the commands that a manifest names: paths, or a map of names to paths or texts. */
function commandsIn(node: YamlNode): readonly NamedCommand[] {
  if (node.kind !== 'map') return (pathsIn(node) ?? []).map((path) => ({ path }));
  return mapEntries(node).map(({ key, value }) => {
    const path = stringOf(findValue(value, 'source'));
    const isDescribed = Boolean(stringOf(findValue(value, 'description'))?.trim());
    return { name: String(key.value), ...(path !== undefined && { path }), ...(isDescribed && { isDescribed }) };
  });
}
