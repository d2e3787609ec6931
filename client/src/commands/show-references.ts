/** Opens the editor's references view for a code lens of the server. */
import * as vscode from 'vscode';
import type { Position } from '../../../server/src/protocol.ts';
import { rangeOf } from '../locations.ts';
import type { FileRange } from '../panels/kit/file-range.ts';

interface References {
  readonly uri: string;
  readonly position: Position;
  readonly locations: readonly FileRange[];
}

export function showReferences({ uri, position, locations }: References): Thenable<unknown> {
  return vscode.commands.executeCommand(
    'editor.action.showReferences',
    vscode.Uri.parse(uri),
    new vscode.Position(position.line, position.character),
    locations.map((place) => new vscode.Location(vscode.Uri.parse(place.uri), rangeOf(place.range))),
  );
}

// Starts a rename after a refactoring that generated a name.

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
