import * as vscode from 'vscode';

/** The skill that a command was called on: a file of a menu, or an item of a view or a code lens with a `uri`. */
export function skillOf(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri) return argument;
  const { uri } = (argument ?? {}) as { readonly uri?: unknown };
  return typeof uri === 'string' ? vscode.Uri.parse(uri) : undefined;
}
