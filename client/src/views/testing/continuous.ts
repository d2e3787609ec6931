/** Runs tests again when a file that they depend on has changed and the user has paused typing. */
import type * as vscode from 'vscode';
import type { SkillServer } from '../../language-server/skill-server.ts';

/** The pause in typing. With a shorter pause, tests would run between two keystrokes. */
const TYPING_PAUSE_MILLISECONDS = 120;

/** Runs a function after a delay. Returns a function that cancels the call. */
type RunAfter = (milliseconds: number, run: () => void) => () => void;

const runAfterTimeout: RunAfter = (milliseconds, run) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};

/** The events after which tests run again. */
type Changes = Pick<SkillServer, 'onTextSent' | 'onComposableChanged'> & {
  /** Fires with the skills whose saved prompts or outputs changed. */
  readonly onSavedChanged?: vscode.Event<readonly string[]>;
};

/** Calls `changed` with the files whose results may have changed; null means any file. */
export function followChanges(
  { onTextSent, onComposableChanged, onSavedChanged }: Changes,
  changed: (uris: ReadonlySet<string> | null) => void,
  after: RunAfter = runAfterTimeout,
): vscode.Disposable {
  let waiting: Set<string> | null = new Set();
  /** Cancels the wait for a pause in typing; undefined while nothing waits. */
  let cancel: (() => void) | undefined;
  const add = (uris: readonly string[] | null): void => {
    waiting = uris && waiting ? new Set([...waiting, ...uris]) : null;
  };
  const notify = (): void => {
    const due = waiting;
    waiting = new Set();
    cancel = undefined;
    changed(due);
  };
  const addAtRest = (uris: readonly string[]): void => {
    add(uris);
    cancel?.();
    cancel = after(TYPING_PAUSE_MILLISECONDS, notify);
  };
  const listeners = [
    onTextSent((uri) => addAtRest([uri.toString()])),
    // A checkout can change many saved files, so wait until no further file changes.
    ...(onSavedChanged ? [onSavedChanged(addAtRest)] : []),
    // The server already combines changes to skills, so delay the call only while the user types.
    onComposableChanged((uris) => {
      add(uris);
      if (!cancel) notify();
    }),
  ];
  return {
    dispose: () => {
      cancel?.();
      for (const listener of listeners) listener.dispose();
    },
  };
}
