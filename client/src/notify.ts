/**
 * Shows notifications. VS Code renders `[text](address)` as a link, which can even run a command, so messages are
 * escaped.
 */
import * as vscode from 'vscode';
import { plainMessage } from './plain-message.ts';

type Rest = readonly string[] | readonly [vscode.MessageOptions, ...string[]];
type Shown = (message: string, ...rest: readonly unknown[]) => Thenable<string | undefined>;

const shown =
  (show: Shown) =>
  (message: string, ...rest: Rest): Thenable<string | undefined> =>
    show(plainMessage(message), ...rest);

export const showInformation = shown((...words) => (vscode.window.showInformationMessage as Shown)(...words));
export const showWarning = shown((...words) => (vscode.window.showWarningMessage as Shown)(...words));
export const showError = shown((...words) => (vscode.window.showErrorMessage as Shown)(...words));
