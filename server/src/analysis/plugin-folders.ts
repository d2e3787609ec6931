/** The plugins around a file, as the clients that load their skills see them (docs/clients.md, "Skills of plugins"). */
import { pathOf } from '../clients/matrix/subject.ts';
import { directFolders } from '../clients/pipeline/plugin.ts';
import type { Manifest, PluginCommand, PluginEntry, PluginFolder } from '../clients/pipeline/plugin-rules.ts';
import type { FileEntry } from '../skill/skill-file.ts';
import type { FolderManifest } from '../skill-folder/folder-manifests.ts';
import { folderOf } from '../vocabulary/dialect.ts';
import { type Exists, PluginCommands } from './plugin-commands.ts';

type TextFile = Pick<FileEntry, 'uri' | 'text'>;

/** Look-ups of the plugins around a file. */
export class PluginFolders {
  readonly #manifests: readonly FolderManifest[];
  readonly #files: () => Iterable<TextFile>;
  readonly #exists: Exists;
  #commands: PluginCommands | undefined;
  #byFolder: ReadonlyMap<string, PluginFolder> | undefined;
  readonly #around = new Map<string, readonly PluginFolder[] | undefined>();

  /**
   * @param manifests the manifests of a workspace
   * @param files all files, of which the commands count
   * @param exists for files that were perhaps not read
   */
  constructor(manifests: Iterable<readonly FolderManifest[]>, files: () => Iterable<TextFile>, exists: Exists) {
    this.#manifests = [...manifests].flat();
    this.#files = files;
    this.#exists = exists;
  }

  /** Returns the plugins whose folders contain a file, the innermost first; undefined without one. */
  around(uri: string): readonly PluginFolder[] | undefined {
    if (this.#manifests.length === 0) return undefined;
    const own = folderOf(uri);
    if (!this.#around.has(own)) this.#around.set(own, this.#above(own));
    return this.#around.get(own);
  }

  /** Returns a text that changes with the commands that a file defines in plugins. */
  commandKey(file: TextFile): string {
    return this.#manifests.length === 0 ? '' : this.#commandFinder().keyOf(file);
  }

  /** Returns a text that changes if a command that a manifest names is added or deleted. */
  existsKey(exists: Exists): string {
    return this.#manifests.length === 0 ? '' : this.#commandFinder().existsKey(exists);
  }

  #commandFinder(): PluginCommands {
    this.#commands ??= new PluginCommands(this.#manifests);
    return this.#commands;
  }

  #above(own: string): readonly PluginFolder[] | undefined {
    this.#byFolder ??= foldersOf(this.#manifests, this.#commandFinder().read(this.#files(), this.#exists));
    const found: PluginFolder[] = [];
    for (let folder = own; folder.includes('/'); folder = folderOf(folder)) {
      const plugin = this.#byFolder.get(folder);
      if (plugin) found.push(plugin);
    }
    return found.length > 0 ? found : undefined;
  }
}

function foldersOf(
  all: readonly FolderManifest[],
  commandsOf: ReadonlyMap<string, readonly PluginCommand[]>,
): ReadonlyMap<string, PluginFolder> {
  const found = new Map<string, { manifests: Manifest[]; entries: PluginEntry[] }>();
  for (const one of all) {
    const known = found.get(one.folder) ?? { manifests: [], entries: [] };
    found.set(one.folder, known);
    if ('manifest' in one) known.manifests.push(one.manifest);
    else known.entries.push(one.entry);
  }
  const firsts = new Map<string, string>();
  for (const folder of [...found.keys()].sort()) {
    const key = nameKey(folder, found.get(folder)?.manifests ?? []);
    if (key !== undefined && !firsts.has(key)) firsts.set(key, folder);
  }
  return new Map(
    [...found].map(([folder, plugin]) => {
      const first = firsts.get(nameKey(folder, plugin.manifests) ?? '');
      const instead = first !== undefined && first !== folder && { instead: pathOf(first) };
      const path = pathOf(folder);
      const direct = directFolders(path, [...plugin.manifests, ...plugin.entries]);
      const commands = commandsOf.get(folder) ?? [];
      return [folder, { path, ...plugin, commands, ...instead, direct, plans: new Map() }];
    }),
  );
}

/** Returns a text that is equal for plugins of one name beside each other. */
function nameKey(folder: string, manifests: readonly Manifest[]): string | undefined {
  const name = manifests.find((one) => one.name !== undefined)?.name;
  return name === undefined ? undefined : `${folderOf(folder)} ${name}`;
}
