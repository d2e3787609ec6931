/** The commands of plugins in Claude Code, some of which are used instead of a skill (docs/clients.md, "Skills of plugins"). */
import { pathOf } from '../clients/matrix/subject.ts';
import { labelOf } from '../clients/pipeline/plugin.ts';
import type { PluginCommand } from '../clients/pipeline/plugin-rules.ts';
import { findValue, stringOf } from '../languages/yaml/node.ts';
import { type FileEntry, SkillFile } from '../skill/skill-file.ts';
import type { FolderManifest } from '../skill-folder/folder-manifests.ts';
import { decoded, fileNameOf, folderOf, isAgentSkillName, resolvePath } from '../vocabulary/dialect.ts';

type TextFile = Pick<FileEntry, 'uri' | 'text'>;

/** A file or a folder with commands. */
interface Source {
  /** The URI of the folder of the plugin. */
  readonly plugin: string;
  readonly uri: string;
  /** The name that the manifest gives to the command. */
  readonly name?: string;
  readonly isDescribed?: true;
}

interface Found extends PluginCommand {
  readonly uri: string;
  readonly source: Source;
}

/** Returns whether a file exists; undefined if this is not known. */
export type Exists = (uri: string) => boolean | undefined;

const MANIFEST = '.claude-plugin/plugin.json';

/** The places of commands in plugins, by their manifests. */
export class PluginCommands {
  readonly #sources = new Map<string, Source[]>();
  /** The files that manifests name. */
  readonly #named: readonly Source[];
  /** The commands whose text is in a manifest. */
  readonly #texts = new Map<string, readonly PluginCommand[]>();

  /** @param manifests the manifests of a workspace */
  constructor(manifests: Iterable<FolderManifest>) {
    const plugins = new Map<string, Source[] | undefined>();
    for (const one of manifests) {
      const { folder: plugin } = one;
      const known = plugins.get(plugin);
      const named = 'manifest' in one ? one.manifest : one.entry;
      const isRead = 'entry' in one || named.path === MANIFEST;
      const { commands } = named;
      if (!isRead || !commands) {
        plugins.set(plugin, known);
        continue;
      }
      const seen = new Set<string>();
      const sources = commands.flatMap(({ path, name, isDescribed }): readonly Source[] => {
        // An entry of a marketplace has no commands with names.
        if (path === undefined || (name !== undefined && 'entry' in one)) return [];
        const uri = resolvePath(plugin, path);
        const key = JSON.stringify([uri, name]);
        if (seen.has(key)) return [];
        seen.add(key);
        const isInside = path.startsWith('./') && !path.split('/').includes('..') && uri.startsWith(`${plugin}/`);
        return isInside
          ? [{ plugin, uri, ...(name !== undefined && { name }), ...(isDescribed && { isDescribed }) }]
          : [];
      });
      // The commands of a manifest replace the folder, those of an entry are added to it.
      const usual: readonly Source[] = 'entry' in one && !known ? [usualIn(plugin)] : [];
      const before = 'manifest' in one ? known?.filter(({ uri }) => uri !== usualIn(plugin).uri) : known;
      plugins.set(plugin, [...(before ?? []), ...usual, ...sources]);
      if ('entry' in one) continue;
      const texts = commands.filter(({ path, name }) => path === undefined && name !== undefined);
      const path = pathOf(`${plugin}/${MANIFEST}`);
      this.#texts.set(
        plugin,
        texts.map(({ name = '', isDescribed }) => ({ name, path, isDescribed: isDescribed === true })),
      );
    }
    for (const [plugin, sources] of plugins) {
      for (const one of sources ?? [usualIn(plugin)]) add(this.#sources, one.uri, one);
    }
    this.#named = [...this.#sources.values()].flat().filter(({ uri }) => /\.md$/i.test(uri));
  }

  /**
   * Returns the commands among the files, by the URI of the folder of their plugin. A file that a manifest names and that was
   * not read is taken to have a description.
   */
  read(files: Iterable<TextFile>, exists: Exists): ReadonlyMap<string, readonly PluginCommand[]> {
    const found = new Map<string, Found[]>();
    const read = new Set<string>();
    for (const file of files) {
      const commands = this.#commandsIn(file);
      if (commands.length > 0) read.add(file.uri);
      for (const one of commands) add(found, one.source.plugin, one);
    }
    for (const source of this.#namedFiles(exists)) {
      const { uri, name = nameOf(source, uri) } = source;
      if (!read.has(uri)) add(found, source.plugin, { uri, source, name, path: pathOf(uri), isDescribed: true });
    }
    const plugins = new Set([...found.keys(), ...this.#texts.keys()]);
    return new Map(
      [...plugins].map((plugin) => {
        const own = found.get(plugin) ?? [];
        // A `SKILL.md` hides all other files in its folder.
        const folders = new Set(own.flatMap(({ uri, source }) => (isSkillIn(source, uri) ? [folderOf(uri)] : [])));
        const isHidden = ({ uri, source }: Found): boolean => {
          const around = foldersAround(uri);
          return (isSkillIn(source, uri) ? around.slice(1) : around).some((folder) => folders.has(folder));
        };
        const left = own.filter((one) => !isHidden(one)).map(({ uri: _, source: __, ...one }): PluginCommand => one);
        return [plugin, [...left, ...(this.#texts.get(plugin) ?? [])]];
      }),
    );
  }

  /** Returns a text that changes with the commands that a file defines; empty without a command. */
  keyOf(file: TextFile): string {
    const found = this.#commandsIn(file).map(({ name, label, isDescribed }) => [name, label, isDescribed]);
    return found.length === 0 ? '' : JSON.stringify(found);
  }

  /** Returns a text that changes if a file that a manifest names is added or deleted. */
  existsKey(exists: Exists): string {
    return this.#namedFiles(exists)
      .map(({ uri }) => uri)
      .join(' ');
  }

  #namedFiles(exists: Exists): readonly Source[] {
    return this.#named.filter(({ uri }) => exists(uri) === true);
  }

  #commandsIn({ uri, text }: TextFile): readonly Found[] {
    if (!/\.md$/i.test(uri)) return [];
    const sources = [uri, ...foldersAround(uri)].flatMap((at) => this.#sources.get(at) ?? []);
    if (sources.length === 0) return [];
    const { root } = new SkillFile(uri, text).frontmatter.tree;
    const written = stringOf(findValue(root, 'name'))?.trim();
    const hasText = Boolean(stringOf(findValue(root, 'description'))?.trim());
    return sources.map((source) => {
      const name = source.name ?? nameOf(source, uri);
      const isDescribed = hasText || source.isDescribed === true;
      return { uri, source, name, ...(written && { label: labelOf(name, written) }), path: pathOf(uri), isDescribed };
    });
  }
}

/** Returns the URIs of the folders around a file, the innermost first. */
function foldersAround(uri: string): readonly string[] {
  const folders: string[] = [];
  for (let at = folderOf(uri); at.includes('/'); at = folderOf(at)) folders.push(at);
  return folders;
}

function add<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

const usualIn = (plugin: string): Source => ({ plugin, uri: `${plugin}/commands` });

/** Returns whether a file is a `SKILL.md` in a folder of commands, and not named by its own path. */
const isSkillIn = (source: Source, uri: string): boolean => source.uri !== uri && isAgentSkillName(fileNameOf(uri));

/** Returns the name of a command by its place: that of its folder for a `SKILL.md`. */
function nameOf(source: Source, uri: string): string {
  const file = isSkillIn(source, uri) ? folderOf(uri) : uri.replace(/\.md$/i, '');
  const below = uri === source.uri || file === source.uri ? fileNameOf(file) : file.slice(source.uri.length + 1);
  return decoded(below).replaceAll('/', ':');
}
