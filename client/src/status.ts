/** The language's entry in the status bar: how many skills the server knows, and whether it is still reading them. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { SECTION, StatusNotification, type StatusParams } from '../../server/src/protocol.ts';
import type { ServedDocuments } from './served-files.ts';

export function showStatus(client: BaseLanguageClient, documents: ServedDocuments): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem(`${SECTION}.status`, documents);
  item.name = 'Skill Composer';
  item.text = 'Skills';
  item.command = { command: `${SECTION}.showOutput`, title: 'Show Output' };
  item.busy = true;
  client.onNotification(StatusNotification, ({ ready, skills }: StatusParams) => {
    item.busy = !ready;
    item.text = skills === 1 ? '1 skill' : `${skills} skills`;
  });
  return item;
}
