/** The debug sessions of skills, as the tab *Run* follows them (docs/preview.md, "Run"). */
import * as vscode from 'vscode';
import type { DebugProgress } from '../../../../server/src/protocol.ts';
import type { SkillServer } from '../../language-server/skill-server.ts';

export interface DebugSessions extends vscode.Disposable {
  /** Returns the position of the session of a skill. Of several sessions, the active one or the newest one counts. */
  readonly of: (skill: string | undefined) => DebugProgress | undefined;
}

/** Follows all debug sessions of skills. Calls `changed` when the result of `of` may have changed. */
export function followDebugSessions(
  server: Pick<SkillServer, 'onDebugProgress' | 'onStopped'>,
  changed: () => void,
): DebugSessions {
  /** By the ID of the session, oldest first. */
  const sessions = new Map<string, DebugProgress>();
  const listeners = vscode.Disposable.from(
    server.onDebugProgress(({ session, progress }) => {
      const before = sessions.get(session);
      if (progress === null) sessions.delete(session);
      else if ('run' in progress) sessions.set(session, progress);
      else if (before) sessions.set(session, { ...before, ...progress });
      changed();
    }),
    server.onStopped(() => {
      sessions.clear();
      changed();
    }),
    vscode.debug.onDidChangeActiveDebugSession(changed),
  );
  return {
    of: (skill) => {
      const own = [...sessions].filter(([, { run }]) => run.uri === skill);
      const active = own.find(([session]) => session === vscode.debug.activeDebugSession?.id);
      return (active ?? own.at(-1))?.[1];
    },
    dispose: () => listeners.dispose(),
  };
}
