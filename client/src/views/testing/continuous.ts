/** Runs tests again when something has changed that they depend on, once the typing rests. */
import type * as vscode from 'vscode';
import type { SkillServer } from '../../language-server/skill-server.ts';

/** Shorter, and tests would run between two keys. */
const REST_MILLISECONDS = 120;

/** Calls back with the files that may have other results; null: any may. */
export function followChanges(
  server: SkillServer,
  changed: (uris: ReadonlySet<string> | null) => void,
): vscode.Disposable {
  let waiting: Set<string> | null = new Set();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const add = (uris: readonly string[] | null): void => {
    waiting = uris && waiting ? new Set([...waiting, ...uris]) : null;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const due = waiting;
      waiting = new Set();
      changed(due);
    }, REST_MILLISECONDS);
  };
  const listeners = [server.onTextSent((uri) => add([uri.toString()])), server.onComposableChanged(add)];
  return {
    dispose: () => {
      clearTimeout(timer);
      for (const listener of listeners) listener.dispose();
    },
  };
}
