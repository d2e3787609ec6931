/** Shows references: for a code lens of the server, and to skills that were deleted in the editor. */
import * as vscode from 'vscode';
import { ResponseError } from 'vscode-languageclient';
import type { Position, UsesReply } from '../../../server/src/protocol.ts';
import { rangeOf } from '../locations.ts';
import { showWarning } from '../notify.ts';
import { columnForFiles } from '../panels/command-target.ts';
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

// Starts a rename: after a refactoring that generated a name, and after a refused rename.

interface RenameTarget {
  readonly uri: string;
  readonly position: Position;
}

export async function beginRename({ uri, position }: RenameTarget): Promise<void> {
  const document = await select({ uri, range: { start: position, end: position } });
  const at = new vscode.Position(position.line, position.character);
  if (document) await vscode.commands.executeCommand('editor.action.rename', [document.uri, at]);
}

/** Shows two skills side by side, with the names of their folders or files as the title. */
export async function compareSkills({ left, right }: { readonly left: string; readonly right: string }): Promise<void> {
  const uris = [vscode.Uri.parse(left), vscode.Uri.parse(right)] as const;
  const title = uris.map(({ path }) => path.split('/').slice(-2).join('/')).join(' ↔ ');
  await vscode.commands.executeCommand('vscode.diff', ...uris, title);
}

/** Selects text in a visible document, such as the placeholder that a fix inserted. Returns the document. */
export async function select({ uri, range }: FileRange): Promise<vscode.TextDocument | undefined> {
  const wanted = vscode.Uri.parse(uri).toString();
  // While a menu closes, VS Code sometimes has no active editor.
  const editors = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
  const editor = editors.find((editor) => editor?.document.uri.toString() === wanted);
  if (!editor) return undefined;
  const { document, viewColumn = vscode.ViewColumn.Active } = editor;
  await vscode.window.showTextDocument(document, { viewColumn, selection: rangeOf(range) });
  return document;
}

/**
 * Shows the complete reason if a rename is refused, with a button that starts the rename again. VS Code itself would
 * show only the first line of the reason.
 */
export async function explainRefusal(
  renaming: PromiseLike<vscode.WorkspaceEdit | null | undefined>,
  place: RenameTarget,
): Promise<vscode.WorkspaceEdit | null | undefined> {
  try {
    return await renaming;
  } catch (error) {
    if (!(error instanceof ResponseError) || error instanceof vscode.CancellationError) throw error;
    const again = vscode.l10n.t('Rename Again');
    void showWarning(error.message, again).then((chosen) => (chosen === again ? beginRename(place) : undefined));
    // Without an edit, VS Code would show "No result".
    return new vscode.WorkspaceEdit();
  }
}

/** Calls `usesOf` before the files are deleted, because the server forgets deleted files. */
export function watchDeletions(usesOf: (uris: readonly string[]) => Promise<UsesReply | null>): vscode.Disposable {
  const asked = new Map<string, Promise<UsesReply | null>>();
  const keyOf = (files: readonly vscode.Uri[]): string => files.join(' ');
  return vscode.Disposable.from(
    vscode.workspace.onWillDeleteFiles(({ files }) => {
      // Without a server the uses are unknown.
      const uses = usesOf(files.map(String)).catch(() => null);
      asked.set(keyOf(files), uses);
    }),
    vscode.workspace.onDidDeleteFiles(async ({ files }) => {
      const uses = asked.get(keyOf(files));
      asked.delete(keyOf(files));
      const found = await uses;
      if (found && found.places.length > 0) await warnAboutUses(found);
    }),
  );
}

async function warnAboutUses({ skills, places }: UsesReply): Promise<void> {
  const [name = ''] = skills;
  const users = new Set(places.map(({ uri }) => uri)).size;
  const show = vscode.l10n.t('Show Uses');
  const chosen = await showWarning(messageFor(name, skills.length, users), show);
  if (chosen === show) await peekPlaces(places);
}

/** Opens the first place, and lists all places in a peek view there. */
export async function peekPlaces(places: readonly FileRange[]): Promise<void> {
  const [first] = places;
  if (!first) return;
  const start = rangeOf(first.range).start;
  const locations = places.map(({ uri, range }) => new vscode.Location(vscode.Uri.parse(uri), rangeOf(range)));
  const uri = vscode.Uri.parse(first.uri);
  await vscode.window.showTextDocument(uri, {
    viewColumn: columnForFiles(uri),
    selection: new vscode.Range(start, start),
  });
  await vscode.commands.executeCommand('editor.action.goToLocations', uri, start, locations, 'peek', '');
}

function messageFor(name: string, skills: number, users: number): string {
  if (skills > 1) return vscode.l10n.t('{0} deleted skills are still used. Files that use them: {1}.', skills, users);
  return users === 1
    ? vscode.l10n.t('`{0}` was deleted, but another file still uses it.', name)
    : vscode.l10n.t('`{0}` was deleted, but {1} other files still use it.', name, users);
}
