/** Dims the skills that are disabled in this workspace, as the editor dims what git ignores. */
import * as vscode from 'vscode';

const SCHEME = 'skill-composer-disabled';

/** What stands for a disabled skill, since a colour is given to resources alone; the file's own would be coloured everywhere. */
export const dimmedResource = (name: string): vscode.Uri => vscode.Uri.from({ scheme: SCHEME, path: `/${name}` });

export const dimDisabled = (): vscode.Disposable =>
  vscode.window.registerFileDecorationProvider({
    provideFileDecoration: ({ scheme }) =>
      scheme === SCHEME ? { color: new vscode.ThemeColor('disabledForeground') } : undefined,
  });
