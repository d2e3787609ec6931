/** “Skill: Open an Example with Mistakes”: opens an unsaved skill for trying fixes. */
import * as vscode from 'vscode';
import { SECTION } from '../../../server/src/protocol.ts';
import { columnForFiles } from '../panels/command-target.ts';

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

type Step = 'newSkill' | 'mistakes' | 'preview' | 'run' | 'catalog' | 'graph';

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
