/** “Skill: Open an Example with Mistakes”: opens an unsaved skill to try fixes on. */
import * as vscode from 'vscode';

export async function openExample({ extensionUri }: vscode.ExtensionContext): Promise<void> {
  const file = vscode.Uri.joinPath(extensionUri, 'docs', 'walkthrough', 'example.skill.md');
  const content = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  const document = await vscode.workspace.openTextDocument({ language: 'skillmd', content });
  await vscode.window.showTextDocument(document);
}
