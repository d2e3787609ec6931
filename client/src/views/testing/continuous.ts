/** Runs tests again when something has changed that they depend on, once the typing rests. */
import type * as vscode from 'vscode';
import type { SkillServer } from '../../language-server/skill-server.ts';

/** Shorter, and tests would run between two keys. */
const REST_MILLISECONDS = 120;

/** Runs something later; what it gives cancels that. */
type After = (milliseconds: number, run: () => void) => () => void;

const afterTime: After = (milliseconds, run) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};

/** What tests are run again for. */
type Changes = Pick<SkillServer, 'onTextSent' | 'onComposableChanged'> & {
  /** A file beside skills has changed that their tests are held against: those skills. */
  readonly onKeptChanged?: vscode.Event<readonly string[]>;
};

/** Calls back with the files that may have other results; null: any may. */
export function followChanges(
  { onTextSent, onComposableChanged, onKeptChanged }: Changes,
  changed: (uris: ReadonlySet<string> | null) => void,
  after: After = afterTime,
): vscode.Disposable {
  let waiting: Set<string> | null = new Set();
  /** Set while the typing is waited for. */
  let cancel: (() => void) | undefined;
  const add = (uris: readonly string[] | null): void => {
    waiting = uris && waiting ? new Set([...waiting, ...uris]) : null;
  };
  const tell = (): void => {
    const due = waiting;
    waiting = new Set();
    cancel = undefined;
    changed(due);
  };
  const addAtRest = (uris: readonly string[]): void => {
    add(uris);
    cancel?.();
    cancel = after(REST_MILLISECONDS, tell);
  };
  const listeners = [
    onTextSent((uri) => addAtRest([uri.toString()])),
    // A checkout changes many at once.
    ...(onKeptChanged ? [onKeptChanged(addAtRest)] : []),
    // The server has gathered these already; while somebody types they wait, too.
    onComposableChanged((uris) => {
      add(uris);
      if (!cancel) tell();
    }),
  ];
  return {
    dispose: () => {
      cancel?.();
      for (const listener of listeners) listener.dispose();
    },
  };
}
