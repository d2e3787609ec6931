/** A workspace folder that exists only in this worker. `files.json` beside this script has its initial files. */
const vscode = require('vscode');

/** @typedef {{type: vscode.FileType, ctime: number, mtime: number, bytes: Uint8Array}} Entry */

exports.activate = async function activate(/** @type {vscode.ExtensionContext} */ context) {
  const given = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(context.extensionUri, 'files.json'));
  /** @type {Record<string, string>} */
  const files = JSON.parse(new TextDecoder().decode(given));
  const folder = new MemoryFolder();
  for (const [path, text] of Object.entries(files)) folder.put(path, new TextEncoder().encode(text));
  context.subscriptions.push(vscode.workspace.registerFileSystemProvider('memory', folder, { isCaseSensitive: true }));
};

/** @implements {vscode.FileSystemProvider} */
class MemoryFolder {
  #changed = new vscode.EventEmitter();
  onDidChangeFile = this.#changed.event;
  /** @type {Map<string, Entry>} by path */
  #entries = new Map(['/', '/folder'].map((path) => [path, made(vscode.FileType.Directory)]));

  watch() {
    return new vscode.Disposable(() => {});
  }

  stat(/** @type {vscode.Uri} */ uri) {
    const { type, ctime, mtime, bytes } = this.#at(uri);
    return { type, ctime, mtime, size: bytes.length };
  }

  readDirectory(/** @type {vscode.Uri} */ uri) {
    this.#at(uri);
    const beginning = uri.path === '/' ? '/' : `${uri.path}/`;
    /** @type {[string, vscode.FileType][]} */
    const inside = [];
    for (const [path, { type }] of this.#entries) {
      const name = path.startsWith(beginning) ? path.slice(beginning.length) : '';
      if (name !== '' && !name.includes('/')) inside.push([name, type]);
    }
    return inside;
  }

  readFile(/** @type {vscode.Uri} */ uri) {
    const { type, bytes } = this.#at(uri);
    if (type !== vscode.FileType.File) throw vscode.FileSystemError.FileIsADirectory(uri);
    return bytes;
  }

  createDirectory(/** @type {vscode.Uri} */ uri) {
    this.#entries.set(uri.path, made(vscode.FileType.Directory));
    this.#tell([[vscode.FileChangeType.Created, uri.path]]);
  }

  writeFile(
    /** @type {vscode.Uri} */ uri,
    /** @type {Uint8Array} */ bytes,
    /** @type {{create: boolean, overwrite: boolean}} */ { create, overwrite },
  ) {
    const isThere = this.#entries.has(uri.path);
    if (!isThere && !create) throw vscode.FileSystemError.FileNotFound(uri);
    if (isThere && create && !overwrite) throw vscode.FileSystemError.FileExists(uri);
    this.put(uri.path, bytes);
    this.#tell([[isThere ? vscode.FileChangeType.Changed : vscode.FileChangeType.Created, uri.path]]);
  }

  delete(/** @type {vscode.Uri} */ uri) {
    this.#at(uri);
    const gone = this.#below(uri.path);
    for (const path of gone) this.#entries.delete(path);
    this.#tell(gone.map((path) => [vscode.FileChangeType.Deleted, path]));
  }

  rename(/** @type {vscode.Uri} */ from, /** @type {vscode.Uri} */ to) {
    this.#at(from);
    const moved = this.#below(from.path);
    for (const path of moved) {
      this.#entries.set(to.path + path.slice(from.path.length), /** @type {Entry} */ (this.#entries.get(path)));
      this.#entries.delete(path);
    }
    this.#tell(
      moved.flatMap((path) => [
        [vscode.FileChangeType.Deleted, path],
        [vscode.FileChangeType.Created, to.path + path.slice(from.path.length)],
      ]),
    );
  }

  /** Writes a file, and creates the folders of its path. */
  put(/** @type {string} */ path, /** @type {Uint8Array} */ bytes) {
    for (let end = path.indexOf('/', 1); end > 0; end = path.indexOf('/', end + 1)) {
      const above = path.slice(0, end);
      if (!this.#entries.has(above)) this.#entries.set(above, made(vscode.FileType.Directory));
    }
    this.#entries.set(path, { ...made(vscode.FileType.File), bytes });
  }

  /** @param {vscode.Uri} uri */
  #at(uri) {
    const entry = this.#entries.get(uri.path);
    if (!entry) throw vscode.FileSystemError.FileNotFound(uri);
    return entry;
  }

  /** @param {string} path */
  #below(path) {
    return [...this.#entries.keys()].filter((other) => other === path || other.startsWith(`${path}/`));
  }

  /** @param {(readonly [vscode.FileChangeType, string])[]} changes */
  #tell(changes) {
    this.#changed.fire(changes.map(([type, path]) => ({ type, uri: vscode.Uri.from({ scheme: 'memory', path }) })));
  }
}

/** @param {vscode.FileType} type */
function made(type) {
  return { type, ctime: Date.now(), mtime: Date.now(), bytes: new Uint8Array() };
}
