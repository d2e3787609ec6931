/** A browser client with an in-memory file system, in which a write can fail. */
import assert from 'node:assert/strict';
import { dirname } from 'node:path/posix';
import type { FileType, Uri } from 'vscode';
import { URI } from 'vscode-uri';
import {
  fileExists,
  listFolder,
  readBytes,
  uriIn,
  writeTree,
} from '../../../client/src/language-server/file-access.ts';
import { clientFolderAccess, clientFoldersIn } from '../../../server/src/frontends/lsp/client-files.ts';
import {
  ExistsRequest,
  ListFolderRequest,
  type ParamsOf,
  ReadBytesRequest,
  type WriteTreeParams,
  WriteTreeRequest,
} from '../../../server/src/protocol.ts';
import type { FolderAccess, OpenFolderAccess } from '../../../server/src/services/packing/folder-access.ts';

const [FILE, FOLDER, LINK] = [1, 2, 64];

export class MemoryClient {
  readonly files = new Map<string, Uint8Array>();
  readonly links = new Set<string>();
  readonly folders = new Set(['/']);
  /** The folders that the server listed. */
  readonly listed: string[] = [];
  /** The number of changes that succeed before a change fails. Later changes succeed again. */
  failsAfter = Number.POSITIVE_INFINITY;

  constructor(files: Iterable<readonly [string, Uint8Array]> = []) {
    for (const [path, bytes] of files) this.#put(path, bytes);
  }

  folder(path: string): FolderAccess {
    return clientFolderAccess({ sendRequest: this.#answer as never })(`memory:${path}`);
  }

  openFolderIn(folders: readonly string[]): OpenFolderAccess {
    return clientFoldersIn({ sendRequest: this.#answer as never }, () => folders);
  }

  /** All files, and the empty folders. */
  get tree(): readonly (readonly [string, string])[] {
    const files = [...this.files].map(([path, bytes]) => [path, Buffer.from(bytes).toString('hex')] as const);
    const folders = [...this.folders].map((path) => [path, 'folder'] as const);
    return [...files, ...folders].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  #put(path: string, bytes: Uint8Array): void {
    for (let above = dirname(path); !this.folders.has(above); above = dirname(above)) this.folders.add(above);
    this.files.set(path, bytes);
  }

  #change(): void {
    if (this.failsAfter-- === 0) throw new Error('the quota is used up');
  }

  #typeOf(path: string): FileType | undefined {
    const type = this.files.has(path) ? FILE : this.folders.has(path) ? FOLDER : undefined;
    return type === undefined ? undefined : ((this.links.has(path) ? type | LINK : type) as FileType);
  }

  #fs = {
    stat: async ({ path }: Uri) => {
      const type = this.#typeOf(path);
      if (type === undefined) throw Object.assign(new Error('not found'), { code: 'FileNotFound' });
      return { type, size: this.files.get(path)?.length ?? 0, ctime: 0, mtime: 0 };
    },
    readFile: async ({ path }: Uri) => this.files.get(path) as Uint8Array<ArrayBuffer>,
    readDirectory: async ({ path }: Uri) =>
      [...this.files.keys(), ...this.folders]
        .filter((one) => one !== path && dirname(one) === path)
        .map((one): [string, FileType] => [one.slice(one.lastIndexOf('/') + 1), this.#typeOf(one) as FileType]),
    writeFile: async ({ path }: Uri, bytes: Uint8Array) => {
      // A failed write leaves the file partly written.
      this.#put(path, bytes.subarray(0, 1));
      this.#change();
      this.#put(path, bytes);
    },
    delete: async ({ path }: Uri) => {
      this.#change();
      for (const one of [...this.files.keys(), ...this.folders]) {
        if (one !== path && !one.startsWith(`${path}/`)) continue;
        this.files.delete(one);
        this.folders.delete(one);
      }
    },
  };

  #answer = async (request: string, params: unknown): Promise<unknown> => {
    const { uri = '', most = 0 } = params as Partial<ParamsOf<typeof ReadBytesRequest>>;
    const file = URI.parse(uri) as unknown as Uri;
    if (request === ReadBytesRequest.method) return readBytes(this.#fs, file, most);
    if (request === ExistsRequest.method) return fileExists(this.#fs, file);
    if (request === WriteTreeRequest.method) {
      const folder = URI.parse((params as WriteTreeParams).folder) as unknown as Uri;
      return writeTree(this.#fs, (path) => uriIn(folder, path), params as WriteTreeParams);
    }
    assert.equal(request, ListFolderRequest.method);
    this.listed.push(file.path);
    return listFolder(this.#fs, file);
  };
}
