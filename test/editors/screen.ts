/** An editor on a screen of its own (`tmux`), which gets the keys that a person presses. */
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Session, setUp } from './session.ts';

export interface Screen {
  /** Presses keys: names of tmux (`Enter`, `C-x`), or the text of a string that begins with a space. */
  readonly press: (...keys: readonly string[]) => void;
  /** Resolves when the screen shows the text. */
  readonly shows: (text: RegExp) => Promise<void>;
  /** Resolves when the file in the folder has exactly this text. */
  readonly saved: (path: string, text: string) => Promise<void>;
}

/** The longest time in milliseconds until a state is reached, also on a loaded machine. */
const LIMIT = 30_000;

/** Starts the editor on a screen of 100 columns and 40 lines, runs the body, and ends the editor. */
export async function withScreen(session: Session, body: (screen: Screen) => Promise<void>): Promise<void> {
  const { home, env } = setUp(session);
  const tmux = (...words: readonly string[]): string =>
    execFileSync('tmux', ['-f', '/dev/null', '-S', join(home, 'screen'), ...words], {
      cwd: join(home, 'work'),
      encoding: 'utf8',
      env: { ...env, TERM: 'xterm' },
    });
  const until = async (expected: unknown, look: () => string, isReached: (seen: string) => boolean): Promise<void> => {
    for (const end = Date.now() + LIMIT; !isReached(look()); await wait(50)) {
      assert.ok(Date.now() < end, `Expected ${expected} in:\n${look()}\nThe screen:\n${shown()}`);
    }
  };
  const shown = (): string => tmux('capture-pane', '-p');
  tmux('new-session', '-d', '-x', '100', '-y', '40', '--', session.program, ...session.words(home));
  try {
    await body({
      press: (...keys) => {
        for (const key of keys) {
          if (key.startsWith(' ')) tmux('send-keys', '-l', key.slice(1));
          else tmux('send-keys', key);
        }
      },
      shows: (text) => until(text, shown, (seen) => text.test(seen)),
      saved: (path, text) => {
        const file = join(home, 'work', path);
        // Helix replaces the file, so it is absent for a moment.
        return until(
          text,
          () => (existsSync(file) ? readFileSync(file, 'utf8') : ''),
          (seen) => seen === text,
        );
      },
    });
  } finally {
    tmux('kill-server');
  }
}
