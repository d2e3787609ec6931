/** Helpers of the tests in the extension host: waiting for a condition, the workspace's files, the extension. */
import { strict as assert } from 'node:assert';
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';

export const extensionId = 'skill-composer.skill-composer';

/** Repeats `look` until it returns a result. */
export async function eventually<T>(
  what: string,
  look: () => T | undefined | Promise<T | undefined>,
  limit = 15_000,
): Promise<T> {
  const deadline = Date.now() + limit;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    assert.ok(Date.now() < deadline, `Waited ${limit / 1000} s in vain for ${what}.`);
    await pause(25);
  }
}

export function workspaceFile(path: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder, 'a workspace folder is open');
  return vscode.Uri.joinPath(folder.uri, path);
}

/** Opens a file of the workspace in an editor. */
export async function open(path: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(workspaceFile(path)));
}

/** Returns the extension's findings for a file as soon as the file has any. */
export function findingsOf(path: string): Promise<readonly vscode.Diagnostic[]> {
  return eventually(`a finding in ${path}`, () => {
    const all = vscode.languages.getDiagnostics(workspaceFile(path));
    return all.length > 0 ? all : undefined;
  });
}
