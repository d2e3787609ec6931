/** Opens places in the editor's own view of references: for the server's lenses, which know no types of the editor. */
import * as vscode from 'vscode';
import type { Position, Range } from '../../../server/src/protocol.ts';

/** As in the protocol. */
interface Places {
  readonly uri: string;
  readonly position: Position;
  readonly locations: readonly { readonly uri: string; readonly range: Range }[];
}

export function showReferences({ uri, position, locations }: Places): Thenable<unknown> {
  return vscode.commands.executeCommand(
    'editor.action.showReferences',
    vscode.Uri.parse(uri),
    new vscode.Position(position.line, position.character),
    locations.map((place) => {
      const { start, end } = place.range;
      const range = new vscode.Range(start.line, start.character, end.line, end.character);
      return new vscode.Location(vscode.Uri.parse(place.uri), range);
    }),
  );
}
