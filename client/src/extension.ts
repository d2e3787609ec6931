/**
 * The extension in any host: starts and restarts the language server, and registers commands, views and panels. The
 * language features themselves come from the server.
 */

import * as vscode from 'vscode';
import type { BaseLanguageClient, LanguageClientOptions } from 'vscode-languageclient';
import {
  type InitializationOptions,
  ReportRequest,
  SECTION,
  sendRequest,
  UsesRequest,
} from '../../server/src/protocol.ts';
import { serveAgentTools } from './agents/tools.ts';
import { addEditorTools, pullTools } from './commands/add-tools.ts';
import { chooseClients } from './commands/choose-clients.ts';
import { serveConversionForClients, serveConversions } from './commands/convert.ts';
import { type Extractions, joinExtractions } from './commands/extract.ts';
import {
  completeStep,
  openExample,
  openWalkthrough,
  registerCommand,
  watchFirstSteps,
} from './commands/first-steps.ts';
import { fixAllInFile, fixAllInWorkspace } from './commands/fix-all.ts';
import { newCatalog } from './commands/new-catalog.ts';
import { newSkill } from './commands/new-skill.ts';
import { serveObserving } from './commands/observe-client.ts';
import { servePlannerCatalog } from './commands/planner-catalog.ts';
import {
  beginRename,
  compareSkills,
  explainRefusal,
  peekPlaces,
  select,
  showReferences,
  watchDeletions,
} from './commands/references.ts';
import { reportIssue } from './commands/report-issue.ts';
import { linkToRulePages, openRulePage, serveRulePages } from './commands/rule-pages.ts';
import { setSkillEnabled } from './commands/set-enabled.ts';
import { whichSkillAnswers } from './commands/which-skill.ts';
import { serveDebugging } from './debug.ts';
import { answerFileRequests } from './language-server/file-requests.ts';
import { LastingCommands } from './language-server/lasting-commands.ts';
import { type MovedFiles, saveMovedFiles } from './language-server/moved-files.ts';
import { sendReleasedTexts } from './language-server/released-texts.ts';
import { withoutSchemaKey } from './language-server/schema-key.ts';
import { type ServedDocuments, selectorFor, servedGlobs } from './language-server/served-files.ts';
import { createSkillServer, type SkillServer } from './language-server/skill-server.ts';
import { finishEarlierTyping, finishTyping, suggestAtWord } from './language-server/typing.ts';
import { RestartLimit, Watchdog } from './language-server/watchdog.ts';
import { showError, showServerMessage } from './notify.ts';
import { serveGraphs } from './panels/graph/panel.ts';
import { createImport } from './panels/import/imports.ts';
import { servePreviews } from './panels/preview/previews.ts';
import { serveCompositionTree } from './views/composition-tree.ts';
import { fadeCutDescriptions } from './views/cut-descriptions.ts';
import { withoutDuplicateHeadings } from './views/outline.ts';
import { serveSkills } from './views/skills/view.ts';
import { createStatusBar, showLastPull, showMenu } from './views/status-bar.ts';
import { Models } from './views/testing/model/editor-model.ts';
import { serveTests } from './views/testing/view.ts';
import { checkSkills } from './views/workspace-entry.ts';

/** A request that is cheap to answer: the reply contains only versions and counts. */
const PING = ReportRequest.method;

/** The time limit for the response to a ping. The server always reads its messages within this time. */
const PING_TIMEOUT_SECONDS = 30;

/** The differences between Node and a browser. */
export interface Host {
  /** Creates a client without starting it. Loading the client library is slow, so commands are registered first. */
  readonly makeClient: (options: LanguageClientOptions) => Promise<BaseLanguageClient>;
  readonly serverPathFor: SkillServer['serverPathFor'];
}

export async function activateIn(context: vscode.ExtensionContext, host: Host): Promise<void> {
  const output = vscode.window.createOutputChannel('Skill Composer', { log: true });
  const firstSteps = watchFirstSteps(context);
  const status = createStatusBar(firstSteps);
  let running: BaseLanguageClient | undefined;

  const stop = async (): Promise<void> => {
    const old = running;
    running = undefined;
    watchdog.reset();
    // If the server does not answer, the library terminates its process.
    await old?.dispose().catch((error: unknown) => output.warn(String(error)));
  };
  const onChange = (event: vscode.TextDocumentChangeEvent): void => {
    // The request can fail, for example during a restart. In that case the editor shows no suggestions.
    if (running) void suggestAtWord(running, event).catch(() => undefined);
  };
  const start = async (): Promise<void> => {
    await stop();
    const client = await host.makeClient(
      optionsFor(selectorFor(servedGlobs()), {
        ...{ output, onChange, movedFiles, lastingCommands, extractions },
        onSent: () => watchdog.sent(),
      }),
    );
    answerFileRequests(client);
    client.onNotification('window/showMessage', (message) => showServerMessage(message, peekPlaces));
    skillServer.attach(client);
    status.attach(client);
    running = client;
    await client.start();
    void logVersions(context, client, output);
    skillServer.started();
    releasedTexts.started(client);
  };
  // Starting and stopping are queued, so that there are never two servers.
  let last: Promise<void> = Promise.resolve();
  const queue = (step: () => Promise<void>): Promise<void> => {
    last = last.then(step).catch((error: unknown) => {
      output.error(error instanceof Error ? error : String(error));
      void showStartFailure(output);
    });
    return last;
  };

  const restarts = new RestartLimit(4, 3 * 60_000);
  const watchdog = new Watchdog({
    // While a client starts or stops, there is nothing to ping.
    ping: async () => (running?.isRunning() ? running.sendRequest(PING, {}) : undefined),
    maxTicks: PING_TIMEOUT_SECONDS,
    onUnresponsive: () => {
      output.error(`The skill language server has not responded for ${PING_TIMEOUT_SECONDS} seconds.`);
      if (restarts.allows(performance.now())) void queue(start);
      else void queue(stop).then(() => showUnresponsive());
    },
  });
  // Developers of the server pause it in a debugger.
  const isDeveloped = context.extensionMode === vscode.ExtensionMode.Development;
  const ticking = setInterval(() => isDeveloped || watchdog.tick(), 1000);

  const skillServer = createSkillServer(async () => {
    // A restored panel can send a request before the server has started.
    await last;
    return running;
  }, host.serverPathFor);

  const releasedTexts = sendReleasedTexts();
  const movedFiles = saveMovedFiles();
  const { registerCommand: register, executeCommand: execute } = vscode.commands;
  const lastingCommands = new LastingCommands(`${SECTION}.afterAction.`, register, execute);
  const extractions = joinExtractions();
  const lastPull = showLastPull(context.workspaceState);
  const models = new Models();
  const importSkills = createImport(context, skillServer, output);

  context.subscriptions.push(
    output,
    firstSteps,
    status,
    skillServer,
    releasedTexts,
    lastPull,
    movedFiles,
    lastingCommands,
    extractions,
    servePreviews(context, skillServer, output, models),
    serveGraphs(context, skillServer, output),
    serveSkills(context, skillServer, importSkills, output),
    registerCommand(`${SECTION}.importSkills`, importSkills),
    serveTests(skillServer, output, models),
    serveDebugging(skillServer, models),
    fadeCutDescriptions(skillServer, output),
    serveCompositionTree(skillServer, output),
    { dispose: () => queue(stop) },
    { dispose: () => clearInterval(ticking) },
    // The server may start after the first keystrokes.
    vscode.workspace.onDidChangeTextDocument((event) => void finishTyping(event)),
    serveRulePages(context),
    servePlannerCatalog(skillServer, output),
    serveConversions(skillServer),
    serveConversionForClients(skillServer),
    serveAgentTools(skillServer),
    serveObserving(skillServer),
    watchDeletions((uris) => skillServer.send(UsesRequest, { uris })),
    registerCommand(`${SECTION}.whichSkillAnswers`, () => whichSkillAnswers(skillServer)),
    registerCommand(`${SECTION}.checkSkills`, () => {
      completeStep('check');
      return checkSkills(skillServer);
    }),
    registerCommand(`${SECTION}.chooseClients`, async (target?: unknown) => {
      await last;
      await chooseClients(skillServer, target);
    }),
    registerCommand(`${SECTION}.pullTools`, () => pullTools(skillServer, lastPull, output)),
    registerCommand(`${SECTION}.takeEditorTools`, () => addEditorTools(skillServer)),
    registerCommand(`${SECTION}.restartServer`, () => queue(start)),
    registerCommand(`${SECTION}.showReferences`, showReferences),
    registerCommand(`${SECTION}.beginRename`, beginRename),
    registerCommand(`${SECTION}.select`, select),
    registerCommand(`${SECTION}.compareSkills`, compareSkills),
    // If there are several formatters, the editor's command asks the user to choose one of them.
    registerCommand(`${SECTION}.formatFrontmatter`, () =>
      vscode.commands.executeCommand('editor.action.formatDocument'),
    ),
    registerCommand(`${SECTION}.fixAllInFile`, () => fixAllInFile(skillServer)),
    ...[true, false].map((enabled) =>
      registerCommand(`${SECTION}.${enabled ? 'enableSkill' : 'disableSkill'}`, (target?: unknown) =>
        setSkillEnabled(skillServer, target, enabled, (folder) => newCatalog(running, folder)),
      ),
    ),
    registerCommand(`${SECTION}.fixAllInWorkspace`, () => fixAllInWorkspace(skillServer)),
    registerCommand(`${SECTION}.showOutput`, () => output.show()),
    registerCommand(`${SECTION}.explainRule`, (rule?: unknown) => openRulePage(context, rule)),
    registerCommand(`${SECTION}.newSkill`, async (place?: unknown) => {
      // The command itself may have activated the extension, so wait until the server has started.
      await last;
      await newSkill(running, place);
    }),
    registerCommand(`${SECTION}.newCatalog`, async (place?: unknown) => {
      await last;
      await newCatalog(running, place);
    }),
    registerCommand(`${SECTION}.openExample`, () => openExample(context)),
    registerCommand(`${SECTION}.getStarted`, () => openWalkthrough(context)),
    registerCommand(`${SECTION}.showMenu`, () => showMenu(status)),
    registerCommand(`${SECTION}.reportIssue`, () => reportIssue(context, running)),
    // The server receives the trust state only when it starts.
    vscode.workspace.onDidGrantWorkspaceTrust(() => void queue(start)),
    vscode.workspace.onDidChangeConfiguration((event) => {
      // A client's document selector cannot change after the client has started.
      if (event.affectsConfiguration(`${SECTION}.files`)) void queue(start);
    }),
  );
  void finishEarlierTyping();
  await queue(start);
}

/** Writes the versions to the output, for bug reports. */
async function logVersions(
  { extension }: vscode.ExtensionContext,
  client: BaseLanguageClient,
  output: vscode.LogOutputChannel,
): Promise<void> {
  const report = await sendRequest(client, ReportRequest, {}).catch(() => null);
  const { version } = extension.packageJSON as { readonly version: string };
  output.info(`Skill Composer ${version}, ${report?.engine ?? 'no template engine'}, VS Code ${vscode.version}`);
}

async function showUnresponsive(): Promise<void> {
  const restart = vscode.l10n.t('Restart');
  const message = vscode.l10n.t(
    'The skill language server stopped responding several times and was terminated. Close the file that caused this (see the output), then restart the server.',
  );
  if ((await showError(message, restart)) === restart) {
    await vscode.commands.executeCommand(`${SECTION}.restartServer`);
  }
}

async function showStartFailure(output: vscode.LogOutputChannel): Promise<void> {
  const show = vscode.l10n.t('Show Output');
  const message = vscode.l10n.t('The skill language server did not start. See the output for the reason.');
  if ((await showError(message, show)) === show) output.show();
}

interface Served {
  readonly output: vscode.LogOutputChannel;
  readonly onChange: (event: vscode.TextDocumentChangeEvent) => void;
  readonly onSent: () => void;
  readonly movedFiles: MovedFiles;
  readonly lastingCommands: LastingCommands;
  readonly extractions: Extractions;
}

function optionsFor(
  documentSelector: ServedDocuments,
  { output, onChange, onSent, movedFiles, lastingCommands, extractions }: Served,
): LanguageClientOptions {
  return {
    documentSelector,
    outputChannel: output,
    diagnosticCollectionName: 'skill-composer',
    initializationOptions: {
      diagnostics: 'push',
      namesFixes: true,
      editor: 'VS Code',
      previewCommand: `${SECTION}.openPreview`,
      trusted: vscode.workspace.isTrusted,
      showReferencesCommand: `${SECTION}.showReferences`,
      renameCommand: `${SECTION}.beginRename`,
      selectCommand: `${SECTION}.select`,
      shareCommand: `${SECTION}.shareSkills`,
      compareCommand: `${SECTION}.compareSkills`,
      enableCommand: `${SECTION}.enableSkill`,
      disableCommand: `${SECTION}.disableSkill`,
      chooseClientsCommand: `${SECTION}.chooseClients`,
      suggestCommand: 'editor.action.triggerSuggest',
    } satisfies InitializationOptions,
    // The server itself registers for file changes and settings.
    middleware: {
      sendRequest: (type, params, token, next) => {
        if (type !== PING) onSent();
        return next(type, params, token);
      },
      sendNotification: (type, next, params) => {
        onSent();
        return next(type, params);
      },
      handleDiagnostics: (uri, diagnostics, next) => next(uri, linkToRulePages(diagnostics)),
      didChange: async (event, next) => {
        await next(event);
        onChange(event);
      },
      provideCodeActions: async (document, range, context, token, next) => {
        const actions = await next(document, range, context, token);
        for (const action of actions ?? []) {
          if ('edit' in action) extractions.join(action, document);
          if ('edit' in action && action.edit && action.command)
            action.command = lastingCommands.lasting(action.command);
        }
        return actions;
      },
      provideCompletionItem: async (document, position, context, token, next) =>
        withoutSchemaKey(document, await next(document, position, context, token)),
      provideRenameEdits: async (document, position, newName, token, next) => {
        const renaming = Promise.resolve(next(document, position, newName, token));
        const place = { uri: document.uri.toString(), position };
        return extractions.finish(document, await explainRefusal(renaming, place));
      },
      workspace: { willRenameFiles: async (event, next) => movedFiles.note(await next(event)) },
      provideDocumentSymbols: async (document, token, next) =>
        withoutDuplicateHeadings(document, await next(document, token)),
    },
  };
}
