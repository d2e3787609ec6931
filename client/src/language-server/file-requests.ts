/** Answers file requests from a server in a browser, where the server has no file system. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import {
  ExistsRequest,
  FindFilesRequest,
  ListFolderRequest,
  onRequest,
  ReadBytesRequest,
  ReadFileRequest,
  WriteTreeRequest,
} from '../../../server/src/protocol.ts';
import { fileExists, listFolder, readBytes, readContent, uriIn, writeTree } from './file-access.ts';
import { findFiles } from './find-files.ts';

export function answerFileRequests(client: BaseLanguageClient): void {
  const { fs } = vscode.workspace;
  const folderAt = (uri: string): vscode.Uri => uriIn(vscode.Uri.parse(uri), '');
  onRequest(client, FindFilesRequest, async ({ folder, globs }) => {
    const found = await findFiles(folderAt(folder), globs);
    return [...new Set(found.map((uri) => uri.toString()))];
  });
  onRequest(client, ReadFileRequest, ({ uri }) => readContent(fs, vscode.Uri.parse(uri)));
  onRequest(client, ReadBytesRequest, ({ uri, most }) => readBytes(fs, vscode.Uri.parse(uri), most));
  onRequest(client, WriteTreeRequest, (params) =>
    writeTree(fs, (path) => uriIn(vscode.Uri.parse(params.folder), path), params),
  );
  onRequest(client, ListFolderRequest, ({ uri }) => listFolder(fs, folderAt(uri)));
  onRequest(client, ExistsRequest, ({ uri }) => fileExists(fs, vscode.Uri.parse(uri)));
}
