/** `skill/installed`: the lock file and the files that it knows are read as they lie there. */
import type { Connection } from 'vscode-languageserver';
import { type InstalledParams, type InstalledReply, InstalledRequest } from '../../protocol.ts';
import type { Session } from '../session/session.ts';
import { type OpenPlace, uriAt } from './place.ts';
import { Refusal } from './refusal.ts';

export function handleInstalled(connection: Connection, session: Session, place: OpenPlace): void {
  connection.onRequest<InstalledReply, void>(InstalledRequest, async ({ folder }: InstalledParams) => {
    await session.read();
    const { openLock } = await import('./installed.ts');
    const { checkInstalled } = await import('./check-installed.ts');
    try {
      const root = place(folder);
      const { lock } = await openLock(root);
      const checked = await checkInstalled(root, session.analysis.index);
      const skills = checked.flatMap(({ name, path, files, changes }) => {
        const before = lock.get(name);
        return before
          ? [{ uri: uriAt(root, path), origin: before.origin, version: before.version ?? null, files, changes }]
          : [];
      });
      return { skills };
    } catch (error) {
      if (error instanceof Refusal) return { problem: error.message };
      throw error;
    }
  });
}
