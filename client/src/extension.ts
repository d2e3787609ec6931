/**
 * The extension apart from where it runs: which documents the language server sees, when it restarts, and what a
 * finding's link opens. Language features themselves are the server's.
 */
import * as vscode from 'vscode';
import type { BaseLanguageClient, LanguageClientOptions } from 'vscode-languageclient';
import { type InitializationOptions, SECTION } from '../../server/src/protocol.ts';
import { answerFileRequests } from './files-for-server.ts';
import { newSkill } from './new-skill.ts';
import { servePreviews } from './preview/previews.ts';
import { createSkillServer } from './preview/skill-server.ts';
import { linkToRulePages, openRulePage, serveRulePages } from './rule-pages.ts';
import { type ServedDocuments, selectorFor, servedGlobs } from './served-files.ts';
import { showStatus } from './status.ts';

/** Makes a client that is not started yet. Node and the browser differ in this alone. */
export type MakeClient = (options: LanguageClientOptions) => BaseLanguageClient;

export async function activateIn(context: vscode.ExtensionContext, makeClient: MakeClient): Promise<void> {
  const output = vscode.window.createOutputChannel('Skill Composer', { log: true });
  let running: { readonly client: BaseLanguageClient; readonly status: vscode.Disposable } | undefined;

  const stop = async (): Promise<void> => {
    const old = running;
    running = undefined;
    old?.status.dispose();
    await old?.client.dispose();
  };
  const start = async (): Promise<void> => {
    await stop();
    const documents = selectorFor(servedGlobs());
    const client = makeClient(optionsFor(documents, output));
    answerFileRequests(client);
    skillServer.attach(client);
    running = { client, status: showStatus(client, documents) };
    await client.start();
    skillServer.started();
  };
  // Starts and stops queue up: a setting that changes while the server starts must not leave two of them.
  let last: Promise<void> = Promise.resolve();
  const queue = (step: () => Promise<void>): Promise<void> => {
    last = last.then(step).catch((error: unknown) => {
      output.error(error instanceof Error ? error : String(error));
      void vscode.window.showErrorMessage('The skill language server did not start. “Show Output” tells why.');
    });
    return last;
  };

  const skillServer = createSkillServer(async () => {
    // A preview that a reload brings back is there before the server is.
    await last;
    return running?.client;
  });

  context.subscriptions.push(
    output,
    skillServer,
    servePreviews(context, skillServer, output),
    { dispose: () => queue(stop) },
    serveRulePages(context),
    vscode.commands.registerCommand(`${SECTION}.restartServer`, () => queue(start)),
    vscode.commands.registerCommand(`${SECTION}.showOutput`, () => output.show()),
    vscode.commands.registerCommand(`${SECTION}.explainRule`, (rule?: unknown) => openRulePage(context, rule)),
    vscode.commands.registerCommand(`${SECTION}.newSkill`, async (place?: unknown) => {
      // The command may be what starts the extension.
      await last;
      await newSkill(running?.client, place);
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      // The documents that a client serves are fixed when it starts.
      if (event.affectsConfiguration(`${SECTION}.files`)) void queue(start);
    }),
  );
  await queue(start);
}

function optionsFor(documentSelector: ServedDocuments, output: vscode.LogOutputChannel): LanguageClientOptions {
  return {
    documentSelector,
    outputChannel: output,
    diagnosticCollectionName: 'skill-composer',
    initializationOptions: {
      diagnostics: 'push',
      editor: 'VS Code',
      previewCommand: `${SECTION}.openPreview`,
    } satisfies InitializationOptions,
    // What to watch, and which settings to hear of, the server says itself.
    middleware: { handleDiagnostics: (uri, diagnostics, next) => next(uri, linkToRulePages(diagnostics)) },
  };
}
