/** Files that only the client can reach, as in a browser: every call is a request to it. */
import type { Connection } from 'vscode-languageserver';
import {
  ExistsRequest,
  type FileContent,
  FindFilesRequest,
  ListFolderRequest,
  ReadFileRequest,
} from '../../protocol.ts';
import type { Files, FolderEntry } from './files.ts';

export const clientFiles = (connection: Connection): Files => ({
  find: (_folders, globs) => connection.sendRequest<string[]>(FindFilesRequest, { globs }),
  // A client does not say where links lead.
  read: (uri) => connection.sendRequest<FileContent>(ReadFileRequest, { uri }),
  list: (uri) => connection.sendRequest<FolderEntry[]>(ListFolderRequest, { uri }),
  exists: (uri) => connection.sendRequest<boolean>(ExistsRequest, { uri }),
});
