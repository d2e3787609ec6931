/**
 * The skills of a plugin: which of them a client finds, and under which name (docs/clients.md, "Skills of plugins"). The
 * manifests decide, so they are a part of what is known about the path of a file.
 */
import type { Named } from './fields.ts';
import { type FilePath, splitPath } from './file.ts';
import { type Found, findFile, isFileName, type SkillsIn } from './find.ts';
import type { Pipeline } from './pipeline.ts';
import type { Manifest, PluginEntry, PluginFolder, PluginPlan, PluginRules } from './plugin-rules.ts';
import type { ReadSkill, Stop } from './reading.ts';
import type { Ask } from './setting.ts';

/** Returns the place where a client finds a file in its folders, or with a plugin, like `findFile`. */
export function findSkill(
  { find, plugins }: Pick<Pipeline, 'find' | 'plugins'>,
  file: FilePath,
  placed: Found | undefined,
  skillsIn: SkillsIn,
  ask: Ask,
): Found | Stop {
  const usual = (): Found | Stop => findFile(find, file, placed, skillsIn, ask);
  if (!plugins || !file.plugins) return usual();
  const isPlaced = placed !== undefined && placed.folder.path !== '';
  if (isPlaced) {
    const own = plugins.inPlace && file.plugins.find(({ path }) => splitPath(path).folder === placed.root);
    // A `SKILL.md` beside the manifest is a plain skill there.
    if (!own || splitPath(file.path).folder === own.path) return usual();
    if (ask('find.leftOut', find.leftOut).includes(splitPath(own.path).name)) return usual();
    return findIn({ find, plugins }, [own], file, placed, skillsIn, ask) ?? usual();
  }
  const found = findIn({ find, plugins }, file.plugins, file, undefined, skillsIn, ask);
  // A skill that the plugin does not mean to ship may be installed in another way.
  const isLeftOut = found && 'code' in found && found.code === 'find/plugin-path';
  return !found || (isLeftOut && file.plugins.some(({ path }) => isSetAside(file.path.slice(path.length))))
    ? usual()
    : found;
}

/** Returns whether a path is in a hidden folder, or in a folder for tests and drafts. */
export const isSetAside = (path: string): boolean =>
  /\/(?:\.|_|tests?\/|__tests__\/|examples?\/|templates?\/|fixtures\/|in-progress\/|wip\/|archived?\/|deprecated\/|drafts?\/|evals?\/)/i.test(
    path,
  );

/** Returns whether a client knows one of the plugins around a file. */
export const knowsPlugin = (rules: PluginRules | undefined, { plugins = [] }: FilePath): boolean =>
  rules !== undefined && plugins.some((one) => manifestOf(rules, one) ?? entriesOf(rules, one)[0]);

/** A client with its rules for plugins. */
interface PluginClient extends Pick<Pipeline, 'find'> {
  readonly plugins: PluginRules;
}

/** Returns the place of a file in one of the plugins around it; undefined if the client knows none of them. */
function findIn(
  client: PluginClient,
  around: readonly PluginFolder[],
  file: FilePath,
  placed: Found | undefined,
  skillsIn: SkillsIn,
  ask: Ask,
): Found | Stop | undefined {
  let stop: Stop | undefined;
  let first: Found | undefined;
  const others = new Set<string>();
  for (const plugin of around) {
    if (isPartOfOther(client.plugins, plugin, around)) continue;
    const manifest = manifestOf(client.plugins, plugin);
    const known = entriesOf(client.plugins, plugin);
    if (!manifest && known.length === 0) continue;
    for (const entry of known.length > 0 ? known : [undefined]) {
      const found = findInOne(client, plugin, manifest, entry, { file, placed, skillsIn, ask });
      const instead = 'code' in found ? found : commandInstead(client.plugins, plugin, file, found);
      if (instead) stop ??= instead;
      else if (!('code' in found)) {
        first ??= found;
        if (found.plugin && found.plugin.name !== first.plugin?.name) others.add(found.plugin.name);
      }
    }
    if (first) break;
  }
  const { plugin } = first ?? {};
  return first && plugin && others.size > 0
    ? { ...first, plugin: { ...plugin, others: [...others] } }
    : (first ?? stop);
}

/** Returns the command of a plugin that is used instead of a skill with the name of its folder; undefined without one. */
function commandInstead(
  { commandsFirst }: PluginRules,
  { commands }: PluginFolder,
  { path }: FilePath,
  { plugin }: Found,
): Stop | undefined {
  if (!commandsFirst || plugin?.isDirect || plugin?.command !== undefined) return undefined;
  const { name } = splitPath(splitPath(path).folder);
  const command = commands.find((one) => one.isDescribed && one.name === name);
  return command && { code: 'find/plugin-command', by: command.path };
}

/** Returns whether a plugin is in the folder `skills` of another one, whose client does not look for plugins there. */
const isPartOfOther = (rules: PluginRules, { path, entries }: PluginFolder, around: readonly PluginFolder[]): boolean =>
  entries.length === 0 &&
  around.some((other) => path.startsWith(`${other.path}/skills/`) && manifestOf(rules, other) !== undefined);

/** Returns the manifest of a plugin that counts for a client. */
export function manifestOf({ manifests }: PluginRules, plugin: PluginFolder): Manifest | undefined {
  for (const path of manifests) {
    const found = plugin.manifests.find((one) => one.path === path);
    if (found) return found;
  }
  return undefined;
}

const entriesOf = ({ marketplaces }: PluginRules, { entries }: PluginFolder): readonly PluginEntry[] =>
  entries.filter(({ path }) => marketplaces.includes(path));

interface Search {
  readonly file: FilePath;
  readonly placed: Found | undefined;
  readonly skillsIn: SkillsIn;
  readonly ask: Ask;
}

/** Returns the place of a file in a plugin that its manifest, an entry of a marketplace, or both describe. */
function findInOne(
  client: PluginClient,
  plugin: PluginFolder,
  manifest: Manifest | undefined,
  entry: PluginEntry | undefined,
  search: Search,
): Found | Stop {
  const { plugins: rules, find } = client;
  const { file, placed, skillsIn, ask } = search;
  if (placed && plugin.instead !== undefined) return { code: 'find/plugin-name', by: plugin.instead };
  const { refused, folders, isKeyUsed, isCopied } = planOf(rules, plugin, manifest, entry);
  if (refused) return refused;
  const name = manifest?.name ?? entry?.name ?? splitPath(plugin.path).name;
  const own = splitPath(file.path);
  const command = rules.commandsFirst && plugin.commands.find((one) => one.path === file.path);
  const foundIn = (folder: string, isDirect: boolean): Found => ({
    rank: placed?.rank ?? FIRST_RANK,
    folder: placed?.folder ?? { scope: rules.scope, at: 'start', path: '' },
    root: folder,
    rest: file.path.slice(folder.length + 1),
    plugin: { name, path: plugin.path, ...(placed && { isInPlace: true }), ...(isDirect && { isDirect: true }) },
  });
  if (command) {
    // The list leaves out a command without a description, and shows the skill with its name.
    const same = `${plugin.path}/skills/${command.name}`;
    if (!command.isDescribed && skillsIn(same, file).length > 0)
      return { code: 'resolve/equal-name', key: 'name', by: `${same}/SKILL.md` };
    const found = foundIn(`${plugin.path}/commands`, false);
    return found.plugin ? { ...found, plugin: { ...found.plugin, command: command.name } } : found;
  }
  if (!isFileName(find, own.name, ask)) return { code: 'find/file-name' };
  if (own.folder === plugin.path) {
    const root = ask('plugins.root', rules.root);
    const isAlone = !isKeyUsed && skillsIn(`${plugin.path}/skills/*`, file).length === 0;
    const isNamed = folders.has(plugin.path);
    const isRead = root === 'alone' ? isNamed || isAlone : isCopied && isNamed;
    return isRead
      ? foundIn(plugin.path, true)
      : { code: root === 'never' ? 'find/plugin-no-root' : 'find/plugin-root', by: plugin.path };
  }
  let stop: Stop | undefined;
  for (let folder = own.folder; folder.length >= plugin.path.length; folder = splitPath(folder).folder) {
    if (!folders.has(folder)) continue;
    const names = own.folder.slice(folder.length + 1).split('/');
    const isDirect = own.folder === folder;
    const above = isDirect ? [] : skillsIn(folder, file).filter((one) => isFileName(find, one, ask));
    if (isCopied && folder !== `${plugin.path}/skills`) {
      if (isDirect) return foundIn(folder, false);
      stop ??= { code: 'find/plugin-depth', by: `${plugin.path}/skills` };
      continue;
    }
    const direct = isDirect ? ask('plugins.direct', rules.direct) : undefined;
    if (direct === 'never') stop ??= { code: 'find/plugin-depth', by: folder };
    else if (direct) return foundIn(folder, direct === 'only');
    else if (above.length > 0 && ask('plugins.direct', rules.direct) === 'only')
      stop ??= { code: 'find/plugin-other', by: `${folder}/${above[0]}` };
    else if (names.length > (ask('plugins.depth', rules.depth) ?? Infinity))
      stop ??= { code: 'find/plugin-depth', by: folder };
    else if (isBelowSkill(folder, names, search) && !ask('find.belowSkill', find.belowSkill))
      stop ??= { code: 'find/below-skill' };
    else if (names.some((one) => one.startsWith('.')) && !ask('find.hidden', find.hidden))
      stop ??= { code: 'find/hidden' };
    else return foundIn(folder, false);
  }
  return stop ?? { code: 'find/plugin-path', by: plugin.path };
}

/** Returns whether a folder on the way to a file has a skill of its own. */
const isBelowSkill = (folder: string, names: readonly string[], { file, skillsIn }: Search): boolean =>
  names
    .slice(0, -1)
    .some((_, at) => skillsIn([folder, ...names.slice(0, at + 1)].join('/'), file).includes('SKILL.md'));

/** The rank of a skill of a plugin: before all folders of skills, whose skills replace it if the last one is used. */
const FIRST_RANK = -1;

/** Returns what a client does with a plugin, for every file in it. At least one of `manifest` and `entry` is known. */
function planOf(
  rules: PluginRules,
  plugin: PluginFolder,
  manifest: Manifest | undefined,
  entry: PluginEntry | undefined,
): PluginPlan {
  const key = entry ?? manifest;
  const own = plugin.plans.get(rules) ?? new Map<Manifest | PluginEntry, PluginPlan>();
  plugin.plans.set(rules, own);
  const known = key && own.get(key);
  if (known) return known;
  const refused = refusalOf(rules, plugin, manifest, entry);
  const { folders, ...plan } = foldersOf(rules, plugin, manifest, entry);
  const made = { ...(refused && { refused }), ...plan, folders: new Set(folders) };
  if (key) own.set(key, made);
  return made;
}

/** Returns why a client does not load a plugin; undefined if it does. */
function refusalOf(
  rules: PluginRules,
  { path }: PluginFolder,
  manifest: Manifest | undefined,
  entry: PluginEntry | undefined,
): Stop | undefined {
  const stop = (key: string): Stop => ({ code: 'find/plugin-refused', key, by: path });
  if (manifest?.isBroken) return rules.readsBroken ? undefined : stop('');
  const { required, names, invalid } = rules;
  for (const key of manifest ? required : []) if (!manifest?.[key]?.trim()) return stop(key);
  if (manifest?.name !== undefined && !new RegExp(names, 'u').test(manifest.name)) return stop('name');
  const isInvalid = ({ skills }: Pick<Manifest, 'skills'>) =>
    skills === null || skills?.some((one) => !hasForm(rules, one)) === true;
  if (manifest?.skills === null && rules.copies?.includes(manifest.path)) return stop('skills');
  if (invalid === 'plugin' && [manifest, entry].some((one) => one && isInvalid(one))) return stop('skills');
  if (manifest?.hasComponents && entry?.hasComponents && !entry.isStrict)
    return { code: 'find/plugin-refused', key: 'strict', by: path };
  return undefined;
}

/** Returns whether a path has the form that the client wants. */
function hasForm({ form }: PluginRules, path: string): boolean {
  if (form === 'any') return path !== '';
  if (form === 'dot') return path === '.' || path.startsWith('./');
  return path.startsWith('./') && !path.split('/').includes('..') && /[^./]/.test(path);
}

/**
 * Returns the absolute paths of the folders of skills of a plugin, and whether the key `skills` has an effect.
 */
function foldersOf(
  rules: PluginRules,
  { path }: PluginFolder,
  manifest: Manifest | undefined,
  entry: PluginEntry | undefined,
): { readonly folders: readonly string[]; readonly isKeyUsed: boolean; readonly isCopied?: true } {
  const usual = `${path}/skills`;
  const named = (skills: Manifest['skills']) =>
    (skills ?? []).filter((one) => hasForm(rules, one)).flatMap((one) => folderIn(path, one) ?? []);
  const own = named(manifest?.skills);
  const isWritten = [manifest, entry].some((one) => one?.skills !== undefined);
  if (manifest?.skills !== undefined && rules.copies?.includes(manifest.path))
    return { folders: own, isKeyUsed: true, isCopied: true };
  if (rules.key === 'ignored' || !isWritten) return { folders: [usual], isKeyUsed: false };
  if (rules.key === 'adds') {
    const more = named(entry?.skills);
    // Several plugins of a marketplace may share its folder. Each of them ships only the skills that it lists.
    const isOnly = entry?.isShared && more.length > 0;
    return { folders: [...(isOnly ? [] : [usual]), ...own, ...more], isKeyUsed: true };
  }
  const isKept = own.length > 0 || rules.invalid !== 'key';
  return isKept && manifest?.skills !== undefined
    ? { folders: own, isKeyUsed: true }
    : { folders: [usual], isKeyUsed: false };
}

/** Returns the absolute path of a folder in a plugin; undefined for a path that leads out of it. */
function folderIn(plugin: string, path: string): string | undefined {
  if (path.startsWith('/') || path.includes('\\')) return undefined;
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '..') {
      if (names.pop() === undefined) return undefined;
    } else if (name !== '' && name !== '.') names.push(name);
  }
  return [plugin, ...names].join('/');
}

/** Returns the absolute paths of the folders of a plugin that are skills if they have a `SKILL.md`. */
export const directFolders = (path: string, named: readonly Pick<Manifest, 'skills'>[]): ReadonlySet<string> =>
  new Set([
    path,
    `${path}/skills`,
    ...named.flatMap(({ skills }) => (skills ?? []).flatMap((one) => folderIn(path, one) ?? [])),
  ]);

/** Returns the second name of a command: its `name` in place of the last part of its own name. */
export const labelOf = (command: string, name: string): string => command.replace(/[^:]*$/, () => name);

/** Returns the names of a skill with those of its plugin, as a client that loads it shows them. */
export function namedWith(
  rules: PluginRules | undefined,
  named: Named,
  { path, plugins = [] }: FilePath,
  { plugin }: Found,
  { keys }: Pick<ReadSkill, 'keys'>,
): Named {
  if (!rules) return named;
  if (!plugin) {
    const above = rules.prefixesOwn && plugins.find((one) => manifestOf(rules, one));
    const manifest = above && manifestOf(rules, above);
    if (!above || !manifest || manifest.isBroken) return named;
    return { ...named, name: `${manifest.name?.trim() || splitPath(above.path).name}:${named.name}` };
  }
  if (rules.name === 'bare') return named;
  const { label, ...one } = named;
  if (rules.name === 'prefixed') return { ...one, name: `${plugin.name}:${named.name}` };
  const written = keys.get('name')?.text?.trim() || undefined;
  const folder = splitPath(splitPath(path).folder).name;
  const segment = plugin.command ?? ((plugin.isDirect && written) || folder).replace(/[^A-Za-z0-9_-]/g, '-');
  const second = label !== undefined && plugin.command !== undefined ? labelOf(plugin.command, label) : label;
  const commands = plugins.find((folderOf) => folderOf.path === plugin.path)?.commands ?? [];
  const isTaken = commands.some((by) => by.path !== path && (by.name === second || by.label === second));
  const isOther = !plugin.isDirect && second !== undefined && second !== segment && !isTaken;
  return {
    ...one,
    name: `${plugin.name}:${segment}`,
    ...(isOther && { label: `${plugin.name}:${second}` }),
  };
}
