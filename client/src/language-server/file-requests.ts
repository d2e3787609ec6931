/** Answers the file requests of a server in a browser, which has no file system of its own. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  type BytesContent,
  ExistsRequest,
  type FileContent,
  type FindFilesParams,
  FindFilesRequest,
  type ListedEntry,
  ListFolderRequest,
  type ReadBytesParams,
  ReadBytesRequest,
  type ReadFileParams,
  ReadFileRequest,
  type WriteTreeParams,
  type WriteTreeReply,
  WriteTreeRequest,
} from '../../../server/src/protocol.ts';
import { findFiles } from './find-files.ts';
import { readBytes, readContent } from './read-content.ts';
import { writeTree } from './write-tree.ts';

export function answerFileRequests(client: BaseLanguageClient): void {
  client.onRequest(FindFilesRequest, async ({ folder, globs }: FindFilesParams) => {
    const found = await findFiles(vscode.Uri.parse(folder), globs);
    return [...new Set(found.map((uri) => uri.toString()))];
  });
  client.onRequest<FileContent, void>(ReadFileRequest, ({ uri }: ReadFileParams) =>
    readContent(vscode.workspace.fs, vscode.Uri.parse(uri)),
  );
  client.onRequest<BytesContent, void>(ReadBytesRequest, ({ uri, most }: ReadBytesParams) =>
    readBytes(vscode.workspace.fs, vscode.Uri.parse(uri), most),
  );
  client.onRequest<WriteTreeReply, void>(WriteTreeRequest, (params: WriteTreeParams) =>
    writeTree(vscode.workspace.fs, (path) => vscode.Uri.joinPath(vscode.Uri.parse(params.folder), path), params),
  );
  client.onRequest<ListedEntry[], void>(ListFolderRequest, async ({ uri }: ReadFileParams) => {
    try {
      const entries = await vscode.workspace.fs.readDirectory(vscode.Uri.parse(uri));
      return entries.map(([name, type]) => ({ name, kind: kindOf(type) }));
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

function kindOf(type: vscode.FileType): ListedEntry['kind'] {
  if ((type & vscode.FileType.SymbolicLink) !== 0) return 'link';
  if (type === vscode.FileType.Directory) return 'folder';
  return type === vscode.FileType.File ? 'file' : 'other';
}
