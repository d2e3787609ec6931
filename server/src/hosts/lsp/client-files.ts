/** Returns files that only the client can access, as in a browser: every call is a request to the client. */
import type { Connection } from 'vscode-languageserver';
import { URI } from 'vscode-uri';
import { ExistsRequest, FindFilesRequest, ListFolderRequest, ReadFileRequest, sendRequest } from '../../protocol.ts';
import type { Files } from '../files/files.ts';
import { globTest, isIgnored } from '../files/globs.ts';

type Client = Pick<Connection, 'sendRequest'>;

export const clientFiles = (client: Client): Files => ({
  async find(folders, globs) {
    const found = await Promise.all(folders.map((folder) => findIn(client, folder, globs)));
    return [...new Set(found.flat())].sort();
  },
  // A client does not report the targets of links.
  read: (uri) => sendRequest(client, ReadFileRequest, { uri }),
  async list(uri) {
    const entries = await sendRequest(client, ListFolderRequest, { uri });
    return entries.map(({ name, kind }) => ({ name, isFolder: kind === 'folder' }));
  },
  exists: (uri) => sendRequest(client, ExistsRequest, { uri }),
});

/** Finds files through the client, and filters them with the same globs as files on disk. */
async function findIn(client: Client, folder: string, globs: readonly string[]): Promise<readonly string[]> {
  const matches = globTest(globs);
  const params = { folder, globs: globs.filter((glob) => !glob.startsWith('!')) };
  const found = await sendRequest(client, FindFilesRequest, params);
  const root = URI.parse(folder).path.replace(/\/$/, '');
  return found.filter((uri) => {
    const path = URI.parse(uri).path.slice(root.length + 1);
    return !isIgnored(path) && matches(path);
  });
}
