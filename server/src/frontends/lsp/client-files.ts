/**
 * Files and folders that only the client can access, as in a browser: every call is a request to the client. The client
 * reports no file modes and no targets of links.
 */
import * as v from 'valibot';
import type { Connection } from 'vscode-languageserver';
import { URI, Utils } from 'vscode-uri';
import { Exclusions, ExclusionsOf } from '../../io/exclusions.ts';
import type { Files, TreeChange } from '../../io/files.ts';
import { globTest, isIgnored } from '../../io/globs.ts';
import { outsideWorkspace, UserError, userMessage } from '../../io/user-error.ts';
import { MAX_ARCHIVE_BYTES } from '../../packing/limits.ts';
import {
  ExistsRequest,
  type FileContent,
  FindFilesRequest,
  type ListedEntry,
  ListFolderRequest,
  ReadBytesRequest,
  ReadFileRequest,
  sendRequest,
  type WriteTreeParams,
  WriteTreeRequest,
} from '../../protocol.ts';
import {
  type FolderAccess,
  isInsideFolder,
  type OpenFolderAccess,
  uriAt,
} from '../../services/packing/folder-access.ts';
import { type Folder, openFolder, openSubset, workspaceAbove } from '../../services/packing/folder-source.ts';
import { openArchive, type Read, type Source } from '../../services/packing/source.ts';
import { CATALOG_NAME, dialectOf } from '../../vocabulary/dialect.ts';
import type { ClientRequests } from './client-requests.ts';

type Client = Pick<Connection, 'sendRequest'>;

const isText = v.string();
const isFileContent = v.variant('kind', [
  v.looseObject({ kind: v.literal('text'), text: isText }),
  v.looseObject({ kind: v.picklist(['unreadable', 'same', 'absent']) }),
]);
const isEntries = v.array(v.looseObject({ name: isText, kind: v.picklist(['file', 'folder', 'link', 'other']) }));

export const clientFiles = (client: ClientRequests): Files => ({
  async find(folders, globs, within = []) {
    const found = (await Promise.all(folders.map((folder) => findIn(client, folder, globs)))).flat();
    const kept = await keepIn(client, [...new Set(found)], within);
    return [...kept].sort();
  },
  withoutExcluded: (uris, within) => keepIn(client, uris, within),
  // A client does not report the targets of links.
  read: (uri) =>
    client.require(ReadFileRequest, { uri }, isFileContent).catch((error: unknown) => {
      userMessage(error);
      return { kind: 'unreadable', reason: 'failed' };
    }),
  async list(uri) {
    const entries = await client.require(ListFolderRequest, { uri }, isEntries);
    return entries.map(({ name, kind }) => ({ name, isFolder: kind === 'folder' }));
  },
  exists: (uri) => client.require(ExistsRequest, { uri }, v.boolean()),
});

/**
 * Returns the files that are not left out. One request finds the files with patterns; a browser shows no `.git`, so that
 * worktrees are not recognised.
 */
async function keepIn(client: ClientRequests, uris: readonly string[], within: readonly string[]) {
  if (uris.length === 0 || within.length === 0) return uris;
  const known = new Set([
    ...uris,
    ...(await Promise.all(within.map((one) => findIn(client, one, IGNORE_FILES)))).flat(),
  ]);
  const read = async (uri: string): Promise<FileContent> =>
    known.has(uri) ? client.require(ReadFileRequest, { uri }, isFileContent) : { kind: 'absent' };
  return new ExclusionsOf(within, (root) => new Exclusions(root, { read })).keep(uris);
}

const IGNORE_FILES = ['**/.gitignore'];

/** Finds files through the client, and filters them with the same globs as files on disk. */
async function findIn(client: ClientRequests, folder: string, globs: readonly string[]): Promise<readonly string[]> {
  const matches = globTest(globs);
  const params = { folder, globs: globs.filter((glob) => !glob.startsWith('!')) };
  const found = await client.require(FindFilesRequest, params, v.array(isText));
  const root = URI.parse(folder).path.replace(/\/$/, '');
  return found.filter((uri) => {
    const path = URI.parse(uri).path.slice(root.length + 1);
    return !isIgnored(path) && matches(path);
  });
}

/** Returns a function that opens only folders in the workspace. `folders` returns the URIs of the workspace folders. */
export const clientFoldersIn =
  (client: Client, folders: () => readonly string[]): OpenFolderAccess =>
  async (uri) => {
    // A word without a scheme would count as a relative path.
    const named = URI.parse(uri).toString();
    for (const folder of folders()) {
      const relativePath = pathFromFolder(folder, named);
      if (isInsideFolder(relativePath))
        return clientFolderAccess(client)(relativePath === '' ? folder : uriAt({ uri: folder }, relativePath));
    }
    throw outsideWorkspace(uri);
  };

/** Returns access to a folder. The paths that users name are URIs. */
export const clientFolderAccess =
  (client: Client): ((uri: string) => FolderAccess) =>
  (uri) => {
    const relativePath = (word: string): string => pathFromFolder(uri, word);
    const write = async (folder: string, { write: files, remove }: TreeChange): Promise<void> => {
      const params: WriteTreeParams = { folder, write: files.map(({ path, bytes }) => ({ path, bytes })), remove };
      const { problem } = await sendRequest(client, WriteTreeRequest, params);
      if (problem !== null) throw new Error(problem);
    };
    return {
      uri,
      relativePath,
      relativePathOfUri: relativePath,
      open: (word = uri) => openSource(client, word),
      openParts: (folders) => openSubset(folderAt(client, uri), folders),
      read: (path, most) => readAt(client, uriAt({ uri }, path), most),
      realUri: async (path) => uriAt({ uri }, path),
      alone: (work) => work(),
      settle: async () => {},
      async write(change, isUnchanged) {
        if (!(await isUnchanged())) return 'changed';
        await write(uri, change);
        return 'written';
      },
      replace: (word, bytes) =>
        write(parentOf(word), { write: [{ path: nameOf(word), bytes, isExecutable: false }], remove: [] }),
    };
  };

async function readAt(client: Client, uri: string, most: number): Promise<Read> {
  const params = { uri, most };
  const content = await sendRequest(client, ReadBytesRequest, params);
  if (content.kind === 'bytes') return { bytes: content.bytes, isExecutable: false };
  return content.kind === 'absent' ? 'absent' : content.reason;
}

/** Opens a file, a folder or an archive. */
async function openSource(client: Client, uri: string): Promise<Source> {
  const shown = `\`${nameOf(uri)}\``;
  const read = await readAt(client, uri, MAX_ARCHIVE_BYTES);
  if (read === 'absent') throw new UserError(`${shown} does not exist. Name a file, a folder or an archive.`);
  if (read === 'folder') return openFolder(folderAt(client, uri));
  if (dialectOf(uri) === undefined) return withoutModes(await openArchive(read, nameOf(uri), shown));
  const folder = parentOf(uri);
  const root = await workspaceAbove(folder, parentOf, (above) =>
    sendRequest(client, ExistsRequest, { uri: uriAt({ uri: above }, CATALOG_NAME) }),
  );
  const only = pathFromFolder(root, uri);
  const source = await openFolder(folderAt(client, root), only);
  // If the user picked a file, a browser does not list its folder.
  return { ...source, paths: [...new Set([...source.paths, only])].sort() };
}

/** Clears the executable bit, because browsers cannot set it. */
const withoutModes = (source: Source): Source => ({
  ...source,
  read: async (path) => ({ ...(await source.read(path)), isExecutable: false }),
});

const folderAt = (client: Client, uri: string): Folder => ({
  name: nameOf(uri),
  list: (path) => sendRequest(client, ListFolderRequest, { uri: path === '' ? uri : uriAt({ uri }, path) }),
  async find(path) {
    const parts = path.split('/');
    for (let length = 1; length < parts.length; length++)
      if ((await kindAt(client, uriAt({ uri }, parts.slice(0, length).join('/')))) !== 'folder') return undefined;
    return kindAt(client, uriAt({ uri }, path));
  },
  follow: async () => ({ why: 'is a link, and browsers do not report its target' }),
  read: (path, most) => readAt(client, uriAt({ uri }, path), most),
});

/**
 * Returns the kind of an entry. With a limit of 0 bytes, the content of a file is not read, but the reply still
 * distinguishes files from folders.
 */
async function kindAt(client: Client, uri: string): Promise<ListedEntry['kind'] | undefined> {
  const read = await readAt(client, uri, 0);
  if (typeof read !== 'string' || read === 'too-large') return 'file';
  return read === 'folder' ? 'folder' : read === 'outside' ? 'link' : undefined;
}

const nameOf = (uri: string): string => Utils.basename(URI.parse(uri));

const parentOf = (uri: string): string => Utils.dirname(URI.parse(uri)).toString();

/** Returns the relative path from a folder to another URI, or this URI if there is no such path. */
function pathFromFolder(folder: string, other: string): string {
  const [from, to] = [URI.parse(folder), URI.parse(other)];
  if (from.scheme !== to.scheme || from.authority !== to.authority) return other;
  const partsOf = ({ path }: URI): string[] => {
    const parts: string[] = [];
    for (const part of path.split('/')) {
      if (part === '..') parts.pop();
      else if (part !== '' && part !== '.') parts.push(part);
    }
    return parts;
  };
  const [above, below] = [partsOf(from), partsOf(to)];
  let shared = 0;
  while (shared < above.length && above[shared] === below[shared]) shared++;
  return [...above.slice(shared).map(() => '..'), ...below.slice(shared)].join('/');
}
