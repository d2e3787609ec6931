/**
 * The first steps of a user: the example with mistakes, the steps of the walkthrough, and the only notification that
 * appears without a command.
 */
import * as vscode from 'vscode';
import { SECTION, type Status } from '../../../server/src/protocol.ts';
import { hasNotified, showInformation } from '../notify.ts';
import { columnForFiles } from '../panels/command-target.ts';
import { decideNotice } from '../views/workspace-count.ts';
import { noticeText } from '../views/workspace-entry.ts';

/** “Skill: Open an Example with Mistakes”: opens an unsaved skill for trying fixes. */
export async function openExample({ extensionUri }: vscode.ExtensionContext): Promise<void> {
  const file = vscode.Uri.joinPath(extensionUri, 'docs', 'walkthrough', 'example.skill.md');
  const content = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  const document = await vscode.workspace.openTextDocument({ language: 'skillmd', content });
  watchFixes(document);
  await vscode.window.showTextDocument(document, { viewColumn: columnForFiles() });
}

/** Completes the walkthrough's step about fixing mistakes when an edit decreases the number of findings. */
function watchFixes(document: vscode.TextDocument): void {
  let most = 0;
  /** The version of the document that had the most findings. A restart of the server removes findings without an edit. */
  let version = document.version;
  const events = vscode.Disposable.from(
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (!uris.some((uri) => uri.toString() === document.uri.toString())) return;
      const count = vscode.languages.getDiagnostics(document.uri).length;
      if (document.isClosed) return;
      if (count >= most) [most, version] = [count, document.version];
      if (count >= most || document.version === version) return;
      completeStep('mistakes');
      events.dispose();
    }),
    vscode.workspace.onDidCloseTextDocument((closed) => {
      if (closed === document) events.dispose();
    }),
  );
}

// Context keys that complete steps of the walkthrough; package.json lists these keys in `completionEvents`.

type Step = 'check' | 'newSkill' | 'mistakes' | 'preview' | 'run' | 'catalog' | 'graph';

export const completeStep = (step: Step): void =>
  void vscode.commands.executeCommand('setContext', `${SECTION}.done.${step}`, true);

/** Returns a function that completes a step on its first call. */
export function createStep(step: Step): () => void {
  let isDone = false;
  return () => {
    if (!isDone) completeStep(step);
    isDone = true;
  };
}

/** “Skill: Get Started”: opens the walkthrough. */
export const openWalkthrough = ({ extension }: vscode.ExtensionContext): Thenable<unknown> =>
  vscode.commands.executeCommand('workbench.action.openWalkthrough', `${extension.id}#firstSteps`, false);

// The commands, and the notification for a user who has not used any of them.

const commandRun = new vscode.EventEmitter<void>();

/** Registers a command of the extension. A user who runs it knows the extension. */
export function registerCommand<Given extends readonly unknown[]>(
  command: string,
  run: (...given: Given) => unknown,
): vscode.Disposable {
  return vscode.commands.registerCommand(command, (...given: unknown[]) => {
    commandRun.fire();
    return run(...(given as unknown as Given));
  });
}

export interface FirstSteps extends vscode.Disposable {
  /**
   * Opens the view *All Skills* if a new user opens a workspace with skills for the first time, and shows the notification
   * if the skills have losses or errors.
   */
  follow(status: Status): Promise<void>;
}

/** The key in the global state whose value is true after the notification or a command, also one of the walkthrough. */
const KNOWN = `${SECTION}.isKnown`;

/** The key in the global state whose value is true after the view *All Skills* has opened by itself. */
const OPENED = `${SECTION}.hasOpenedSkills`;

export function watchFirstSteps({ globalState }: vscode.ExtensionContext): FirstSteps {
  // The notification and the view appear once for each user, not once for each machine.
  globalState.setKeysForSync([KNOWN, OPENED]);
  const isKnown = (): boolean => globalState.get(KNOWN) === true;
  const setKnown = async (): Promise<void> => {
    if (!isKnown()) await globalState.update(KNOWN, true);
  };
  let isDecided = isKnown();
  const events = commandRun.event(setKnown);
  const openView = async (): Promise<void> => {
    if (isKnown() || globalState.get(OPENED) === true) return;
    await globalState.update(OPENED, true);
    await vscode.commands.executeCommand(`${SECTION}.skills.focus`, { preserveFocus: true });
  };
  return {
    async follow(status) {
      if (isDecided) return;
      if (status.inWorkspace > 0) await openView();
      const circumstances = { isKnown: isKnown(), isTrusted: vscode.workspace.isTrusted, hasNotified: hasNotified() };
      const decision = decideNotice(status, circumstances);
      if (decision === 'later') return;
      isDecided = true;
      if (decision === 'never') return;
      await setKnown();
      await showNotice(status);
    },
    dispose: () => events.dispose(),
  };
}

async function showNotice(status: Status): Promise<void> {
  // The view *All Skills* has opened already. The list has the reasons.
  const show = vscode.l10n.t('Check Skills…');
  const start = vscode.l10n.t('Get Started');
  const answer = await showInformation(noticeText(status), show, start);
  if (answer === show) await vscode.commands.executeCommand(`${SECTION}.checkSkills`);
  if (answer === start) await vscode.commands.executeCommand(`${SECTION}.getStarted`);
}
