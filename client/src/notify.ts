/**
 * Shows notifications. VS Code renders `[text](address)` as a link, which can even run a command, so messages are
 * escaped.
 */
import * as vscode from 'vscode';
import type { ServerMessage } from '../../server/src/protocol.ts';
import type { FileRange } from './panels/kit/file-range.ts';
import { plainMessage } from './plain-message.ts';

type MessageArguments = readonly string[] | readonly [vscode.MessageOptions, ...string[]];
type ShowMessage = (message: string, ...rest: readonly unknown[]) => Thenable<string | undefined>;

let isShown = false;

/** Returns whether this window has shown a notification of the extension. */
export const hasNotified = (): boolean => isShown;

const withPlainMessage =
  (show: ShowMessage) =>
  (message: string, ...rest: MessageArguments): Thenable<string | undefined> => {
    isShown = true;
    return show(plainMessage(message), ...rest);
  };

export const showInformation = withPlainMessage((...words) =>
  (vscode.window.showInformationMessage as ShowMessage)(...words),
);
export const showWarning = withPlainMessage((...words) => (vscode.window.showWarningMessage as ShowMessage)(...words));
export const showError = withPlainMessage((...words) => (vscode.window.showErrorMessage as ShowMessage)(...words));

/** The types of messages in the protocol that are not for information. */
const [ERROR, WARNING] = [1, 2];

/**
 * Shows a message of the server, and `open`s its places if the user wants to see them. Without this function, the client
 * library would show the message. VS Code shows only one line of a message that has no button.
 */
export async function showServerMessage(
  { type, message, places = [] }: ServerMessage,
  open: (places: readonly FileRange[]) => Thenable<void>,
): Promise<void> {
  const show = type === ERROR ? showError : type === WARNING ? showWarning : showInformation;
  const showPlaces = vscode.l10n.t('Show Places');
  const chosen = await show(message, ...(places.length > 0 ? [showPlaces] : []));
  if (chosen === showPlaces) await open(places);
}
