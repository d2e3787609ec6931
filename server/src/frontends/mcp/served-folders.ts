/** The skills of the authoring server, synchronized with the disk: changed files are read before each call. */

import { dirname, join, relative, resolve, sep } from 'node:path';
import { Workspace } from '../../analysis/workspace.ts';
import { changeOf } from '../../io/files.ts';
import { isWithin, toPath, toUri } from '../../io/paths.ts';
import { linksTo } from '../../io/project.ts';
import { readFound } from '../../io/read-file.ts';
import { findBelow, findUpward } from '../../io/select-files.ts';
import { sharedReading, stampOf } from '../../io/shared-reading.ts';
import { today } from '../../services/session/pacing.ts';
import { CATALOG_NAME } from '../../vocabulary/dialect.ts';
import { SNAPSHOT_NAME } from '../../workspace/tool-snapshot.ts';

export class ServedFolders {
  readonly root: string;
  readonly account: string | undefined;
  readonly workspace = new Workspace();
  /** The files that are links. */
  readonly linked = new Set<string>();
  /** The stamp that each file had when it was last read, by path. */
  readonly #stamps = new Map<string, string>();
  /** Reads changed files. Afterwards, all changes made before this call are known. */
  readonly refresh = sharedReading(() => this.#read());

  /** `root` and `account` are absolute paths. */
  constructor(root: string, account: string | undefined) {
    this.root = root;
    this.account = account;
    if (account !== undefined) this.workspace.apply({ kind: 'account', folders: [toUri(account)] });
  }

  /** Returns the served folder that contains a file; undefined for other files. */
  folderOf(uri: string): string | undefined {
    const path = toPath(uri);
    return [this.account, this.root].find((folder) => folder !== undefined && isWithin(folder, path));
  }

  /** Returns the name of a file in results: relative to its folder, with `/`. */
  readonly fileOf = (uri: string): string => {
    const path = toPath(uri);
    return relative(this.folderOf(uri) ?? this.root, path).replaceAll(sep, '/');
  };

  /** Returns the URI of the file to which results refer as `file`; otherwise undefined. */
  uriOf(file: string): string | undefined {
    const folders = this.account === undefined ? [this.root] : [this.root, this.account];
    return folders.map((folder) => toUri(resolve(folder, file))).find((uri) => this.workspace.index.files.has(uri));
  }

  async #read(): Promise<void> {
    const { root, account, workspace } = this;
    const folders = account === undefined ? [root] : [root, account];
    const catalogs = await findUpward(new Set([root]), CATALOG_NAME);
    const found = await Promise.all(folders.map((folder) => findBelow(folder)));
    const paths = new Set([
      ...found.flatMap((one) => one.paths),
      ...catalogs.flatMap((catalog) => [catalog, join(dirname(catalog), SNAPSHOT_NAME)]),
    ]);
    const links = linksTo([...folders, ...catalogs.map(dirname)], [...paths]);
    const stamps = await Promise.all([...paths].map(async (path) => [path, await stampOf(path)] as const));
    for (const [path, stamp] of stamps) {
      if (this.#stamps.get(path) === stamp) continue;
      const content = await readFound(path, links);
      if (content.kind === 'text' && content.target) this.linked.add(toUri(path));
      else this.linked.delete(toUri(path));
      workspace.apply(changeOf(toUri(path), content));
      this.#stamps.set(path, stamp);
    }
    for (const path of this.#stamps.keys()) {
      if (paths.has(path)) continue;
      workspace.apply({ kind: 'delete', uri: toUri(path) });
      this.#stamps.delete(path);
    }
    workspace.apply({ kind: 'today', date: today() });
  }
}
