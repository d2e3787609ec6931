/** The plugins around a file, as the clients that load their skills see them (docs/clients.md, "Skills of plugins"). */
import { pathOf } from '../clients/matrix/subject.ts';
import { directFolders } from '../clients/pipeline/plugin.ts';
import type { Manifest, PluginEntry, PluginFolder } from '../clients/pipeline/plugin-rules.ts';
import { findValue, stringOf } from '../languages/yaml/node.ts';
import { type FileEntry, SkillFile } from '../skill/skill-file.ts';
import type { FolderManifest } from '../skill-folder/folder-manifests.ts';
import { clientFileOf, folderOf } from '../vocabulary/dialect.ts';

type TextFile = Pick<FileEntry, 'uri' | 'text'>;

/** Look-ups of the plugins around a file. */
export class PluginFolders {
  readonly #manifests: readonly FolderManifest[];
  readonly #files: () => Iterable<TextFile>;
  #byFolder: ReadonlyMap<string, PluginFolder> | undefined;
  readonly #around = new Map<string, readonly PluginFolder[] | undefined>();

  /**
   * @param manifests the manifests of a workspace
   * @param files all files, of which the commands count
   */
  constructor(manifests: Iterable<readonly FolderManifest[]>, files: () => Iterable<TextFile>) {
    this.#manifests = [...manifests].flat();
    this.#files = files;
  }

  /** Returns the plugins whose folders contain a file, the innermost first; undefined without one. */
  around(uri: string): readonly PluginFolder[] | undefined {
    if (this.#manifests.length === 0) return undefined;
    const own = folderOf(uri);
    if (!this.#around.has(own)) this.#around.set(own, this.#above(own));
    return this.#around.get(own);
  }

  #above(own: string): readonly PluginFolder[] | undefined {
    this.#byFolder ??= foldersOf(this.#manifests, this.#files);
    const found: PluginFolder[] = [];
    for (let folder = own; folder.includes('/'); folder = folderOf(folder)) {
      const plugin = this.#byFolder.get(folder);
      if (plugin) found.push(plugin);
    }
    return found.length > 0 ? found : undefined;
  }
}

function foldersOf(all: readonly FolderManifest[], files: () => Iterable<TextFile>): ReadonlyMap<string, PluginFolder> {
  const found = new Map<string, { manifests: Manifest[]; entries: PluginEntry[]; commands: string[] }>();
  for (const one of all) {
    const known = found.get(one.folder) ?? { manifests: [], entries: [], commands: [] };
    found.set(one.folder, known);
    if ('manifest' in one) known.manifests.push(one.manifest);
    else known.entries.push(one.entry);
  }
  for (const { uri, text } of files()) {
    const file = clientFileOf(uri);
    const plugin = file?.kind === 'command' ? found.get(file.root) : undefined;
    if (plugin && file && isDescribed({ uri, text })) plugin.commands.push(file.name);
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
      return [folder, { path, ...plugin, ...instead, direct, plans: new Map() }];
    }),
  );
}

/** Returns whether a command has a description. A client does not list one of a plugin without it. */
export const isDescribed = ({ uri, text }: TextFile): boolean =>
  Boolean(stringOf(findValue(new SkillFile(uri, text).frontmatter.tree.root, 'description'))?.trim());

/** Returns a text that is equal for plugins of one name beside each other. */
function nameKey(folder: string, manifests: readonly Manifest[]): string | undefined {
  const name = manifests.find((one) => one.name !== undefined)?.name;
  return name === undefined ? undefined : `${folderOf(folder)} ${name}`;
}
