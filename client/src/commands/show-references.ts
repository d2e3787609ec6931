/** Opens the editor's references view for a code lens of the server, converting its places to the editor's types. */
import * as vscode from 'vscode';
import type { Position } from '../../../server/src/protocol.ts';
import type { Place } from '../panels/kit/place.ts';
import { rangeOf } from '../places.ts';

interface References {
  readonly uri: string;
  readonly position: Position;
  readonly locations: readonly Place[];
}

export function showReferences({ uri, position, locations }: References): Thenable<unknown> {
  return vscode.commands.executeCommand(
    'editor.action.showReferences',
    vscode.Uri.parse(uri),
    new vscode.Position(position.line, position.character),
    locations.map((place) => new vscode.Location(vscode.Uri.parse(place.uri), rangeOf(place.range))),
  );
}
