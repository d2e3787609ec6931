/** The language status item that shows when tools were last pulled from servers on this machine. */
import * as vscode from 'vscode';
import { SECTION } from '../../../server/src/protocol.ts';
import { selectorFor, servedGlobs } from '../language-server/served-files.ts';
import { plainMessage } from '../plain-message.ts';

export interface LastPull extends vscode.Disposable {
  /** Records that the tools of a folder have just been pulled. */
  note(folder: vscode.Uri): Promise<void>;
}

const KEY = 'lastPulls';

/** Stores the times in the workspace state, not in a file, because they apply to this machine only. */
export function showLastPull(state: vscode.Memento): LastPull {
  const item = vscode.languages.createLanguageStatusItem(`${SECTION}.lastPull`, [...selectorFor(servedGlobs())]);
  item.name = vscode.l10n.t('Tools from servers');
  item.command = { command: `${SECTION}.pullTools`, title: vscode.l10n.t('Pull Again') };
  const times = (): Readonly<Record<string, number>> => state.get(KEY, {});
  const show = (): void => {
    const all = times();
    const lines = (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri, name }, _, folders) => {
      const time = all[uri.toString()];
      if (time === undefined) return [];
      const when = new Date(time).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
      return [folders.length > 1 ? `${plainMessage(name)}: ${when}` : when];
    });
    item.text = lines.length > 0 ? vscode.l10n.t('Tools pulled') : vscode.l10n.t('Tools not pulled on this machine');
    item.detail = lines.join(' · ');
  };
  show();
  return {
    async note(folder) {
      await state.update(KEY, { ...times(), [folder.toString()]: Date.now() });
      show();
    },
    dispose: () => item.dispose(),
  };
}
