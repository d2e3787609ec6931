/** “Skill: New Catalog…”: writes a `skills.config.yaml` with the tools that the skills in its folder use. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { NewCatalogRequest, sendRequest } from '../../../server/src/protocol.ts';
import { showError, showInformation } from '../notify.ts';
import { columnForFiles } from '../panels/command-target.ts';
import { errorMessage } from '../plain-message.ts';
import { askForFolder, chooseRoot, exists, writeText } from './choose-folder.ts';
import { completeStep } from './first-steps.ts';

/**
 * Creates a catalog. `place` is the folder that the command was called on, if any. Never changes an existing catalog.
 */
export async function newCatalog(client: BaseLanguageClient | undefined, place?: unknown): Promise<void> {
  if (!client?.isRunning()) {
    void showError(vscode.l10n.t('The skill language server is not running. Restart it.'));
    return;
  }
  const folder = place instanceof vscode.Uri ? place : await chooseFolder();
  if (folder === undefined) return;
  try {
    await create(client, folder);
  } catch (error) {
    void showError(vscode.l10n.t('The catalog was not created: {0}', errorMessage(error)));
  }
}

async function chooseFolder(): Promise<vscode.Uri | undefined> {
  const title = vscode.l10n.t('New Catalog');
  if (vscode.workspace.workspaceFolders?.length) return chooseRoot(title, async (root) => root);
  return askForFolder(title, vscode.l10n.t('Create Catalog Here'));
}

async function create(client: BaseLanguageClient, folder: vscode.Uri): Promise<void> {
  const { fileName, text, tools } = await sendRequest(client, NewCatalogRequest, {
    folder: client.code2ProtocolConverter.asUri(folder),
  });
  const file = vscode.Uri.joinPath(folder, fileName);
  const wasThere = await exists(file);
  if (!wasThere) await writeText(file, text);
  const editor = await vscode.window.showTextDocument(file, { viewColumn: columnForFiles(file) });
  completeStep('catalog');
  if (wasThere) {
    void showInformation(vscode.l10n.t('{0} already exists and was not changed.', fileName));
    return;
  }
  // Move the cursor to the list of tools.
  const first = text.slice(0, text.search(/^(?:# )?tools:/m)).split('\n').length;
  const place = editor.document.lineAt(tools > 0 ? first : first - 1).range.end;
  editor.selection = new vscode.Selection(place, place);
}
