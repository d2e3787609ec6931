/** Files that only the client can reach, as in a browser: every call is a request to it. */
import type { Connection } from 'vscode-languageserver';
import { ExistsRequest, FindFilesRequest, ListFolderRequest, ReadFileRequest } from '../../protocol.ts';
import type { Files, FolderEntry } from './files.ts';

export const clientFiles = (connection: Connection): Files => ({
  find: (_folders, globs) => connection.sendRequest<string[]>(FindFilesRequest, { globs }),
  read: async (uri) => (await connection.sendRequest<string | null>(ReadFileRequest, { uri })) ?? undefined,
  list: (uri) => connection.sendRequest<FolderEntry[]>(ListFolderRequest, { uri }),
  exists: (uri) => connection.sendRequest<boolean>(ExistsRequest, { uri }),
});
