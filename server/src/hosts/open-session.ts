/** Wires the protocol to the pure core, once a client has said who it is. One guard stands around every request. */
import {
  type ClientCapabilities,
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
} from 'vscode-languageserver';
import { utf8, utf16 } from '../features/locate.ts';
import { type InitializationOptions, SECTION, type Settings } from '../protocol.ts';
import { encodingFor, wantsPull } from './capabilities.ts';
import { createComposing } from './composing/composing.ts';
import type { StartWorker } from './composing/worker.ts';
import type { Files } from './files.ts';
import type { CacheStore } from './index-cache/store.ts';
import { createSession } from './session.ts';
import { wireCompletion } from './wire-completion.ts';
import { wireCompose } from './wire-compose.ts';
import { wireDiagnostics } from './wire-diagnostics.ts';
import { wireFeatures } from './wire-features.ts';
import { wireFormat } from './wire-format.ts';
import { wireGraph } from './wire-graph.ts';
import { wireNavigation } from './wire-navigation.ts';
import { wireNewSkill } from './wire-new-skill.ts';
import { wireStatus } from './wire-status.ts';

/** What a host has that the core needs. */
export interface Surroundings {
  readonly files: Files;
  /** Starts the worker that composes. */
  readonly startWorker: StartWorker;
  /** Where to keep what is known for the next start, where the host can. */
  readonly cache?: CacheStore;
}

/** `params` are those of `initialize`; every handler is there when this returns. */
export function openSession(connection: Connection, params: InitializeParams, surroundings: Surroundings): void {
  const { capabilities } = params;
  const { files, startWorker, cache } = surroundings;
  const options = (params.initializationOptions ?? {}) as InitializationOptions & Settings;
  const session = createSession({
    connection,
    files,
    locate: encodingFor(capabilities) === 'utf-8' ? utf8 : utf16,
    folders: foldersOf(params),
    settings: options,
    editor: options.editor,
    pull: wantsPull(capabilities, options),
    refreshable: capabilities.workspace?.diagnostics?.refreshSupport === true,
    trusted: options.trusted !== false,
    watch: watching(connection, capabilities),
    cache: options.cache === false ? undefined : cache,
  });
  wireDiagnostics(connection, session);
  const features = wireFeatures(connection, session, options, capabilities);
  features.setSettings(options);
  wireCompletion(connection, session, files, capabilities);
  wireCompose(connection, session, createComposing(startWorker));
  wireNavigation(connection, session, capabilities);
  const graph = wireGraph(connection, session, capabilities);
  graph.setSettings(options);
  const format = wireFormat(connection, session, capabilities);
  format.setSettings(options);
  wireNewSkill(connection);
  const status = wireStatus(connection, session);

  connection.onInitialized(async () => {
    await registerDynamically(connection, capabilities);
    const readSettings = async (pushed?: Settings) => {
      const asked = capabilities.workspace?.configuration
        ? ((await connection.workspace.getConfiguration(SECTION)) as Settings | null)
        : pushed;
      if (!asked) return;
      graph.setSettings(asked);
      features.setSettings(asked);
      format.setSettings(asked);
      await session.setSettings(asked);
      status.tell();
    };
    connection.onDidChangeConfiguration(({ settings }) => readSettings(settings?.[SECTION]));
    if (capabilities.workspace?.workspaceFolders) {
      connection.workspace.onDidChangeWorkspaceFolders(async ({ added, removed }) => {
        await session.changeFolders(
          added.map(({ uri }) => uri),
          removed.map(({ uri }) => uri),
        );
        status.tell();
      });
    }
    await readSettings();
    format.start();
    const progress = capabilities.window?.workDoneProgress
      ? await connection.window.createWorkDoneProgress()
      : undefined;
    progress?.begin('Skills', undefined, 'reading the workspace');
    await session.load();
    progress?.done();
    status.tell();
  });
}

function foldersOf({ workspaceFolders, rootUri }: InitializeParams): string[] {
  if (workspaceFolders) return workspaceFolders.map(({ uri }) => uri);
  return rootUri ? [rootUri] : [];
}

/** Watches folders outside the workspace, which the pattern for every file does not reach; the newest alone. */
function watching(connection: Connection, { workspace }: ClientCapabilities): (folders: readonly string[]) => void {
  const { dynamicRegistration, relativePatternSupport } = workspace?.didChangeWatchedFiles ?? {};
  let last: Promise<{ dispose(): void } | undefined> = Promise.resolve(undefined);
  return (folders) => {
    if (!dynamicRegistration || !relativePatternSupport) return;
    const watchers = folders.map((baseUri) => ({ globPattern: { baseUri, pattern: '**/*' } }));
    last = last
      .then(async (before) => {
        before?.dispose();
        if (watchers.length === 0) return undefined;
        return connection.client.register(DidChangeWatchedFilesNotification.type, { watchers });
      })
      // A client that will not watch them still has them read at the start.
      .catch(() => undefined);
  };
}

/** A client that lets servers register asks to be told what to watch; others watch what they were configured to. */
async function registerDynamically(connection: Connection, { workspace }: ClientCapabilities): Promise<void> {
  if (workspace?.didChangeConfiguration?.dynamicRegistration) {
    await connection.client.register(DidChangeConfigurationNotification.type, { section: SECTION });
  }
  if (workspace?.didChangeWatchedFiles?.dynamicRegistration) {
    // Every file, since a link may lead to any; what is no skill costs one look at its name.
    await connection.client.register(DidChangeWatchedFilesNotification.type, { watchers: [{ globPattern: '**/*' }] });
  }
}
