/** Answers the file requests of a server in a browser, which has no file system of its own. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  ExistsRequest,
  type FileContent,
  type FindFilesParams,
  FindFilesRequest,
  ListFolderRequest,
  type ReadFileParams,
  ReadFileRequest,
} from '../../../server/src/protocol.ts';
import { readContent } from './read-content.ts';

/** Folders whose files are never skills of the workspace. */
const IGNORED = '**/{node_modules,.git}/**';

export function answerFileRequests(client: BaseLanguageClient): void {
  client.onRequest(FindFilesRequest, async ({ globs }: FindFilesParams) => {
    const found = await Promise.all(globs.map((glob) => vscode.workspace.findFiles(glob, IGNORED)));
    return [...new Set(found.flat().map((uri) => uri.toString()))];
  });
  client.onRequest<FileContent, void>(ReadFileRequest, ({ uri }: ReadFileParams) =>
    readContent(vscode.workspace.fs, vscode.Uri.parse(uri)),
  );
  client.onRequest(ListFolderRequest, async ({ uri }: ReadFileParams) => {
    try {
      const entries = await vscode.workspace.fs.readDirectory(vscode.Uri.parse(uri));
      return entries.map(([name, type]) => ({ name, isFolder: (type & vscode.FileType.Directory) !== 0 }));
    } catch {
      return [];
    }
  });
  client.onRequest<boolean, void>(ExistsRequest, async ({ uri }: ReadFileParams) => {
    try {
      await vscode.workspace.fs.stat(vscode.Uri.parse(uri));
      return true;
    } catch {
      return false;
    }
  });
}
