/** Starts a rename after a refactoring that had to invent a name. */
import * as vscode from 'vscode';
import type { Position } from '../../../server/src/protocol.ts';

interface RenamePlace {
  readonly uri: string;
  readonly position: Position;
}

export async function beginRename({ uri, position }: RenamePlace): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const at = new vscode.Position(position.line, position.character);
  if (editor?.document.uri.toString() !== vscode.Uri.parse(uri).toString()) return;
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  await vscode.commands.executeCommand('editor.action.rename', [editor.document.uri, at]);
}
