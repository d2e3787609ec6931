/** Connects the protocol with a session after `initialize`: registers all handlers. */
import {
  type ClientCapabilities,
  type Connection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  MessageType,
} from 'vscode-languageserver';
import { utf8, utf16 } from '../../features/locate.ts';
import { type Files, folderUri } from '../../io/files.ts';
import { FolderReadings } from '../../io/read-folder.ts';
import { traceOf } from '../../io/user-error.ts';
import { SECTION } from '../../protocol.ts';
import { webPageOf } from '../../reports/rule-page.ts';
import { composeSamples } from '../../services/composing/compose-samples.ts';
import { createComposing } from '../../services/composing/composing.ts';
import type { StartWorker } from '../../services/composing/worker.ts';
import { atMost, START_PATIENCE, systemClock } from '../../services/session/pacing.ts';
import { Session } from '../../services/session/session.ts';
import { encodingFor, isFormattingDynamic, showsLinks, wantsPull } from './capabilities.ts';
import { ClientRequests, type Registered } from './client-requests.ts';
import { handleAgentTools } from './handlers/agent-tools.ts';
import { clientOf, showMessage } from './handlers/client.ts';
import { handleClientChoice } from './handlers/client-choice.ts';
import { handleDebugging } from './handlers/debugging.ts';
import { handleDocuments, handlePulledDiagnostics } from './handlers/documents.ts';
import { handleCompletion, handleFeatures } from './handlers/features.ts';
import { handleGraph, handleNavigation } from './handlers/navigation.ts';
import { handlePlanner } from './handlers/planner.ts';
import { handleAbilities, handlePreview } from './handlers/preview.ts';
import { FeatureSettings, SettingsReader } from './handlers/read-settings.ts';
import { formattingRegistration, handleConvert, handleFixAll, handleFormatting } from './handlers/rewriting.ts';
import { countLosses, handleSkills } from './handlers/skills.ts';
import { followFindings, handleStatus } from './handlers/status.ts';
import { handleTests } from './handlers/tests.ts';
import { readOptions } from './options.ts';

/** The services of a host that a session needs. */
export interface HostServices {
  readonly files: Files;
  /** Starts the worker that composes. */
  readonly startWorker: StartWorker;
}

/** Opens a session and registers every handler. `params` are the parameters of `initialize`. */
export function openSession(
  connection: Connection,
  params: InitializeParams,
  { files, startWorker }: HostServices,
): Session {
  const { capabilities } = params;
  const { options, others, problems } = readOptions(params.initializationOptions);
  const reader = new SettingsReader(files.home !== undefined);
  const atStart = reader.read(others);
  const reportProblems = settingsReporter(connection);
  const composing = createComposing(startWorker);
  const requests = new ClientRequests(connection);
  const client = clientOf(connection, requests, capabilities);
  const pull = wantsPull(capabilities, options);
  const folderReadings = new FolderReadings(files);
  const session = new Session({
    client,
    files,
    folderReadings,
    clock: systemClock,
    composeSamples: (analysis, uri, isStale) => composeSamples(composing, analysis, uri, isStale),
    locate: encodingFor(capabilities) === 'utf-8' ? utf8 : utf16,
    addressOf: showsLinks(capabilities) ? webPageOf : undefined,
    namesFixes: options.namesFixes === true,
    folders: foldersOf(params),
    settings: atStart.settings,
    editor: options.editor,
    pull,
    canRefreshDiagnostics: !pull || capabilities.workspace?.diagnostics?.refreshSupport === true,
    trusted: options.trusted === true,
  });
  const settings = new FeatureSettings();
  settings.set(atStart.settings);

  handleDocuments(connection, session, composing);
  if (pull) handlePulledDiagnostics(connection, session);
  handleFeatures(connection, session, files, settings, options, capabilities);
  handleClientChoice(connection, session, files);
  handleCompletion(connection, session, files, params, options);
  handlePreview(connection, session, composing, files, client.shown);
  handleAbilities(connection, session, folderReadings);
  handleNavigation(connection, session, files, capabilities, client.shown);
  handleGraph(connection, session, client.shown);
  handleFormatting(connection, session, settings);
  handleFixAll(connection, session);
  handleSkills(connection, session, client.shown);
  handlePlanner(connection, session, composing);
  handleConvert(connection, session);
  handleTests(connection, session, composing, files, client.shown);
  handleDebugging(connection, session, composing, files);
  handleAgentTools(connection, session, composing);
  handleStatus(connection, session, client.shown);
  connection.onShutdown(() => {
    session.dispose();
    composing.dispose();
  });

  const logFault = (error: unknown): void => connection.console.error(traceOf(error));
  connection.onInitialized(async () => {
    const registerFormatting = isFormattingDynamic(capabilities) ? formattingRegistration(requests) : () => {};
    let { files: globs } = atStart.settings;
    let [lastAsked, lastRead] = [0, 0];
    /** Reads the settings of the client, or the pushed settings if it declines the request. */
    const readSettings = async (pushed?: unknown) => {
      const number = ++lastAsked;
      const ask = () => connection.workspace.getConfiguration(SECTION) as Promise<unknown>;
      const reply = capabilities.workspace?.configuration
        ? await requests.ask('workspace/configuration', 'The server uses the settings that it has.', ask)
        : undefined;
      const given = reply ?? pushed;
      // A late reply must not replace newer settings.
      if (given === undefined || given === null || number < lastRead) return;
      lastRead = number;
      const { settings: asked, problems: found } = reader.read(given);
      reportProblems(found);
      const changed = settings.set(asked);
      if (changed.lenses) client.refreshLenses();
      if (changed.hints) client.refreshInlayHints();
      globs = asked.files;
      registerFormatting(settings.formats, globs);
      session.receive({ kind: 'settings', settings: asked });
    };
    reportProblems([...problems.map((problem) => `${problem}.`), ...atStart.problems]);
    connection.onDidChangeConfiguration(({ settings: pushed }) => void readSettings(pushed?.[SECTION]).catch(logFault));
    if (capabilities.workspace?.workspaceFolders) {
      connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) =>
        session.receive({
          kind: 'folders',
          added: added.map(({ uri }) => folderUri(uri)),
          removed: removed.map(({ uri }) => folderUri(uri)),
        }),
      );
    }
    const replies = [...registerDynamically(requests, capabilities).map(({ replied }) => replied), readSettings()];
    if (capabilities.window?.workDoneProgress) void showProgress(connection, requests, session);
    await atMost(START_PATIENCE, Promise.all(replies).catch(logFault), systemClock);
    registerFormatting(settings.formats, globs);
    session.receive({ kind: 'start' });
    await session.read();
    await countLosses(session);
    client.announceStatus(session.analysis);
    await followFindings(session, client);
  });
  return session;
}

/** The largest number of invalid settings that one message names. */
const MAX_SHOWN = 10;

/** Returns a function that reports invalid settings to the user, unless the problems are the same as last time. */
function settingsReporter(connection: Connection): (problems: readonly string[]) => void {
  let last = '';
  return (problems) => {
    const [first = '', ...more] = problems.slice(0, MAX_SHOWN);
    const lines = [`Invalid settings; using the defaults. ${first}`, ...more];
    if (problems.length > MAX_SHOWN) lines.push(`${problems.length - MAX_SHOWN} more settings are invalid.`);
    const message = lines.join('\n');
    if (problems.length > 0 && message !== last) showMessage(connection, MessageType.Warning, lines);
    last = message;
  };
}

export function foldersOf({ workspaceFolders, rootUri }: InitializeParams): string[] {
  // Kate 26.08.1 sends an empty list together with its folder.
  const uris = workspaceFolders?.length ? workspaceFolders.map(({ uri }) => uri) : rootUri ? [rootUri] : [];
  return uris.map(folderUri);
}

/**
 * Registers for notifications of changes to settings and files if the client supports registration. In other clients,
 * the user must configure these notifications.
 */
function registerDynamically(requests: ClientRequests, { workspace }: ClientCapabilities): readonly Registered[] {
  const registered: Registered[] = [];
  if (workspace?.didChangeConfiguration?.dynamicRegistration) {
    const { method } = DidChangeConfigurationNotification;
    const effect = 'The server may not receive changed settings until it restarts.';
    registered.push(requests.register(effect, [{ method, registerOptions: { section: SECTION } }]));
  }
  if (workspace?.didChangeWatchedFiles?.dynamicRegistration) {
    // Watch every file, because any file may be the target of a link. The session skips irrelevant files.
    const registerOptions = { watchers: [{ globPattern: '**/*' }] };
    const effect = 'The server may not notice when other programs change files.';
    registered.push(requests.register(effect, [{ method: DidChangeWatchedFilesNotification.method, registerOptions }]));
  }
  return registered;
}

/** Shows the progress of the first reading, which does not wait for the client's permission. */
async function showProgress(connection: Connection, requests: ClientRequests, session: Session): Promise<void> {
  const create = () => connection.window.createWorkDoneProgress();
  const effect = 'The progress of reading files is not shown.';
  const progress = await requests.ask('window/workDoneProgress/create', effect, create);
  if (!progress || !session.analysis.partial) return;
  progress.begin('Skills', undefined, 'reading the workspace');
  await session.read();
  progress.done();
}
