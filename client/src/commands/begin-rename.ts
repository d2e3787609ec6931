/** Begins a rename at a place: after a refactoring made up a name that the author is to choose. */
import * as vscode from 'vscode';
import type { Position } from '../../../server/src/protocol.ts';

/** As in the protocol. */
interface Place {
  readonly uri: string;
  readonly position: Position;
}

export async function beginRename({ uri, position }: Place): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const at = new vscode.Position(position.line, position.character);
  if (editor?.document.uri.toString() !== vscode.Uri.parse(uri).toString()) return;
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  await vscode.commands.executeCommand('editor.action.rename', [editor.document.uri, at]);
}
