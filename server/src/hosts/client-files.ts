/** Files that only the client can reach, as in a browser: every call is a request to it. */
import type { Connection } from 'vscode-languageserver';
import { ExistsRequest, FindFilesRequest, ReadFileRequest } from '../protocol.ts';
import type { Files } from './files.ts';

export const clientFiles = (connection: Connection): Files => ({
  find: (_folders, globs) => connection.sendRequest<string[]>(FindFilesRequest, { globs }),
  read: async (uri) => (await connection.sendRequest<string | null>(ReadFileRequest, { uri })) ?? undefined,
  exists: (uri) => connection.sendRequest<boolean>(ExistsRequest, { uri }),
});
