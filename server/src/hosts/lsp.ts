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
import { type InitializationOptions, SECTION, type Settings, StatusNotification } from '../protocol.ts';
import { createComposing } from './composing/composing.ts';
import type { StartWorker } from './composing/worker.ts';
import type { Files } from './files.ts';
import { createSession, type Session } from './session.ts';
import { VERSION } from './version.ts';
import { wireCompose } from './wire-compose.ts';
import { wireDiagnostics } from './wire-diagnostics.ts';
import { wireFeatures } from './wire-features.ts';
import { type GraphWiring, graphCapabilities, wireGraph } from './wire-graph.ts';
import { navigationCapabilities, wireNavigation } from './wire-navigation.ts';
import { wireNewSkill } from './wire-new-skill.ts';

/** `workerFor` says how this host starts the worker that composes. */
export function serve(
  connection: Connection,
  files: Files,
  workerFor: (options: InitializationOptions) => StartWorker,
): void {
  let session: Session | undefined;
  let graph: GraphWiring | undefined;
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
    });
    wireDiagnostics(connection, session);
    wireFeatures(connection, session, options.previewCommand);
    wireCompose(connection, session, createComposing(workerFor(options)));
    wireNavigation(connection, session, capabilities);
    graph = wireGraph(connection, session, capabilities);
    graph.setSettings(options);
    wireNewSkill(connection);
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
      await running.setSettings(asked);
    };
    connection.onDidChangeConfiguration(({ settings }) => readSettings(settings?.[SECTION]));
    if (capabilities.workspace?.workspaceFolders) {
      connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) =>
        running.changeFolders(
          added.map(({ uri }) => uri),
          removed.map(({ uri }) => uri),
        ),
      );
    }
    await readSettings();
    const progress = capabilities.window?.workDoneProgress
      ? await connection.window.createWorkDoneProgress()
      : undefined;
    progress?.begin('Skills', undefined, 'reading the workspace');
    await running.load();
    progress?.done();
    void connection.sendNotification(StatusNotification, { ready: true, skills: running.skillCount() });
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
  { previewCommand }: InitializationOptions,
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
      codeActionProvider: { codeActionKinds: ['quickfix', FIX_ALL] },
      completionProvider: {
        triggerCharacters: TRIGGERS,
        resolveProvider: false,
      },
      hoverProvider: true,
      ...navigationCapabilities(client),
      ...graphCapabilities,
      ...(previewCommand === undefined ? {} : { codeLensProvider: {} }),
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
