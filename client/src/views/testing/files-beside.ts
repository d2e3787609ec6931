/** Files on the disk that tests are held against: kept prompts, recorded outputs, and evals. */
import * as vscode from 'vscode';

export interface FilesBeside extends vscode.Disposable {
  readonly onKeptChanged: vscode.Event<vscode.Uri>;
  readonly onEvalsChanged: vscode.Event<vscode.Uri>;
}

export function watchFilesBeside(): FilesBeside {
  const kept = watch('**/{__prompts__,__outputs__}/*');
  const evals = watch('**/evals/*.json');
  return {
    onKeptChanged: kept.event,
    onEvalsChanged: evals.event,
    dispose: () => {
      kept.dispose();
      evals.dispose();
    },
  };
}

function watch(glob: string): { readonly event: vscode.Event<vscode.Uri> } & vscode.Disposable {
  const emitter = new vscode.EventEmitter<vscode.Uri>();
  const watcher = vscode.workspace.createFileSystemWatcher(glob);
  const tell = (file: vscode.Uri): void => emitter.fire(file);
  watcher.onDidCreate(tell);
  watcher.onDidChange(tell);
  watcher.onDidDelete(tell);
  return {
    event: emitter.event,
    dispose: () => {
      watcher.dispose();
      emitter.dispose();
    },
  };
}
