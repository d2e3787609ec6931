/** Files that only the client can reach, as in a browser: every call is a request to it. */
import type { Connection } from 'vscode-languageserver';
import { URI } from 'vscode-uri';
import {
  ExistsRequest,
  type FileContent,
  type FindFilesParams,
  FindFilesRequest,
  type ListedEntry,
  ListFolderRequest,
  ReadFileRequest,
} from '../../protocol.ts';
import type { Files } from '../files/files.ts';
import { globTest, isIgnored } from '../files/globs.ts';

type Client = Pick<Connection, 'sendRequest'>;

export const clientFiles = (client: Client): Files => ({
  async find(folders, globs) {
    const found = await Promise.all(folders.map((folder) => findIn(client, folder, globs)));
    return [...new Set(found.flat())].sort();
  },
  // A client does not say where links lead.
  read: (uri) => client.sendRequest<FileContent>(ReadFileRequest, { uri }),
  async list(uri) {
    const entries = await client.sendRequest<ListedEntry[]>(ListFolderRequest, { uri });
    return entries.map(({ name, kind }) => ({ name, isFolder: kind === 'folder' }));
  },
  exists: (uri) => client.sendRequest<boolean>(ExistsRequest, { uri }),
});

/** What a client finds counts by the same globs as what is on a disk. */
async function findIn(client: Client, folder: string, globs: readonly string[]): Promise<readonly string[]> {
  const matches = globTest(globs);
  const params: FindFilesParams = { folder, globs: globs.filter((glob) => !glob.startsWith('!')) };
  const found = await client.sendRequest<string[]>(FindFilesRequest, params);
  const root = URI.parse(folder).path.replace(/\/$/, '');
  return found.filter((uri) => {
    const path = URI.parse(uri).path.slice(root.length + 1);
    return !isIgnored(path) && matches(path);
  });
}
