/** Watches files of the workspace. */
import * as vscode from 'vscode';

/** The files with saved prompts and recorded outputs, and their folders. */
export const SAVED_FILES = ['**/{__prompts__,__outputs__}/*', '**/{__prompts__,__outputs__}'] as const;

/** Returns an event for each file or folder that matches a glob and is created, changed or deleted. */
export function watchFiles(
  ...globs: readonly string[]
): { readonly event: vscode.Event<vscode.Uri> } & vscode.Disposable {
  const emitter = new vscode.EventEmitter<vscode.Uri>();
  const watchers = globs.map((glob) => vscode.workspace.createFileSystemWatcher(glob));
  const notify = (file: vscode.Uri): void => emitter.fire(file);
  for (const watcher of watchers) {
    watcher.onDidCreate(notify);
    watcher.onDidChange(notify);
    watcher.onDidDelete(notify);
  }
  return {
    event: emitter.event,
    dispose: () => {
      for (const watcher of watchers) watcher.dispose();
      emitter.dispose();
    },
  };
}
