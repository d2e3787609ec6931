/**
 * The plugins of a workspace: the manifests that declare them, and the skills that they ship (docs/format.md, section 9,
 * "Plugins").
 */
import { findValue, listItems, stringOf, type YamlNode } from '../languages/yaml/node.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { type Span, span } from '../text.ts';
import {
  folderOf,
  isExtensionManifest,
  isHooksFile,
  manifestFolderOf,
  resolvePath,
  skillsFolderOf,
} from '../vocabulary/dialect.ts';

/** A plugin with its files in the workspace. */
export interface Plugin {
  readonly name: string;
  /** The URI of the manifest that declares it. */
  readonly manifest: string;
  /** The URI of its folder. */
  readonly root: string;
  /** The URIs of the folders that contain a folder for each skill. */
  readonly skillFolders: readonly string[];
  /** The URIs of the folders that may be skills themselves. */
  readonly skills: readonly string[];
  /** The URIs of the agents that the manifest lists, in place of those in the folder `agents`; undefined without the key. */
  readonly agents?: readonly string[];
}

/** Returns whether Claude Code reads the manifest that declares a plugin. */
export const isPluginOfClaude = ({ manifest }: Plugin): boolean => manifest.includes('/.claude-plugin/');

/** A path in a manifest. */
export interface ManifestPath {
  /** The URI to which the path resolves. */
  readonly uri: string;
  /** The span of the path, without its quotes. */
  readonly span: Span;
  readonly path: string;
  /** The URI of the folder to which the path is relative. */
  readonly folder: string;
}

/** The content of a `plugin.json` or a `marketplace.json`. */
export interface PluginManifest {
  readonly plugins: readonly Plugin[];
  /** All texts at places for paths of files and folders, also empty texts and patterns. */
  readonly places: readonly ManifestPath[];
}

/** The keys with paths of components. Each value is a path, a list of paths, or the component itself. */
export const COMPONENTS = [
  'skills',
  'commands',
  'agents',
  'workflows',
  'hooks',
  'mcpServers',
  'lspServers',
  'outputStyles',
];

/** Returns the plugins and the paths of a manifest (docs/format.md, section 9, "Plugins"). Never throws. */
export const manifestOf = (file: SkillFile): PluginManifest => file.derive(readManifest);

/** Returns the paths of a manifest that must exist (docs/format.md, section 9, "Plugins"). Never throws. */
export const manifestPaths = (file: SkillFile): readonly ManifestPath[] =>
  manifestOf(file).places.filter(({ path }) => namesFile(path));

/** Returns whether a file is a manifest that can be read. */
export const isManifest = ({ dialect, isSkill, frontmatter }: SkillFile): boolean =>
  dialect === 'plugin' && isSkill && !frontmatter.tree.broken;

function readManifest(file: SkillFile): PluginManifest {
  if (isHooksFile(file.uri)) return { plugins: [], places: [] };
  const { root } = file.frontmatter.tree;
  const folder = manifestFolderOf(file.uri) ?? folderOf(file.uri);
  if (!isMarketplace(file.uri)) {
    const { plugins, places } = readPlugin(file.uri, root, folder);
    const context = isExtensionManifest(file.uri) ? placesIn(findValue(root, 'contextFileName'), folder) : [];
    return { plugins, places: [...places, ...context] };
  }
  const read = entriesOf(root, folder).map(({ entry, place }): PluginManifest => {
    if (!namesFile(place.path)) return { plugins: [], places: [place] };
    const { plugins, places } = readPlugin(file.uri, entry, place.uri);
    return { plugins, places: [place, ...places] };
  });
  return { plugins: read.flatMap(({ plugins }) => plugins), places: read.flatMap(({ places }) => places) };
}

/** Returns the entries of a marketplace in the folder with the URI `folder` that have a path, with it. */
function entriesOf(
  root: YamlNode | undefined,
  folder: string,
): readonly { readonly entry: YamlNode; readonly place: ManifestPath }[] {
  const base = stringOf(findValue(findValue(root, 'metadata'), 'pluginRoot'));
  return listItems(findValue(root, 'plugins')).flatMap((entry) => {
    const source = sourceOf(entry);
    const written = stringOf(source);
    if (!source || written === undefined) return [];
    const isBare = base !== undefined && !written.includes('/');
    return [{ entry, place: placeOf(source, isBare ? resolvePath(folder, base) : folder, written) }];
  });
}

/** Returns the entries of a marketplace whose plugins are in it, with the URIs of their folders. */
export const sourcesOf = (
  root: YamlNode | undefined,
  folder: string,
): readonly { readonly entry: YamlNode; readonly folder: string }[] =>
  entriesOf(root, folder).flatMap(({ entry, place }) => (namesFile(place.path) ? [{ entry, folder: place.uri }] : []));

export const isMarketplace = (uri: string): boolean => uri.endsWith('/marketplace.json');

/** Returns the path in an entry of a marketplace; undefined for a plugin that is not in the marketplace's repository. */
function sourceOf(entry: YamlNode): YamlNode | undefined {
  const source = findValue(entry, 'source');
  if (source?.kind !== 'map') return source;
  return stringOf(findValue(source, 'source')) === 'local' ? findValue(source, 'path') : undefined;
}

/** Reads the plugin whose folder has the URI `root` from a manifest, or from an entry of a marketplace. */
function readPlugin(manifest: string, node: YamlNode | undefined, root: string): PluginManifest {
  // A manifest of Agent Plugins and one of an extension have no paths: the folder `skills` contains the skills.
  const home = isExtensionManifest(manifest) ? undefined : manifestFolderOf(manifest);
  const read = (owner: YamlNode | undefined, key: string) =>
    home === undefined ? [] : placesIn(findValue(owner, key), root);
  const experimental = findValue(node, 'experimental');
  const places = [
    ...COMPONENTS.flatMap((key) => read(node, key)),
    ...['themes', 'monitors'].flatMap((key) => read(experimental, key)),
  ];
  const name = stringOf(findValue(node, 'name'));
  if (name === undefined) return { plugins: [], places };
  const skills = read(node, 'skills').flatMap(({ path, uri }) => (namesFile(path) ? [uri] : []));
  // Several plugins of a marketplace may share its folder. Each of them ships only the skills that it lists.
  const isShared = isMarketplace(manifest) && root === home && skills.length > 0;
  const plugin: Plugin = {
    name,
    manifest,
    root,
    skillFolders: [...(isShared ? [] : [`${root}/skills`]), ...skills],
    skills: home === undefined || skills.length > 0 ? skills : [root],
    ...(home !== undefined &&
      findValue(node, 'agents') && {
        agents: read(node, 'agents').flatMap(({ path, uri }) => (namesFile(path) ? [uri] : [])),
      }),
  };
  return { plugins: [plugin], places };
}

const placesIn = (value: YamlNode | undefined, root: string): readonly ManifestPath[] =>
  (value?.kind === 'list' ? value.items : value ? [value] : []).flatMap((node) => {
    const path = stringOf(node);
    return path === undefined ? [] : [placeOf(node, root, path)];
  });

function placeOf(node: YamlNode, folder: string, path: string): ManifestPath {
  const quotes = node.kind === 'scalar' && node.style === 'double' ? 1 : 0;
  const end = Math.max(node.span.start + quotes, node.span.end - quotes);
  return { uri: resolvePath(folder, path), span: span(node.span.start + quotes, end), path, folder };
}

/** Returns whether a text is a relative path, and not empty, an address, a pattern or text with variables. */
const namesFile = (path: string): boolean =>
  path.trim() !== '' && !/^(?:[a-z][a-z0-9+.-]*:|[/\\~@])|[*?${}<>]/i.test(path);

/** Look-ups in all manifests of a workspace. */
export class Plugins {
  /** All plugins, in the order of the URIs of their manifests, so that the order in which these were read does not matter. */
  readonly all: readonly Plugin[];
  readonly #byFolder = new Map<string, Plugin[]>();
  readonly #bySkill = new Map<string, Plugin[]>();
  readonly #byListed = new Map<string, Plugin[]>();
  readonly #byAgent = new Map<string, Plugin[]>();

  constructor(manifests: Iterable<readonly Plugin[]>) {
    this.all = [...manifests].flat().sort((a, b) => (a.manifest === b.manifest ? 0 : a.manifest < b.manifest ? -1 : 1));
    for (const plugin of this.all) {
      for (const agent of new Set(plugin.agents)) add(this.#byAgent, agent, plugin);
      for (const folder of plugin.skillFolders) add(this.#byFolder, folder, plugin);
      for (const skill of plugin.skills) {
        add(this.#bySkill, skill, plugin);
        if (skill !== plugin.root) add(this.#byListed, folderOf(skill), plugin);
      }
    }
  }

  /** Returns the plugins that ship the `SKILL.md` with this URI. */
  shipping(uri: string): readonly Plugin[] {
    const own = [...(this.#bySkill.get(folderOf(uri)) ?? []), ...(this.#byFolder.get(skillsFolderOf(uri)) ?? [])];
    return [...new Set(own)];
  }

  /** Returns the plugins whose manifests list the agent with this URI. */
  listingAgent(uri: string): readonly Plugin[] {
    return this.#byAgent.get(uri) ?? [];
  }

  /** Returns the plugins with this name. */
  named(name: string): readonly Plugin[] {
    return this.all.filter((plugin) => plugin.name === name);
  }

  /** Returns the plugins that list a folder below the folder with this URI by its own path. */
  listing(folder: string): readonly Plugin[] {
    return [...new Set(this.#byListed.get(folder))];
  }

  /**
   * Returns the plugins in whose folder `skills` a file is, at any depth. Leaves out plugins that list single skills deep in
   * this folder, because their authors choose them.
   */
  above(uri: string): readonly Plugin[] {
    const above = this.#above(uri);
    const isDeep = (root: string, skill: string) =>
      skill.startsWith(`${root}/skills/`) && folderOf(skill) !== `${root}/skills`;
    const chosen = new Set(
      above.filter(({ root, skills }) => skills.some((skill) => isDeep(root, skill))).map(({ root }) => root),
    );
    return above.filter(({ root }) => !chosen.has(root));
  }

  #above(uri: string): readonly Plugin[] {
    return this.all.filter(({ root }) => uri.startsWith(`${root}/skills/`));
  }

  /**
   * Returns the plugins in whose folder `skills` a file is, at any depth. Leaves out plugins with a list of skills: a
   * marketplace and the plugin's own manifest may both name the plugin, but often only one of them lists its skills.
   */
  around(uri: string): readonly Plugin[] {
    const around = this.#above(uri);
    const isListed = ({ root, skills }: Plugin) => skills.some((skill) => skill !== root);
    const listed = new Set(around.filter(isListed).map(({ root }) => root));
    return around.filter(({ root }) => !listed.has(root));
  }
}

function add(members: Map<string, Plugin[]>, key: string, plugin: Plugin): void {
  const known = members.get(key);
  if (known) known.push(plugin);
  else members.set(key, [plugin]);
}
