/** Answers file requests from a server in a browser, where the server has no file system. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  ExistsRequest,
  FindFilesRequest,
  type ListedEntry,
  ListFolderRequest,
  onRequest,
  ReadBytesRequest,
  ReadFileRequest,
  WriteTreeRequest,
} from '../../../server/src/protocol.ts';
import { readBytes, readContent, writeTree } from './file-access.ts';
import { findFiles } from './find-files.ts';

export function answerFileRequests(client: BaseLanguageClient): void {
  onRequest(client, FindFilesRequest, async ({ folder, globs }) => {
    const found = await findFiles(vscode.Uri.parse(folder), globs);
    return [...new Set(found.map((uri) => uri.toString()))];
  });
  onRequest(client, ReadFileRequest, ({ uri }) => readContent(vscode.workspace.fs, vscode.Uri.parse(uri)));
  onRequest(client, ReadBytesRequest, ({ uri, most }) => readBytes(vscode.workspace.fs, vscode.Uri.parse(uri), most));
  onRequest(client, WriteTreeRequest, (params) =>
    writeTree(vscode.workspace.fs, (path) => vscode.Uri.joinPath(vscode.Uri.parse(params.folder), path), params),
  );
  onRequest(client, ListFolderRequest, async ({ uri }) => {
    try {
      const entries = await vscode.workspace.fs.readDirectory(vscode.Uri.parse(uri));
      return entries.map(([name, type]) => ({ name, kind: kindOf(type) }));
    } catch {
      return [];
    }
  });
  onRequest(client, ExistsRequest, async ({ uri }) => {
    try {
      await vscode.workspace.fs.stat(vscode.Uri.parse(uri));
      return true;
    } catch {
      return false;
    }
  });
}

function kindOf(type: vscode.FileType): ListedEntry['kind'] {
  if ((type & vscode.FileType.SymbolicLink) !== 0) return 'link';
  if (type === vscode.FileType.Directory) return 'folder';
  return type === vscode.FileType.File ? 'file' : 'other';
}
