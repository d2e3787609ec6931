/** The language server: wires the protocol to the pure core. One guard stands around every request. */
import {
  type ClientCapabilities,
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  TextDocumentSyncKind,
} from 'vscode-languageserver';
import { FIX_ALL } from '../features/code-actions.ts';
import { type Locate, utf8, utf16 } from '../features/locate.ts';
import { REFACTOR_KINDS } from '../features/refactor.ts';
import { type InitializationOptions, SECTION, type Settings } from '../protocol.ts';
import { createComposing } from './composing/composing.ts';
import type { StartWorker } from './composing/worker.ts';
import type { Files } from './files.ts';
import { createSession, type Session } from './session.ts';
import { VERSION } from './version.ts';
import { wireCompose } from './wire-compose.ts';
import { wireDiagnostics } from './wire-diagnostics.ts';
import { type FeatureWiring, featureCapabilities, wireFeatures } from './wire-features.ts';
import { type FormatWiring, formatCapabilities, wireFormat } from './wire-format.ts';
import { type GraphWiring, graphCapabilities, wireGraph } from './wire-graph.ts';
import { navigationCapabilities, wireNavigation } from './wire-navigation.ts';
import { wireNewSkill } from './wire-new-skill.ts';
import { type StatusWiring, wireStatus } from './wire-status.ts';

/** `workerFor` says how this host starts the worker that composes. */
export function serve(
  connection: Connection,
  files: Files,
  workerFor: (options: InitializationOptions) => StartWorker,
): void {
  let session: Session | undefined;
  let graph: GraphWiring | undefined;
  let features: FeatureWiring | undefined;
  let format: FormatWiring | undefined;
  let status: StatusWiring | undefined;
  let capabilities: ClientCapabilities = {};

  connection.onInitialize((params) => {
    capabilities = params.capabilities;
    const options = (params.initializationOptions ?? {}) as InitializationOptions & Settings;
    session = createSession({
      connection,
      files,
      locate: locateFor(capabilities),
      folders: foldersOf(params),
      settings: options,
      editor: options.editor,
      pull: wantsPull(capabilities, options),
      refreshable: capabilities.workspace?.diagnostics?.refreshSupport === true,
      trusted: options.trusted !== false,
      watch: watching(connection, capabilities),
    });
    wireDiagnostics(connection, session);
    features = wireFeatures(connection, session, files, options, capabilities);
    features.setSettings(options);
    wireCompose(connection, session, createComposing(workerFor(options)));
    wireNavigation(connection, session, capabilities);
    graph = wireGraph(connection, session, capabilities);
    graph.setSettings(options);
    format = wireFormat(connection, session, capabilities);
    format.setSettings(options);
    wireNewSkill(connection);
    status = wireStatus(connection, session);
    return initializeResult(session, options, capabilities);
  });

  connection.onInitialized(async () => {
    if (!session) return;
    const running = session;
    await registerDynamically(connection, capabilities);
    const readSettings = async (pushed?: Settings) => {
      const asked = capabilities.workspace?.configuration
        ? ((await connection.workspace.getConfiguration(SECTION)) as Settings | null)
        : pushed;
      if (!asked) return;
      graph?.setSettings(asked);
      features?.setSettings(asked);
      format?.setSettings(asked);
      await running.setSettings(asked);
      status?.tell();
    };
    connection.onDidChangeConfiguration(({ settings }) => readSettings(settings?.[SECTION]));
    if (capabilities.workspace?.workspaceFolders) {
      connection.workspace.onDidChangeWorkspaceFolders(async ({ added, removed }) => {
        await running.changeFolders(
          added.map(({ uri }) => uri),
          removed.map(({ uri }) => uri),
        );
        status?.tell();
      });
    }
    await readSettings();
    format?.start();
    const progress = capabilities.window?.workDoneProgress
      ? await connection.window.createWorkDoneProgress()
      : undefined;
    progress?.begin('Skills', undefined, 'reading the workspace');
    await running.load();
    progress?.done();
    status?.tell();
  });

  connection.listen();
}

/**
 * What asks for completion while typing. Letters are among them so that clients need no suggestions of their own in a
 * skill's prose, where the words of a sentence would call up snippets; the server has nothing to say there.
 */
const TRIGGERS: string[] = [...'#:.|-{%"\'/ [$_(,=', ...'abcdefghijklmnopqrstuvwxyz', ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

function initializeResult(
  session: Session,
  options: InitializationOptions,
  client: ClientCapabilities,
): InitializeResult {
  return {
    serverInfo: { name: 'skill-composer', version: VERSION },
    capabilities: {
      positionEncoding: session.locate === utf8 ? 'utf-8' : 'utf-16',
      textDocumentSync: {
        openClose: true,
        change: TextDocumentSyncKind.Incremental,
        save: { includeText: false },
      },
      codeActionProvider: { codeActionKinds: ['quickfix', FIX_ALL, ...REFACTOR_KINDS] },
      completionProvider: {
        triggerCharacters: TRIGGERS,
        resolveProvider: false,
      },
      ...featureCapabilities(options),
      ...navigationCapabilities(client),
      ...formatCapabilities(client),
      ...graphCapabilities,
      workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      ...(session.pull ? { diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: true } } : {}),
    },
  };
}

/** The first encoding of the client's that the server can speak; UTF-16 is always understood. */
function locateFor({ general }: ClientCapabilities): Locate {
  const first = general?.positionEncodings?.find((encoding) => encoding === 'utf-8' || encoding === 'utf-16');
  return first === 'utf-8' ? utf8 : utf16;
}

const wantsPull = ({ textDocument }: ClientCapabilities, { diagnostics }: InitializationOptions): boolean =>
  diagnostics === undefined ? textDocument?.diagnostic !== undefined : diagnostics === 'pull';

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
