/**
 * Composes the declared samples when nobody types, one file after the other, open files first, and of those that are not
 * open what somebody wants to know of. What fails becomes a fact of the index; until somebody knows better the last fact
 * stands.
 */
import type { SampleFailure, WorkspaceIndex } from '../../workspace/workspace-index.ts';
import { composeSamples } from './compose-samples.ts';
import type { Composing } from './composing.ts';
import { passing } from './sample-requests.ts';

export interface BackgroundOptions {
  readonly composing: Composing;
  /** The snapshot with every keystroke taken in. */
  readonly index: () => WorkspaceIndex;
  /** The snapshot as it is; files are touched while keystrokes are being taken in. */
  readonly snapshot: () => WorkspaceIndex;
  readonly isOpen: (uri: string) => boolean;
  readonly isWanted: (uri: string) => boolean;
  /** Resolves when the workspace has been read, and nothing waits to be checked. */
  readonly idle: () => Promise<void>;
  readonly take: (uri: string, failures: readonly SampleFailure[]) => void;
  /** Called once, with the reason, where nothing can be composed. */
  readonly onRefused: (message: string) => void;
}

export interface Background {
  /** These files changed, or something that their compositions depend on. */
  touch(uris: Iterable<string>): void;
  dispose(): void;
}

/** How long nothing must have changed. */
const QUIET_MS = 250;

export function createBackground(options: BackgroundOptions): Background {
  const { composing, index, snapshot, isOpen, isWanted, idle, take, onRefused } = options;
  const dirty = new Set<string>();
  let isOver = false;
  let isRunning = false;
  let touched = 0;

  const quiet = async (): Promise<void> => {
    await idle();
    for (let wait = touched + QUIET_MS - performance.now(); wait > 0; wait = touched + QUIET_MS - performance.now()) {
      await pause(wait);
    }
  };
  const next = (): string | undefined => {
    for (const uri of dirty) if (isOpen(uri)) return uri;
    for (const uri of dirty) if (isWanted(uri)) return uri;
    return undefined;
  };
  const compose = async (uri: string): Promise<void> => {
    const whole = index();
    const current = isOpen(uri) ? whole : passing(whole, uri);
    const failures = await composeSamples(composing, current, uri, () => isOver || dirty.has(uri));
    if (failures) take(uri, failures);
  };
  const run = async (): Promise<void> => {
    await quiet();
    for (let uri = next(); uri !== undefined && !isOver; uri = next()) {
      dirty.delete(uri);
      await compose(uri);
      await quiet();
    }
  };
  const start = (): void => {
    if (isRunning || isOver || next() === undefined) return;
    isRunning = true;
    void run()
      .catch((error: unknown) => {
        isOver = true;
        onRefused(error instanceof Error ? error.message : String(error));
      })
      .finally(() => {
        isRunning = false;
        // What was touched as the last one ended.
        start();
      });
  };

  return {
    touch(uris) {
      const known = snapshot();
      for (const uri of uris) {
        if (known.documents.get(uri)?.hasSamples || known.sampleFailures.has(uri)) dirty.add(uri);
      }
      touched = performance.now();
      start();
    },
    dispose() {
      isOver = true;
    },
  };
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
