/** Opens a session in Node. */

import { MessageType } from 'vscode-languageserver';
import { nodeFiles } from '../../io/node-files.ts';
import { findPath, toPath } from '../../io/paths.ts';
import { assertInsideOf } from '../../io/real-path.ts';
import { startNodeWorker } from '../../services/composing/node-worker.ts';
import { diskFoldersIn } from '../../services/packing/disk-folder.ts';
import { showMessage } from './handlers/client.ts';
import { handleObserving } from './handlers/observing.ts';
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
  // Every request that writes names its folder to one of these two.
  const assertInside = assertInsideOf(() => session.analysis.index.graph.roots);
  const openFolder = diskFoldersIn(assertInside);
  handleEditorTools(connection, session, openFolder);
  handleInstall(connection, session, openFolder, options.trusted === true);
  handleInstalled(connection, session, openFolder);
  handlePack(connection, openFolder);
  handleEmit(connection, session, openFolder, { trusted: options.trusted === true, home: nodeFiles.home });
  handlePull(connection, session, { trusted: options.trusted === true, assertInside });
  const roots = () => session.analysis.index.graph.roots.map(toPath);
  handleObserving(connection, { trusted: options.trusted === true, assertInside, roots });
};
