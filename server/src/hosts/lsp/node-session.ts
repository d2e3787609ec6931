/** Opens a session in Node. */

import { MessageType } from 'vscode-languageserver';
import { openDiskPlace } from '../node/disk-folder.ts';
import { nodeFiles } from '../node/node-files.ts';
import { startNodeWorker } from '../node/node-worker.ts';
import { findPath } from '../node/paths.ts';
import { showMessage } from './handlers/client.ts';
import { handleEmit, handleInstall, handleInstalled, handlePack } from './handlers/packing.ts';
import { handlePull } from './handlers/pull.ts';
import { handleEditorTools } from './handlers/tools.ts';
import { foldersOf, openSession as openIn } from './open-session.ts';
import { readOptions } from './options.ts';
import type { OpenSession } from './serve.ts';

export const openSession: OpenSession = (connection, params) => {
  const { options } = readOptions(params.initializationOptions);
  const session = openIn(connection, params, { files: nodeFiles, startWorker: startNodeWorker() });
  const remote = foldersOf(params).filter((uri) => uri.startsWith('file:') && findPath(uri) === undefined);
  for (const uri of remote) {
    const line = `Skills in \`${uri}\` are not read, because it is not a folder on this computer.`;
    showMessage(connection, MessageType.Warning, [line]);
  }
  handleEditorTools(connection, session);
  handleInstall(connection, session, openDiskPlace, options.trusted === true);
  handleInstalled(connection, session, openDiskPlace);
  handlePack(connection, openDiskPlace);
  handleEmit(connection, session, openDiskPlace, { trusted: options.trusted === true, home: nodeFiles.home });
  handlePull(connection, session, { trusted: options.trusted === true });
};
